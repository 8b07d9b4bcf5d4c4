"""What was heard: the car's recording decoded, its level, and the place in the episode that its tones name."""

import os
import struct
import subprocess

import numpy as np

# -60 dB of full scale: below it nobody hears anything.
AUDIBLE = 0.001
# A car that got more than this ahead of its clock would throw it away; seconds.
BUFFER = 0.3
# Seconds of sound that are looked at for a level, and for the tones.
STEP = 0.02
PIECE = 0.12
# Looks at the tones are this far apart; seconds.
GRID = 0.1
# The tones of DemoKit's ToneCode: which episode, and two for the half second in it.
SLOT = 0.5
EPISODES = 400 + 40 * np.arange(12)
COARSE = 1_000 + 40 * np.arange(40)
FINE = 3_000 + 40 * np.arange(60)


class Sound:
    """Samples in pieces, each with the moment (CLOCK_MONOTONIC) at which its first one was heard."""

    def __init__(self, times=(), starts=(), samples=(), rate=14_700):
        self.times, self.starts = np.asarray(times), np.asarray(starts)
        self.samples, self.rate = np.asarray(samples, dtype=np.float32), rate
        length = int(PIECE * rate)
        window = np.hanning(length)
        self._waves = [
            (np.exp(-2j * np.pi * np.outer(tones, np.arange(length)) / rate) * window).astype(np.complex64)
            for tones in (EPISODES, COARSE, FINE)
        ]
        self._read = {}

    def index(self, moment):
        """The first sample heard at or after `moment`."""
        if len(self.times) == 0 or moment <= self.times[0]:
            return 0
        piece = int(np.searchsorted(self.times, moment, side="right")) - 1
        end = self.starts[piece + 1] if piece + 1 < len(self.starts) else len(self.samples)
        return min(int(end), int(self.starts[piece] + (moment - self.times[piece]) * self.rate))

    def levels(self, begin, end):
        """RMS per step, 0…1; where nothing came at all it is 0."""
        found = []
        for left in np.arange(begin, end, STEP):
            piece = self.samples[self.index(left):self.index(left + STEP)]
            found.append((float(left), float(np.sqrt(np.mean(np.square(piece)))) if len(piece) else 0.0))
        return found

    def first_sound(self, begin, end):
        return next((moment for moment, level in self.levels(begin, end) if level > AUDIBLE), None)

    def silence(self, begin, end, lasting=0.3):
        """When the silence began that then lasts so long; None when there is none."""
        since = None
        for moment, level in self.levels(begin, end):
            if level > AUDIBLE:
                since = None
            elif since is None:
                since = moment
            if since is not None and moment + STEP - since >= lasting:
                return since
        return None

    def seconds(self, begin, end):
        """How much of it was audible."""
        return STEP * sum(level > AUDIBLE for _, level in self.levels(begin, end))

    def reading(self, look):
        """(episode, seconds in it) of the half second that sounds at `look` times GRID; None for silence, a change, other sound."""
        if look not in self._read:
            self._read[look] = self._reading(look * GRID)
        return self._read[look]

    def _reading(self, moment):
        begin = self.index(moment - PIECE / 2)
        piece = self.samples[begin:begin + int(PIECE * self.rate)]
        # Shorter: it is the end. No further: nothing came for a while.
        if len(piece) < int(PIECE * self.rate) or self.index(moment + PIECE / 2) <= begin:
            return None
        if np.sqrt(np.mean(np.square(piece))) < AUDIBLE:
            return None
        parts = [_strongest(waves @ piece) for waves in self._waves]
        if None in parts:
            return None
        return parts[0], (parts[1] * len(FINE) + parts[2]) * SLOT

    def place(self, moment, rate=1.0):
        """(episode, seconds, uncertainty) heard at `moment`, from the half seconds around it while it plays on at `rate`."""
        # The nearer ones alone, where the machine faltered within the wider span.
        return self._place(moment, rate, 1.2) or self._place(moment, rate, 0.6)

    def _place(self, moment, rate, reach):
        low, high, episode = -np.inf, np.inf, None
        for look in range(int((moment - reach) / GRID), int((moment + reach) / GRID) + 1):
            found = self.reading(look)
            if found is None:
                continue
            if episode not in (None, found[0]):
                return None
            episode = found[0]
            # The piece may reach into the neighbour by half its length.
            begin = found[1] - rate * (look * GRID - moment)
            low, high = max(low, begin - 0.03), min(high, begin + SLOT + 0.03)
        if episode is None or not -0.1 < high - low < SLOT + 0.1:
            return None
        return episode, float(low + high) / 2, abs(float(high - low)) / 2

    def first_near(self, begin, end, place):
        """When it was first at what `place(moment)` says it should be, within a second."""
        for look in range(int(begin / GRID) + 1, int(end / GRID)):
            found = self.reading(look)
            if found and abs(found[1] - place(look * GRID)) < 1:
                return look * GRID
        return None


def _strongest(sums):
    strength = np.abs(sums)
    first, second = np.sort(strength)[-1:-3:-1]
    return int(np.argmax(strength)) if first > 2 * second else None


class CarSound:
    """The car's recording, in which any span can be listened to."""

    record = struct.Struct("<dQI")

    def __init__(self, path):
        self.path = path

    def between(self, begin, end):
        size = os.path.getsize(self.path + ".times")
        with open(self.path + ".times", "rb") as file:
            rows = list(self.record.iter_unpack(file.read(size // self.record.size * self.record.size)))
        rows = [row for row in rows if begin - BUFFER <= row[0] <= end]
        if len(rows) < 2:
            return Sound()
        # The end of the last packet is not known: it is left out.
        last = rows.pop()
        with open(self.path, "rb") as file:
            file.seek(rows[0][1])
            stream = file.read(last[1] - rows[0][1])
        rate, frame = _format(stream)
        frames = np.concatenate([[0], np.cumsum([row[2] for row in rows])[:-1]])
        heard = _played([row[0] for row in rows], [row[2] * frame / rate for row in rows])
        return Sound(heard, frames * frame / 3, _decoded(stream), rate / 3)


def _played(came, lasting):
    """When a car plays what came: at once, or when what came before it has been played."""
    heard, free = [], 0.0
    for moment, seconds in zip(came, lasting):
        begin = max(moment, free) if free - moment < BUFFER else moment
        heard.append(begin)
        free = begin + seconds
    return heard


def _format(stream):
    """Samples a second and in a frame, by the first frame's header (A2DP 1.3.2, 12.9)."""
    header = stream[1]
    rate = (16_000, 32_000, 44_100, 48_000)[header >> 6]
    return rate, (4, 8, 12, 16)[header >> 4 & 3] * (8 if header & 1 else 4)


def _decoded(stream):
    """Mono samples, -1…1, a third as many: enough for the highest tone, and little to reckon with."""
    with open("/run/heard.sbc", "wb") as file:
        file.write(stream)
    subprocess.run(["sbcdec", "-f", "/run/heard.au", "/run/heard.sbc"], check=True, stdout=subprocess.DEVNULL)
    with open("/run/heard.au", "rb") as file:
        # The header's second word is its length, its sixth the number of channels (the format of NeXT and Sun).
        head = struct.unpack(">6I", file.read(24))
        file.seek(head[1])
        sound = np.frombuffer(file.read(), dtype=">i2").astype(np.float32) / 32_768
    mono = sound.reshape(-1, head[5]).mean(axis=1)
    return mono[:len(mono) // 3 * 3].reshape(-1, 3).mean(axis=1)
