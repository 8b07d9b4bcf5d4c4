"""The box, from outside the service: BlueZ, systemd, the sound server, and the service's own words on the bus."""

import json
import os
import subprocess
import threading
import time
import uuid

import dbus
import dbus.mainloop.glib
import numpy as np
from gi.repository import GLib

from ear import AUDIBLE

OUT = "/rig/out"
ADAPTER = "/org/bluez/hci0"
AVRCP_TARGET = "0000110e-0000-1000-8000-00805f9b34fb"
AS_SERVICE = ["setpriv", "--reuid=ipx-car", "--regid=ipx-car", "--init-groups"]

dbus.mainloop.glib.threads_init()


def run(*command, timeout=30, **how):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=timeout, **how)
    return done.stdout.strip()


def wait(condition, timeout, every=0.02):
    """Polls; returns (the first true answer or the last one, seconds that it took)."""
    began = time.monotonic()
    while True:
        try:
            found = condition()
        except (dbus.DBusException, subprocess.SubprocessError, KeyError, TypeError):
            found = None
        took = time.monotonic() - began
        if found or took > timeout:
            return found, took
        time.sleep(every)


class BlueZ:
    def __init__(self):
        self.bus = dbus.SystemBus(private=True)

    def on(self, path, interface):
        return dbus.Interface(self.bus.get_object("org.bluez", path, introspect=False), interface)

    def get(self, path, interface, name):
        return self.on(path, "org.freedesktop.DBus.Properties").Get(interface, name)

    def set(self, path, interface, name, value):
        self.on(path, "org.freedesktop.DBus.Properties").Set(interface, name, value, signature="ssv")

    @property
    def objects(self):
        return self.on("/", "org.freedesktop.DBus.ObjectManager").GetManagedObjects()

    @property
    def address(self):
        return str(self.get(ADAPTER, "org.bluez.Adapter1", "Address"))

    @staticmethod
    def path(address):
        return f"{ADAPTER}/dev_{address.replace(':', '_')}"

    def is_connected(self, address):
        return bool(self.get(self.path(address), "org.bluez.Device1", "Connected"))

    def transport(self, address):
        """The car's A2DP transport, or None."""
        for path, interfaces in self.objects.items():
            if interfaces.get("org.bluez.MediaTransport1", {}).get("Device") == self.path(address):
                return interfaces["org.bluez.MediaTransport1"]
        return None

    def pair(self, address):
        """Finds, pairs, trusts and connects, as a person does with bluetoothctl."""
        device = self.path(address)
        adapter = self.on(ADAPTER, "org.bluez.Adapter1")
        wait(lambda: self.get(ADAPTER, "org.bluez.Adapter1", "Powered"), 10)
        self.set(ADAPTER, "org.bluez.Adapter1", "Pairable", dbus.Boolean(True))
        adapter.SetDiscoveryFilter(dbus.Dictionary({"Transport": "bredr"}, signature="sv"))
        adapter.StartDiscovery()
        found, _ = wait(lambda: device in self.objects, 20)
        if not found:
            raise RuntimeError("the car was not found")
        # Ended between the emulated radio's ticks: see tour.
        adapter.StopDiscovery()
        time.sleep(0.5)
        self.on(device, "org.bluez.Device1").Pair(timeout=60)
        self.set(device, "org.bluez.Device1", "Trusted", dbus.Boolean(True))
        self.on(device, "org.bluez.Device1").Connect(timeout=60)


class Service:
    """The service's state, and when it changed (CLOCK_MONOTONIC)."""

    name, path, interface = "net.sdf1.ipxcar", "/net/sdf1/ipxcar", "net.sdf1.ipxcar.HeadUnit1"

    def __init__(self):
        self.bus = dbus.SystemBus(private=True)
        self.changes = []
        self._news = threading.Condition()
        # Kept: a connection that nobody holds is closed.
        self._listening = dbus.SystemBus(private=True, mainloop=dbus.mainloop.glib.DBusGMainLoop())
        self._listening.add_signal_receiver(self._changed, "StateChanged", self.interface, path=self.path)
        threading.Thread(target=GLib.MainLoop().run, daemon=True).start()

    def _changed(self, text):
        moment = time.monotonic()
        with self._news:
            self.changes.append((moment, json.loads(text)))
            self._news.notify_all()

    @property
    def _object(self):
        return dbus.Interface(self.bus.get_object(self.name, self.path, introspect=False), self.interface)

    @property
    def state(self):
        return json.loads(self._object.GetState())

    @property
    def mark(self):
        return len(self.changes)

    def command(self, cmd, **fields):
        answer = json.loads(self._object.Command(json.dumps({"id": str(uuid.uuid4()), "cmd": cmd, **fields})))
        if not answer["ok"]:
            raise RuntimeError(f"{cmd}: {answer}")
        return answer

    def wait(self, condition, timeout, since=None):
        """When the state was first told to be so, after the change number `since` (None: or is so now). None: never."""
        end = time.monotonic() + timeout
        if since is None:
            since = self.mark
            if condition(self.state):
                return time.monotonic()
        with self._news:
            while True:
                for moment, state in self.changes[since:]:
                    if condition(state):
                        return moment
                left = end - time.monotonic()
                if left <= 0:
                    return None
                self._news.wait(left)

    @staticmethod
    def position(state, moment):
        """Seconds into the episode at `moment`, by the state's own words."""
        if state["phase"] != "playing":
            return state["position"]
        return state["position"] + (moment - state["at"] / 1000) * state["rate"]


class Microphone:
    """What one sink plays, by its monitor: (CLOCK_MONOTONIC, level 0…1) every 20 ms or so."""

    piece = 240  # samples of 12 kHz

    def __init__(self, sink, environment):
        self.sink, self.levels = sink, []
        self._process = subprocess.Popen(
            [*AS_SERVICE, "parec", f"--device={sink}.monitor", "--rate=12000", "--channels=1", "--format=s16le",
             "--latency-msec=20"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        while piece := self._process.stdout.read(2 * self.piece):
            samples = np.frombuffer(piece, dtype="<i2").astype(np.float32) / 32_768
            self.levels.append((time.monotonic(), float(np.sqrt(np.mean(np.square(samples))))))

    def stop(self):
        self._process.terminate()
        self._process.wait()

    def audible(self, begin):
        """Seconds of sound since `begin`."""
        return sum(level > AUDIBLE for moment, level in self.levels if moment >= begin) * self.piece / 12_000


class SoundServer:
    """Asked as the service's user: the server lets in its own group only."""

    environment = {**os.environ, "PULSE_CLIENTCONFIG": "/dev/null"}

    def ask(self, *words):
        return run(*AS_SERVICE, "pactl", *words, env=self.environment)

    @property
    def sinks(self):
        return [line.split("\t")[1] for line in self.ask("list", "short", "sinks").splitlines() if "\t" in line]

    def listen(self):
        """A microphone at every sink that is not the car's."""
        # A monitor that is nobody's choice is moved with the default.
        self.ask("set-default-source", "silence.monitor")
        return [Microphone(name, self.environment) for name in self.sinks if not name.startswith("bluez_")]

    def car_sink(self):
        return next((name for name in self.sinks if name.startswith(("bluez_sink.", "bluez_output."))), None)
