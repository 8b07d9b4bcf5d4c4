import Testing

@testable import DemoKit

@Suite("The dash in the terminal", .timeLimit(.minutes(1)))
struct DashPictureTests {
    private var playing: DashPicture {
        var display = CarDisplay()
        display.title = "The Lamp That Hummed"
        display.artist = "The Slow Lighthouse"
        display.album = "The Slow Lighthouse · 15 June"
        display.length = 200
        display.position = 100
        display.status = "Playing"
        display.hasPlayer = true
        var service = ServiceState(phase: "playing")
        service.volume = 40
        service.hasSink = true
        service.queued = 8
        service.chapters = [0: "Evening", 50: "The visitor", 150: "Morning"]
        return DashPicture(
            carName: "Demo Car", isConnected: true, display: display, service: service, isNetworkOn: true, level: 0.2)
    }

    @Test("shows what the car was told: title, show, chapter, times and a bar half full")
    func content() throws {
        let lines = playing.lines(width: 60)
        let text = lines.joined(separator: "\n")
        for word in ["Demo Car", "▶ playing", "The Lamp That Hummed", "The Slow Lighthouse", "The visitor", "1:40", "3:20"] {
            #expect(text.contains(word))
        }
        #expect(text.contains("network on · volume 40 · 8 queued"))
        let bar = try #require(lines.first { $0.contains("●") })
        let done = bar.count { $0 == "━" }
        let rest = bar.count { $0 == "─" }
        #expect(abs(done - rest) <= 1)
    }

    @Test("no line is wider than the terminal, and the frame is straight", arguments: [24, 40, 60, 72, 80, 200])
    func width(columns: Int) {
        var picture = playing
        picture.display.title = String(repeating: "long ", count: 40)
        let lines = picture.lines(width: columns)
        #expect(lines.allSatisfy { $0.count <= columns })
        let framed = lines.prefix { $0 != "" }
        #expect(Set(framed.map(\.count)).count == 1)
    }

    @Test("a title cannot move the cursor")
    func escape() {
        var picture = playing
        picture.display.title = "evil\u{1b}[2J\u{7}title\n"
        let text = picture.lines(width: 60).joined()
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 32 })
        #expect(text.contains("evil[2Jtitle"))
    }

    @Test("an absent car, a missing player and a service that is gone are told as that")
    func absent() {
        var picture = playing
        picture.isConnected = false
        #expect(picture.lines(width: 60).joined().contains("no car"))
        #expect(picture.lines(width: 60).joined().contains("c car returns"))
        #expect(!picture.lines(width: 60).joined().contains("The Lamp"))
        picture.isConnected = true
        picture.display = CarDisplay()
        #expect(picture.lines(width: 60).joined().contains("the car sees no player"))
        picture.service = nil
        #expect(picture.lines(width: 80).joined().contains("service not running"))
    }

    @Test("why it does not play, and no length, are said")
    func reasons() {
        var picture = playing
        picture.service?.phase = "paused"
        picture.service?.reason = "car-lost"
        picture.service?.hasSink = false
        picture.service?.message = "Sign in needed"
        picture.display.length = nil
        let text = picture.lines(width: 100).joined()
        #expect(text.contains("paused: car-lost"))
        #expect(text.contains("no audio"))
        #expect(text.contains("Sign in needed"))
        #expect(text.contains("--:--"))
    }

    @Test("the meter rises with the sound")
    func meter() {
        let bars = [0, 0.002, 0.02, 0.2, 0.9].map { level -> String in
            var picture = playing
            picture.level = level
            return picture.lines(width: 60)[1]
        }
        #expect(bars[0].contains("♪ ·"))
        #expect(bars[1].contains("▁"))
        #expect(bars[4].contains("█"))
        #expect(Set(bars).count == bars.count)
    }

    @Test("times are written as on a dash")
    func clocks() {
        #expect(clock(0) == "0:00")
        #expect(clock(62.9) == "1:02")
        #expect(clock(3723) == "1:02:03")
        #expect(clock(-5) == "0:00")
        #expect(clock(.infinity) == "0:00")
    }
}
