"""Everything that a drive needs, started as on a real box: by systemd, under the units of the project."""

import os
import subprocess
import time

import numpy as np

import box
from box import run, wait
from ear import CarSound
from vehicle import OUT, Vehicle

SERVER = "http://127.0.0.1:8080"


class Stage:
    def __init__(self, report):
        self.report = report
        self.bluez = box.BlueZ()
        self.sound = box.SoundServer()
        self.heard = CarSound(f"{OUT}/car.sbc")
        self.profile = self._option("profile")
        self.library = "/rig/library"
        self.microphones = []

    @staticmethod
    def _option(name):
        words = open("/proc/cmdline").read().split()
        return next(word.split("=", 1)[1] for word in words if word.startswith(f"rig.{name}="))

    def start(self):
        report = self.report
        self.start_server()
        run("systemctl", "start", "--no-block", "bluetooth.service", "ipx-car-sound.service")
        self.car = Vehicle()
        report.say(f"the car's radio is {self.car.address}")
        _, took = wait(lambda: self.bluez.get(box.ADAPTER, "org.bluez.Adapter1", "Address"), 30)
        report.say(f"bluetoothd is there, waited {took:.1f} s")
        self.bluez.set(box.ADAPTER, "org.bluez.Adapter1", "Powered", True)
        self.start_service()
        _, took = wait(lambda: self.sound.sinks, 30, every=0.2)
        report.say(f"the sound server is there, waited {took:.1f} s; sinks: {' '.join(self.sound.sinks)}")

    def start_server(self, *more):
        self.server = subprocess.Popen(
            ["/usr/bin/ipx-car-demo", "server", "--library", self.library, *more],
            stdout=open(f"{OUT}/server.log", "a"), stderr=subprocess.STDOUT)

    def start_service(self):
        began = time.monotonic()
        said = run("systemctl", "start", "ipx-car.service")
        self.report.check(not said, "systemd starts the service under its own unit", said or f"{time.monotonic() - began:.2f} s")
        self.service = box.Service()
        there, took = wait(lambda: self.service.state, 20, every=0.1)
        self.report.check(there, "it answers on the bus", f"after {took:.1f} s")

    def listen(self):
        self.microphones = self.sound.listen()

    def settle(self, limit=40):
        """Waits until the machine is idle enough for times to mean something: what is fetched at the start is checked too."""

        def busy():
            with open("/proc/stat") as file:
                ticks = [int(word) for word in file.readline().split()[1:]]
            return np.array([sum(ticks) - ticks[3] - ticks[4], sum(ticks)])

        end, before = time.monotonic() + limit, busy()
        while time.monotonic() < end:
            time.sleep(0.5)
            now = busy()
            spent, before = now - before, now
            if spent[0] < 0.5 * spent[1]:
                return

    def mark_before(self, moment):
        """The number of state changes that were told before `moment`."""
        return sum(told < moment for told, _ in self.service.changes)

    @property
    def log(self):
        return run("journalctl", "-u", "ipx-car.service", "-o", "short-monotonic", "--no-pager")
