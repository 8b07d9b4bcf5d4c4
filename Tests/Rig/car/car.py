#!/usr/bin/python3
"""A car that shares no code with BlueZ: A2DP sink, AVRCP controller and volume target, made with Bumble.

Takes a JSON object a line on a Unix socket, {"cmd": NAME, …}, and answers {"ok": true, "result": …} or {"ok": false, "error": …}.
What happens by itself is a line of JSON on standard output, with `t`, seconds of CLOCK_MONOTONIC.
"""

import argparse
import asyncio
import json
import logging
import os
import sys
import time

from bumble import a2dp, avdtp, avrcp, core, hci
from bumble.device import Device, DeviceConfiguration
from bumble.pairing import PairingConfig
from bumble.transport import open_transport

from sink import Loudspeakers
from wheel import Wheel


def note(kind, **what):
    print(json.dumps({"t": round(time.monotonic(), 4), "kind": kind, **what}, default=str), flush=True)


class Car:
    def __init__(self, options):
        self.options = options
        self.connection = None
        self.speakers = Loudspeakers(options.record, note)
        self.wheel = Wheel(options.volume, note)

    async def start(self):
        self.transport = await open_transport(self.options.transport)
        configuration = DeviceConfiguration()
        configuration.name, configuration.class_of_device = self.options.name, 0x240420  # audio/video: car audio
        configuration.keystore = f"JsonKeyStore:{self.options.keys}"
        configuration.classic_enabled, configuration.le_enabled = True, False
        device = self.device = Device.from_config_with_hci(configuration, self.transport.source, self.transport.sink)
        controller = avrcp.ControllerServiceSdpRecord(
            0x10002, supported_features=avrcp.ControllerFeatures.CATEGORY_1)
        target = avrcp.TargetServiceSdpRecord(0x10003, supported_features=avrcp.TargetFeatures.CATEGORY_2)
        device.sdp_service_records = {
            0x10001: a2dp.make_audio_sink_service_sdp_records(0x10001),
            0x10002: controller.to_service_attributes(),
            0x10003: target.to_service_attributes(),
        }
        device.pairing_config_factory = lambda connection: PairingConfig(mitm=False)
        device.on("connection", self._connected)
        self.listener = avdtp.Listener.for_device(device)
        self.listener.on("connection", self.speakers.attach)
        self.wheel.protocol.listen(device)
        await device.power_on()
        await self.c_visible(True)
        note("ready", address=str(device.public_address).split("/")[0])

    def _connected(self, connection):
        self.connection = connection
        # The emulated radio keeps each side's abilities after a pairing and leaves their exchange out in the next one; Bumble
        # then refuses to confirm. These are the true ones.
        if getattr(connection, "pairing_peer_io_capability", None) is None:
            connection.pairing_peer_io_capability = hci.IoCapability.NO_INPUT_NO_OUTPUT
            connection.pairing_peer_authentication_requirements = (
                hci.AuthenticationRequirements.MITM_NOT_REQUIRED_GENERAL_BONDING)
        note("connected", peer=str(connection.peer_address))
        connection.on("disconnection", self._disconnected)

    def _disconnected(self, reason):
        self.connection = None
        self.speakers.detach()
        note("disconnected", reason=int(reason))

    async def c_connect(self, address, profiles=("a2dp", "avrcp")):
        """What a car does when its ignition comes on. Returns the seconds that each step was done after."""
        began, steps = time.monotonic(), {}

        def done(name):
            steps[name] = round(time.monotonic() - began, 3)

        connection = self.connection or await self.device.connect(address, transport=core.PhysicalTransport.BR_EDR)
        done("link")
        await connection.authenticate()
        await connection.encrypt()
        done("encrypted")
        if "a2dp" in profiles and self.speakers.protocol is None:
            protocol = await avdtp.Protocol.connect(connection)
            self.listener.set_server(connection, protocol)
            protocol.l2cap_channel.on("close", lambda: self.listener.remove_server(connection))
            self.speakers.attach(protocol)
            await self.speakers.open_stream()
            done("stream")
        if "avrcp" in profiles and not self.wheel.is_open:
            await self.wheel.protocol.connect(connection)
            done("avrcp")
        return steps

    async def c_disconnect(self, reason=0x13):
        """0x13: someone ended it; 0x08: to the box it is a lost link (the emulated radio passes the reason on)."""
        if self.connection:
            await self.connection.disconnect(hci.HCI_ErrorCode(reason))

    async def c_visible(self, on):
        """False: answers neither pages nor inquiries, as out of reach or with the ignition off."""
        await self.device.set_connectable(on)
        await self.device.set_discoverable(on)

    async def c_forget(self):
        if self.device.keystore:
            await self.device.keystore.delete_all()

    async def c_state(self):
        return {
            "connected": self.connection is not None, "stream": self.speakers.state, "avrcp": self.wheel.is_open,
            "packets": self.speakers.packets, "lost": self.speakers.lost, "volume": self.wheel.knob.volume,
        }

    async def c_key(self, **what):
        return await self.wheel.key(**what)

    async def c_text(self):
        return await self.wheel.text()

    async def c_play_status(self):
        """With `asked` and `answered`, CLOCK_MONOTONIC."""
        asked = time.monotonic()
        return {**await self.wheel.play_status(), "asked": asked, "answered": time.monotonic()}

    async def c_supported_events(self):
        return await self.wheel.events()

    async def c_watch(self, event):
        await self.wheel.watch(event)

    async def c_settings(self):
        return await self.wheel.settings()

    async def c_turn_knob(self, volume):
        return self.wheel.turn_knob(volume)

    async def serve(self, reader, writer):
        while line := await reader.readline():
            message = json.loads(line)
            try:
                command = getattr(self, "c_" + message.pop("cmd"))
                answer = {"ok": True, "result": await asyncio.wait_for(command(**message), 20)}
            except Exception as error:
                answer = {"ok": False, "error": repr(error)}
            writer.write(json.dumps(answer, default=str).encode() + b"\n")
            await writer.drain()


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--transport", default="unix-client:/tmp/bt-server-bredrle")
    parser.add_argument("--socket", default="/run/car.socket")
    parser.add_argument("--keys", default="/run/car-keys.json")
    parser.add_argument("--name", default="Rig Car")
    parser.add_argument("--record", required=True)
    parser.add_argument("--volume", type=int, default=64)
    options = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    car = Car(options)
    await car.start()
    if os.path.exists(options.socket):
        os.unlink(options.socket)
    server = await asyncio.start_unix_server(car.serve, options.socket)
    note("listening")
    async with server:
        await server.serve_forever()


asyncio.run(main())
