"""The car's loudspeakers: an A2DP sink for SBC that writes down what arrives, and when."""

import struct
import time

from bumble import a2dp, avdtp

SBC = a2dp.SbcMediaCodecInformation


def _capabilities():
    """Everything that SBC can be."""
    return avdtp.MediaCodecCapabilities(
        media_type=avdtp.AVDTP_AUDIO_MEDIA_TYPE, media_codec_type=a2dp.A2DP_SBC_CODEC_TYPE,
        media_codec_information=SBC(
            sampling_frequency=SBC.SamplingFrequency.SF_44100 | SBC.SamplingFrequency.SF_48000,
            channel_mode=SBC.ChannelMode.MONO | SBC.ChannelMode.DUAL_CHANNEL | SBC.ChannelMode.STEREO
            | SBC.ChannelMode.JOINT_STEREO,
            block_length=SBC.BlockLength.BL_4 | SBC.BlockLength.BL_8 | SBC.BlockLength.BL_12 | SBC.BlockLength.BL_16,
            subbands=SBC.Subbands.S_4 | SBC.Subbands.S_8,
            allocation_method=SBC.AllocationMethod.LOUDNESS | SBC.AllocationMethod.SNR,
            minimum_bitpool_value=2, maximum_bitpool_value=53))


def _choice():
    """What this car asks for when it opens the stream itself; most do."""
    return [
        avdtp.ServiceCapabilities(avdtp.AVDTP_MEDIA_TRANSPORT_SERVICE_CATEGORY),
        avdtp.MediaCodecCapabilities(
            avdtp.AVDTP_AUDIO_MEDIA_TYPE, a2dp.A2DP_SBC_CODEC_TYPE,
            SBC(SBC.SamplingFrequency.SF_44100, SBC.ChannelMode.JOINT_STEREO, SBC.BlockLength.BL_16, SBC.Subbands.S_8,
                SBC.AllocationMethod.LOUDNESS, 2, 53)),
    ]


class Loudspeakers:
    """`record`: the file that gets the SBC frames; `record`.times gets, per packet, when it came (seconds of
    CLOCK_MONOTONIC, double), the offset in the file (unsigned 64 bits) and the number of frames (unsigned 32 bits)."""

    def __init__(self, record, note):
        self.note = note
        self.state = "none"
        self.protocol = self.endpoint = None
        self.packets = self.lost = self.offset = 0
        self._sequence = None
        self._sound = open(record, "wb", buffering=0)
        self._times = open(record + ".times", "wb", buffering=0)

    def attach(self, protocol):
        self.protocol, self._sequence = protocol, None
        self.note("avdtp_open")
        protocol.on("close", lambda: self.note("avdtp_close"))
        self.endpoint = protocol.add_sink(_capabilities())
        for event, state in (
            ("configuration", "configured"), ("open", "open"), ("start", "streaming"), ("suspend", "suspended"),
            ("stop", "stopped"), ("close", "closed"), ("abort", "aborted"), ("rtp_channel_close", "closed"),
        ):
            self.endpoint.on(event, lambda *_, state=state: self._became(state))
        self.endpoint.on("rtp_packet", self._heard)

    def detach(self):
        self.protocol = self.endpoint = None
        self._became("none")

    def _became(self, state):
        self.state = state
        self.note("stream", state=state)

    async def open_stream(self):
        """As initiator: the box's first free SBC source, configured and opened."""
        sources = [
            endpoint for endpoint in await self.protocol.discover_remote_endpoints()
            if endpoint.tsep == avdtp.AVDTP_TSEP_SRC and not endpoint.in_use
            and any(getattr(c, "media_codec_type", None) == a2dp.A2DP_SBC_CODEC_TYPE for c in endpoint.capabilities)
        ]
        self.endpoint.configuration = _choice()
        stream = await self.protocol.create_stream(self.endpoint, sources[0])
        await stream.open()
        # As initiator Bumble does not join the media channel to the sink by itself.
        stream.rtp_channel.sink = self.endpoint.on_avdtp_packet
        stream.rtp_channel.on("close", stream.on_l2cap_channel_close)
        self._became("open")

    def _heard(self, packet):
        now = time.monotonic()
        if self._sequence is not None:
            self.lost += (packet.sequence_number - self._sequence - 1) & 0xFFFF
        self._sequence = packet.sequence_number
        self.packets += 1
        # A2DP 1.3.2, 4.3.4: one byte of header, its lower half the number of frames.
        frames = packet.payload[1:]
        self._sound.write(frames)
        self._times.write(struct.pack("<dQI", now, self.offset, packet.payload[0] & 0x0F))
        self.offset += len(frames)
