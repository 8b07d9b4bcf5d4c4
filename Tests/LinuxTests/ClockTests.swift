import Foundation
import Linux
import Testing

@Suite("Clocks, chance and environment", .timeLimit(.minutes(1)))
struct ClockTests {
    @Test("the monotonic clock never goes back and counts nanoseconds of this boot")
    func monotonic() throws {
        let before = Clocks.monotonic()
        #expect(Clocks.monotonic() >= before)
        let uptime = Double(try String(contentsOfFile: "/proc/uptime", encoding: .utf8).split(separator: " ")[0])
        #expect(abs(Double(before) / 1e9 - (uptime ?? 0)) < 10)
    }

    @Test("the wall clock is the system's")
    func wall() { #expect(abs(Double(Clocks.wall()) / 1000 - Date().timeIntervalSince1970) < 5) }

    @Test("every day of the calendar there and back, and none that isn't there")
    func calendar() {
        for day in stride(from: Int64(0), through: 253_402_300_799_999, by: 86_400_000 * 97) {
            let moment = day + day % 86_399_999
            #expect(CalendarTime(milliseconds: moment).milliseconds == moment)
        }
        #expect(CalendarTime(milliseconds: 951_782_400_000) == CalendarTime(year: 2000, month: 2, day: 29))
        #expect(CalendarTime(year: 2100, month: 2, day: 29).milliseconds == nil)
        #expect(CalendarTime(year: 2026, month: 4, day: 31).milliseconds == nil)
        #expect(CalendarTime(year: 1969, month: 12, day: 31).milliseconds == nil)
        #expect(CalendarTime(milliseconds: -1).year == 1970)
        #expect(CalendarTime(milliseconds: .max).year == 9999)
        // A leap second is the first of the next minute.
        #expect(
            CalendarTime(year: 2016, month: 12, day: 31, hour: 23, minute: 59, second: 60).milliseconds == 1_483_228_800_000)
    }

    @Test("the boot's name is a UUID and stays")
    func boot() throws {
        let name = try Clocks.bootID()
        #expect(UUID(uuidString: name) != nil)
        #expect(try Clocks.bootID() == name)
    }

    @Test("random bytes have the length asked for and differ")
    func random() {
        #expect(RandomBytes.make(32).count == 32)
        #expect(RandomBytes.make(16) != RandomBytes.make(16))
        #expect(RandomBytes.hex(4).count == 8)
        #expect(RandomBytes.make(0).isEmpty)
    }

    @Test("an empty variable is none; a list of folders gives its first")
    func environment() {
        setenv("IPX_CAR_TEST_EMPTY", "", 1)
        setenv("IPX_CAR_TEST_LIST", "/var/lib/a:/var/lib/b", 1)
        #expect(Environment.value("IPX_CAR_TEST_EMPTY") == nil)
        #expect(Environment.folder("IPX_CAR_TEST_LIST") == "/var/lib/a")
        #expect(Environment.folder("IPX_CAR_TEST_NONE") == nil)
    }
}
