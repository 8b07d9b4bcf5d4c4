"""The car's wheel and dash: an AVRCP controller (keys, questions, notifications) and a target for absolute volume."""

import asyncio
import dataclasses
import struct

from bumble import avc, avrcp

Op = avc.PassThroughFrame.OperationId
Attribute = avrcp.MediaAttributeId
Event = avrcp.EventId
Command = avc.CommandFrame.CommandType
Response = avc.ResponseFrame.ResponseCode


def _event(name, event_id):
    """An event without parameters that Bumble 0.0.236 names but cannot read."""
    return avrcp.Event.event(dataclasses.dataclass(type(name, (avrcp.Event,), {"event_id": event_id})))


_event("TrackReachedEndEvent", Event.TRACK_REACHED_END)
_event("TrackReachedStartEvent", Event.TRACK_REACHED_START)


class Protocol(avrcp.Protocol):
    """Bumble's, and what it lacks: the rest of a fragmented answer is asked for, and commands under way end with the channel."""

    def _on_avctp_response(self, transaction_label, payload):
        super()._on_avctp_response(transaction_label, payload)
        frame = avc.ResponseFrame.from_bytes(payload) if payload else None
        if not isinstance(frame, avc.VendorDependentResponseFrame):
            return
        pdu = frame.vendor_dependent_data
        if pdu[1] & 3 not in (self.PacketType.START, self.PacketType.CONTINUE):
            return
        # AVRCP 1.6.2, 6.8.1: RequestContinuingResponse with the id of the answer that is to go on.
        more = avc.VendorDependentCommandFrame(
            Command.CONTROL, avc.Frame.SubunitType.PANEL, 0, avrcp.AVRCP_BLUETOOTH_SIG_COMPANY_ID,
            struct.pack(">BBHB", 0x40, 0, 1, pdu[0]))
        self.send_command(transaction_label, more)

    def forget_commands(self):
        for pending in list(self.pending_commands.values()):
            if not pending.response.done():
                pending.response.set_exception(ConnectionError("AVRCP closed"))
                pending.response.exception()  # so that nobody complains of it
            self.recycle_pending_command(pending)
        self.notification_listeners.clear()
        self.receive_response_state = self.receive_command_state = None
        self.response_pdu_assembler.reset()
        self.command_pdu_assembler.reset()


class VolumeKnob(avrcp.Delegate):
    """What the box may set from afar: the volume, 0…127."""

    def __init__(self, volume, note):
        super().__init__(supported_events=[Event.VOLUME_CHANGED])
        self.volume, self.note = volume, note

    async def set_absolute_volume(self, volume):
        self.volume = volume
        self.note("set_absolute_volume", volume=volume)

    async def on_key_event(self, key, pressed, data):
        self.note("key_from_box", key=str(key), pressed=pressed)


class Wheel:
    """`note(kind, **what)` is told what happens by itself."""

    def __init__(self, volume, note):
        self.note = note
        self.knob = VolumeKnob(volume, note)
        self.protocol = Protocol(self.knob)
        self.watches = {}
        self.protocol.on("start", lambda: note("avrcp_open"))
        self.protocol.on("stop", self._stopped)

    @property
    def is_open(self):
        return self.protocol.avctp_protocol is not None

    def _stopped(self):
        self.note("avrcp_close")
        for task in self.watches.values():
            task.cancel()
        self.watches.clear()
        self.protocol.forget_commands()

    async def key(self, key, hold=0.05, press=True, release=True):
        """Presses for `hold` seconds; returns the box's answers."""
        answers = []
        if press:
            answers.append((await self.protocol.send_key_event(Op[key], True)).response.name)
        if press and release:
            await asyncio.sleep(hold)
        if release:
            answers.append((await self.protocol.send_key_event(Op[key], False)).response.name)
        return answers

    async def text(self):
        """What the dash shows, by attribute."""
        answer = await self.protocol.get_element_attributes(0, list(Attribute))
        return {a.attribute_id.name: a.attribute_value for a in answer}

    async def play_status(self):
        """Milliseconds."""
        status = await self.protocol.get_play_status()
        return {"length": status.song_length, "position": status.song_position, "status": status.play_status.name}

    async def events(self):
        return [event.name for event in await self.protocol.get_supported_events()]

    async def watch(self, event):
        """Asks for a notification, and again whenever it came.

        Never cancelled while the channel is open: a Bumble that cancels open notifications uses up its 16 labels.
        """
        if event not in self.watches or self.watches[event].done():
            self.watches[event] = asyncio.create_task(self._watch(event))

    async def _watch(self, event):
        try:
            while True:
                answer = await self.protocol.send_avrcp_command(
                    Command.NOTIFY, avrcp.RegisterNotificationCommand(Event[event], 1))
                if isinstance(answer, avrcp.Protocol.InterimResponse):
                    self._tell(event, "interim", answer.response)
                    answer = await answer.final
                if answer.response_code != Response.CHANGED:
                    self.note("refused", event=event, code=answer.response_code.name)
                    return
                self._tell(event, "changed", answer.response)
        except ConnectionError:
            pass  # the channel closed

    def _tell(self, event, kind, response):
        fields = {k: str(v) for k, v in vars(response.event).items() if not k.startswith("_")}
        self.note("notification", event=event, type=kind, **fields)

    async def settings(self):
        kinds = avrcp.ApplicationSetting.AttributeId
        offered = await self.protocol.list_supported_player_app_settings()
        return {kinds(k).name: [int(v) for v in values] for k, values in offered.items()}

    def turn_knob(self, volume):
        """0…127; tells whether the box was listening."""
        self.knob.volume = volume
        is_heard = Event.VOLUME_CHANGED in self.protocol.notification_listeners
        self.protocol.notify_volume_changed(volume)
        return is_heard
