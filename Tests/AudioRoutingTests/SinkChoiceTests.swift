import PulseAudio
import Testing

@testable import AudioRouting

@Suite("Which sink is the car's", .timeLimit(.minutes(1)))
struct SinkChoiceTests {
    // swift-format-ignore: NeverForceUnwrap
    private let address = BluetoothAddress("AA:BB:CC:DD:EE:FF")!

    private func found(_ name: String, _ properties: [String: String] = [:]) -> Bool {
        SinkChoice.sink(of: address, in: [Sink(index: 3, name: name, properties: properties)]) != nil
    }

    @Test("AV-36 by name on PulseAudio and on PipeWire, old and new spelling")
    func names() {
        #expect(found("bluez_sink.AA_BB_CC_DD_EE_FF.a2dp_sink"))
        #expect(found("bluez_output.AA_BB_CC_DD_EE_FF.1"))
        #expect(found("bluez_output.AA:BB:CC:DD:EE:FF"))
        #expect(found("bluez_output.aa_bb_cc_dd_ee_ff.a2dp-sink"))
        #expect(!found("bluez_sink.AA_BB_CC_DD_EE_00.a2dp_sink"))
        #expect(!found("alsa_output.pci-0000_00_1f.3.analog-stereo"))
    }

    @Test("by properties when the name tells nothing")
    func properties() {
        #expect(found("car", ["device.string": "aa:bb:cc:dd:ee:ff", "device.bus": "bluetooth"]))
        #expect(found("car", ["api.bluez5.address": "AA:BB:CC:DD:EE:FF", "api.bluez5.profile": "a2dp-sink"]))
        #expect(!found("car", ["device.string": "AA:BB:CC:DD:EE:FF"]))
        #expect(!found("car", ["device.string": "hw:0", "device.bus": "bluetooth"]))
    }

    @Test("AV-36 the car's call channel is no sink for an episode")
    func headset() {
        #expect(!found("bluez_sink.AA_BB_CC_DD_EE_FF.handsfree_head_unit"))
        #expect(!found("bluez_sink.AA_BB_CC_DD_EE_FF.headset_head_unit"))
        #expect(!found("bluez_output.AA_BB_CC_DD_EE_FF.1", ["api.bluez5.profile": "headset-head-unit"]))
        #expect(!found("bluez_sink.AA_BB_CC_DD_EE_FF", ["bluetooth.protocol": "handsfree_head_unit"]))
    }

    @Test("of two sinks of one car the newest")
    func newest() {
        let old = Sink(index: 3, name: "bluez_sink.AA_BB_CC_DD_EE_FF.a2dp_sink")
        let new = Sink(index: 5, name: "bluez_sink.AA_BB_CC_DD_EE_FF.a2dp_sink.2")
        #expect(SinkChoice.sink(of: address, in: [new, old]) == new)
    }

    @Test("an address is one in any spelling, and nothing else is")
    func spelling() {
        #expect(BluetoothAddress("aa_bb_cc_dd_ee_ff") == address)
        #expect(BluetoothAddress("AA-BB-CC-DD-EE-FF") == address)
        for wrong in ["", "AA:BB:CC:DD:EE", "AA:BB:CC:DD:EE:FG", "AA:BB:CC:DD:EE:FF:", "AAA:BB:CC:DD:EE:F"] {
            #expect(BluetoothAddress(wrong) == nil)
        }
    }
}
