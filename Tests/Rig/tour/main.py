#!/usr/bin/python3
"""The tour: main.py short|full. Exit code 0 when everything that was claimed holds."""

import importlib
import os
import sys
import traceback

from report import Report
from stage import Stage
from vehicle import OUT


def main(tour):
    report = Report(OUT)
    stage = Stage(report)
    try:
        stage.start()
        for step in importlib.import_module(tour).STEPS:
            report.step(step.__doc__.strip().splitlines()[0])
            try:
                step(stage, report)
            except Exception as error:
                traceback.print_exc()
                report.check(False, step.__name__, repr(error))
    except Exception as error:
        traceback.print_exc()
        report.check(False, "the stage stands", repr(error))
    return report.end()


code = main(sys.argv[1])
sys.stdout.flush()
# Threads that still listen are not waited for.
os._exit(code)
