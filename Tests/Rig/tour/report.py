"""One line for each thing that is claimed, with what was measured."""

import json
import time

BEGAN = time.monotonic()


class Report:
    def __init__(self, folder):
        self.file = open(f"{folder}/report.log", "w")
        self.passed = self.failed = self.waiting = 0
        self.tables = []

    def say(self, text=""):
        line = f"{time.monotonic() - BEGAN:7.1f}  {text}" if text else ""
        print(line, flush=True)
        self.file.write(line + "\n")
        self.file.flush()

    def step(self, title):
        self.say()
        self.say(f"— {title}")

    def check(self, holds, claim, measured=""):
        if holds:
            self.passed += 1
        else:
            self.failed += 1
        self.say(f"{'ok    ' if holds else 'FAILED'}  {claim}" + (f": {measured}" if measured != "" else ""))
        return bool(holds)

    def not_yet(self, claim, why):
        """What the service cannot do yet: shown, and counted as nothing."""
        self.waiting += 1
        self.say(f"not yet  {claim}: {why}")

    def table(self, title, head, rows):
        rows = [[str(cell) for cell in row] for row in rows]
        widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
        self.say()
        self.say(title)
        for row in [head, ["-" * width for width in widths], *rows]:
            self.say("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())

    def end(self, **more):
        self.say()
        if self.waiting:
            self.say(f"{self.waiting} not yet")
        print(f"{self.passed} passed, {self.failed} failed", flush=True)
        self.file.write(f"{self.passed} passed, {self.failed} failed\n")
        self.file.close()
        return 1 if self.failed or not self.passed else 0


def quantile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else None


def milliseconds(seconds):
    return "never" if seconds is None else f"{seconds * 1000:.0f} ms"
