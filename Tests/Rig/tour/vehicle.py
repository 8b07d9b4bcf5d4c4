"""The car, from the tour's side: a process of its own, spoken to over its socket."""

import json
import os
import socket
import subprocess
import threading
import time

OUT = "/rig/out"
SOCKET = "/run/car.socket"


class CarRefused(Exception):
    pass


class Vehicle:
    def __init__(self):
        self.events = []
        self._news = threading.Condition()
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            ["python3", "/rig/car/car.py", "--record", f"{OUT}/car.sbc", "--socket", SOCKET],
            stdout=subprocess.PIPE, stderr=open(f"{OUT}/car.errors", "a"), text=True)
        threading.Thread(target=self._read, args=(self.process,), daemon=True).start()
        ready = self.wait("ready", 60)
        if ready is None or self.wait("listening", 10) is None:
            raise RuntimeError("the car did not start; see car.errors")
        self.address = ready["address"]
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(SOCKET)
        self._lines = self._socket.makefile("rw")

    def _read(self, process):
        with open(f"{OUT}/car.log", "a") as log:
            for line in process.stdout:
                log.write(line)
                log.flush()
                with self._news:
                    self.events.append(json.loads(line))
                    self._news.notify_all()

    def __call__(self, command, **fields):
        self._lines.write(json.dumps({"cmd": command, **fields}) + "\n")
        self._lines.flush()
        answer = json.loads(self._lines.readline())
        if not answer["ok"]:
            raise CarRefused(f"{command}: {answer['error']}")
        return answer["result"]

    def press(self, key, **how):
        """Returns (moment of the press, the box's answers)."""
        moment = time.monotonic()
        return moment, self("key", key=key, **how)

    def since(self, mark, kind=None, **fields):
        return [e for e in self.events[mark:] if kind in (None, e["kind"]) and all(e.get(k) == v for k, v in fields.items())]

    @property
    def mark(self):
        return len(self.events)

    def wait(self, kind, timeout, since=0, **fields):
        """The first such event after `since`, or None."""
        end = time.monotonic() + timeout
        with self._news:
            while True:
                found = self.since(since, kind, **fields)
                if found:
                    return found[0]
                left = end - time.monotonic()
                if left <= 0:
                    return None
                self._news.wait(left)
