"""What a driver does and sees, each with its claims."""

import time

import box
from box import wait
from report import milliseconds, quantile

# A status that is no status but the sign of a seek (AVRCP 1.6.2, 6.7.1).
FAKE_SEEKS = ("3", "4")


def placed(place):
    return "not recognised" if place is None else f"episode {place[0]} at {place[1]:.2f} s ± {place[2]:.2f}"


def _after(moment, began):
    return None if moment is None else moment - began


def play(stage, report, within=1):
    stage.settle()
    pressed, _ = stage.car.press("PLAY")
    playing = stage.service.wait(lambda state: state["phase"] == "playing", 10, stage.mark_before(pressed))
    time.sleep(2.2)
    now = time.monotonic()
    first = stage.heard.between(pressed, now).first_sound(pressed, now)
    took = _after(first, pressed)
    report.check(playing and took is not None and took <= within, f"sound within {within} s of PLAY", milliseconds(took))
    return "PLAY", stage.service.state["phase"], milliseconds(_after(playing, pressed)), milliseconds(took)


def pause(stage, report):
    stage.settle()
    pressed, _ = stage.car.press("PAUSE")
    paused = stage.service.wait(lambda state: state["phase"] == "paused", 10, stage.mark_before(pressed))
    time.sleep(1.5)
    now = time.monotonic()
    silent = stage.heard.between(pressed - 0.2, now).silence(pressed, now)
    took = _after(silent, pressed)
    report.check(paused and took is not None and took <= 0.5, "silence within 500 ms of PAUSE", milliseconds(took))
    return "PAUSE", stage.service.state["phase"], milliseconds(_after(paused, pressed)), milliseconds(took)


def skip(stage, report, key, by):
    """While it plays at 1x: the place jumps by so many seconds."""
    stage.settle()
    time.sleep(2.5)
    before = stage.service.state
    pressed, _ = stage.car.press(key)

    def there(state):
        moved = stage.service.position(state, time.monotonic()) - stage.service.position(before, time.monotonic())
        return abs(moved - by) < 1

    jumped = stage.service.wait(there, 10, stage.mark_before(pressed))
    time.sleep(4)
    now = time.monotonic()
    sound = stage.heard.between(pressed - 3, now)
    old, new = sound.place(pressed - 1.3), sound.place(now - 1.3)
    moved = None if old is None or new is None else new[1] - old[1] - (now - pressed)
    report.check(
        moved is not None and abs(moved - by) <= 1.5, f"{key} goes {by:+} s, as heard",
        "not recognised" if moved is None else f"{moved:+.1f} s")
    heard = new and sound.first_near(pressed, now, lambda moment: new[1] - (now - 1.3 - moment))
    return key, f"{by:+} s", milliseconds(_after(jumped, pressed)), milliseconds(_after(heard, pressed))


def dash_error(stage, report, seconds, rate=1.0):
    """Asks the car what its dash shows, and compares it with what its loudspeakers said at that moment."""
    mark = stage.car.mark
    looks = []
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        looks.append(stage.car("play_status"))
        time.sleep(0.5)
    seeks = fake_seeks(stage, mark)
    time.sleep(1.5)
    errors = dash_errors(stage, looks, rate)
    report.check(
        errors and max(errors) <= 1 and len(errors) >= len(looks) // 2, f"the dash is within 1 s of what is heard at {rate:g}x",
        f"largest {max(errors):.2f} s, median {quantile(errors, 0.5):.2f} s, {len(errors)} of {len(looks)} looks, "
        f"{seeks} seeks announced in {seconds:.0f} s" if errors else "nothing recognised")
    return errors


def dash_errors(stage, looks, rate=1.0):
    if not looks:
        return []
    sound = stage.heard.between(looks[0]["asked"] - 2, looks[-1]["answered"] + 2)
    errors = []
    for look in looks:
        moment = (look["asked"] + look["answered"]) / 2
        place = sound.place(moment, rate)
        if place is not None:
            errors.append(abs(look["position"] / 1000 - place[1]))
    return errors


def fake_seeks(stage, mark):
    told = stage.car.since(mark, "notification", event="PLAYBACK_STATUS_CHANGED", type="changed")
    return sum(event["play_status"] in FAKE_SEEKS for event in told)


def loses_car(stage, report, what, lose, away, come_back=None, returns_within=30):
    """While it plays: the car goes, `lose`, and comes back by itself or by `come_back` after `away` seconds."""
    began = time.monotonic()
    before = stage.service.position(stage.service.state, began)
    lose()
    stopped = stage.service.wait(lambda state: state["phase"] != "playing", 10, stage.mark_before(began))
    report.check(stopped, f"{what}: it pauses by itself", f"after {milliseconds(_after(stopped, began))}")
    place = stage.service.state["position"]
    report.check(
        place is not None and abs(place - (before + (stopped or began) - began)) <= 1.5, f"{what}: the place is kept",
        f"{place:.1f} s, it was at {before:.1f} s")
    if come_back:
        time.sleep(away)
        came = time.monotonic()
        come_back()
    else:
        came = began
    playing = stage.service.wait(lambda state: state["phase"] == "playing", returns_within, stage.mark_before(stopped or began))
    took = _after(playing, came)
    report.check(playing, f"{what}: it goes on by itself", f"after {milliseconds(took)}")
    time.sleep(3)
    now = time.monotonic()
    sound = stage.heard.between(came, now)
    first = sound.first_sound(max(came, (stopped or came) + 0.5), now)
    there = sound.place(now - 1.5)
    heard = there and abs(there[1] - place - (now - 1.5 - (playing or now))) <= 4
    report.check(heard, f"{what}: heard again where it was", f"{placed(there)}, first sound after {milliseconds(_after(first, came))}")
    for microphone in stage.microphones:
        audible = microphone.audible(began)
        if microphone.sink == "silence":
            report.say(f"        (in the sink that nobody hears: {audible:.2f} s)")
        else:
            report.check(audible == 0, f"{what}: nothing is heard at {microphone.sink}", f"{audible:.2f} s")


def mend_wheel(stage, report, patience=8):
    """Waits for AVRCP; BlueZ alone brings back the sound only. Returns the seconds it took, None if it was we who did it."""
    back, took = wait(lambda: stage.car("state")["avrcp"], patience)
    if back:
        return took
    stage.bluez.on(stage.bluez.path(stage.car.address), "org.bluez.Device1").ConnectProfile(box.AVRCP_TARGET, timeout=20)
    wait(lambda: stage.car("state")["avrcp"], 8)
    return None
