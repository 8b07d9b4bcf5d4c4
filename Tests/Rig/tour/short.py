"""The short tour: a drive of a few minutes, with what matters most."""

import time

import drive
from box import wait
from report import milliseconds


def pair_and_connect(stage, report):
    """A new car is paired and connected"""
    began = time.monotonic()
    stage.bluez.pair(stage.car.address)
    report.say(f"found, paired and connected in {time.monotonic() - began:.1f} s")
    sink, took = wait(stage.sound.car_sink, 20, every=0.1)
    report.check(sink, "the car's sink is there", f"{sink} after {took:.1f} s")
    opened, took = wait(lambda: stage.car("state")["avrcp"], 10)
    report.check(opened, "the wheel is connected", f"after {took:.1f} s")
    told = stage.service.wait(lambda state: state["car"]["connected"] and state["car"]["sink"], 10)
    report.check(told, "the service knows its car", stage.service.state["car"])
    stage.listen()


def first_sound(stage, report):
    """Play: the episode is heard in the car"""
    queued = stage.service.wait(lambda state: len(state["queue"]) >= 3, 20)
    report.check(queued, "the server's episodes are in the queue", len(stage.service.state["queue"]))
    for event in ("PLAYBACK_STATUS_CHANGED", "TRACK_CHANGED", "TRACK_REACHED_START", "TRACK_REACHED_END"):
        stage.car("watch", event=event)
    time.sleep(5)  # past the time in which a car's first Play is held back
    # The first one opens what it needs to play at all, which takes its time under emulation.
    drive.play(stage, report, within=5)
    time.sleep(3)
    now = time.monotonic()
    sound = stage.heard.between(now - 3, now)
    place = sound.place(now - 1.5)
    report.check(place and place[0] == 0, "what is heard is the episode", drive.placed(place))


def keys(stage, report):
    """PAUSE, PLAY, FORWARD, BACKWARD"""
    rows = [drive.pause(stage, report), drive.play(stage, report)]
    time.sleep(1.5)
    rows += [drive.skip(stage, report, "FORWARD", 30), drive.skip(stage, report, "BACKWARD", -15)]
    report.table("key, what the service did, state after, heard after", ["key", "did", "state", "heard"], rows)


def dash(stage, report):
    """The dash: words, and the time it shows against what is heard"""
    text = stage.car("text")
    state = stage.service.state
    report.check(text["TITLE"] == state["episode"]["title"], "title", text["TITLE"])
    report.check(text["ARTIST_NAME"] == state["episode"]["feedTitle"], "artist is the show", text["ARTIST_NAME"])
    drive.dash_error(stage, report, seconds=12)
    stage.service.command("rate", to=1.5)
    # What is in the buffers is heard at the former speed.
    time.sleep(2.5)
    drive.dash_error(stage, report, seconds=12, rate=1.5)
    stage.service.command("rate", to=1)
    time.sleep(1)


def lost_link(stage, report):
    """The link is lost and comes back"""
    drive.loses_car(stage, report, "link lost", lambda: stage.car("disconnect", reason=0x08), away=12)
    report.say(f"and then: {milliseconds(drive.mend_wheel(stage, report))} until the wheel was there")
    drive.pause(stage, report)


STEPS = [pair_and_connect, first_sound, keys, dash, lost_link]
