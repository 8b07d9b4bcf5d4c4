// swift-tools-version: 6.0
import PackageDescription

// Layers point strictly downward; scripts/check-layers holds the same table and fails on any other import.
// 0 C modules and the event loop · 1 wrappers · 2 domain · 3 adapters · 4 HeadUnit · 5 executables

func library(_ name: String, pkgConfig: String? = nil) -> Target {
    .systemLibrary(name: name, path: "Sources/C/\(name)", pkgConfig: pkgConfig)
}

func wrapper(_ name: String, _ c: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: c + ["EventLoop"], path: "Sources/Wrappers/\(name)")
}

func domain(_ name: String, _ below: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: below + ["EventLoop"], path: "Sources/Domain/\(name)")
}

func adapter(_ name: String, _ below: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: below + ["EventLoop", "Library", "Playback"], path: "Sources/Adapters/\(name)")
}

func tests(_ name: String, _ of: [Target.Dependency]) -> Target {
    .testTarget(name: "\(name)Tests", dependencies: of, path: "Tests/\(name)Tests")
}

let package = Package(
    name: "ipx-car",
    products: [
        .executable(name: "ipx-car", targets: ["ipx-car"])
    ],
    targets: [
        library("CDBus", pkgConfig: "dbus-1"),
        library("CMPV"),
        library("CPulse"),
        library("CSQLite"),
        library("CCurl"),
        library("CCrypto"),
        library("CSystemd"),
        library("CINI"),
        // Swift's floating point needs libm, which nothing else here would link.
        .target(name: "EventLoop", path: "Sources/EventLoop", linkerSettings: [.linkedLibrary("m")]),

        wrapper("DBus", ["CDBus"]),
        wrapper("MPV", ["CMPV"]),
        wrapper("PulseAudio", ["CPulse"]),
        wrapper("SQLite", ["CSQLite"]),
        wrapper("HTTPClient", ["CCurl"]),
        wrapper("Digest", ["CCrypto"]),
        wrapper("INIFile", ["CINI"]),
        wrapper("Linux", ["CSystemd"]),

        domain("Library"),
        domain("Playback", ["Library"]),
        domain("RemoteProtocol", ["Library", "Playback"]),
        domain("Links", ["Library"]),

        adapter("IpxAPI", ["HTTPClient", "Linux"]),
        adapter("Storage", ["SQLite", "Linux"]),
        adapter("Media", ["HTTPClient", "Digest", "Linux"]),
        adapter("Engine", ["MPV", "Linux"]),
        adapter("Car", ["DBus", "Linux", "Links"]),
        adapter("AudioRouting", ["PulseAudio"]),

        .target(
            name: "HeadUnit",
            dependencies: [
                "EventLoop", "DBus", "INIFile", "Linux", "HTTPClient", "Library", "Playback", "RemoteProtocol",
                "Links", "IpxAPI", "Storage", "Media", "Engine", "Car", "AudioRouting",
            ]),
        .executableTarget(
            name: "ipx-car",
            dependencies: ["HeadUnit", "DBus", "EventLoop", "Library", "Linux", "Playback", "RemoteProtocol"]),

        .target(name: "DemoKit", dependencies: ["EventLoop", "DBus", "Linux", "PulseAudio", "HTTPClient", "CPulse"]),
        // Side by side with players from Debian: `make bench`.
        .executableTarget(name: "ipx-car-bench", dependencies: ["DemoKit", "EventLoop", "DBus"]),
        .executableTarget(name: "ipx-car-demo", dependencies: ["DemoKit", "EventLoop", "Linux", "DBus"]),

        // Stand-ins for every port of the domain; one contract suite runs against each and the real one.
        .target(name: "PortFakes", dependencies: ["EventLoop", "Library", "Playback"], path: "Tests/PortFakes"),
        tests("DemoKit", ["DemoKit"]),
        tests("DBus", ["DBus", "DemoKit"]),
        tests("MPV", ["MPV", "CMPV"]),
        tests("PulseAudio", ["PulseAudio", "DemoKit"]),
        tests("SQLite", ["SQLite"]),
        tests("HTTPClient", ["HTTPClient", "DemoKit"]),
        tests("INIFile", ["INIFile"]),
        tests("Linux", ["Linux", "Digest"]),
        tests("Library", ["Library"]),
        tests("Playback", ["Playback", "Library", "PortFakes"]),
        tests("Links", ["Links", "Library"]),
        tests("RemoteProtocol", ["RemoteProtocol", "Library", "Playback"]),
        tests("IpxAPI", ["IpxAPI", "DemoKit"]),
        tests("Storage", ["Storage", "Linux", "Library", "Playback", "PortFakes"]),
        tests("Media", ["Media", "DemoKit"]),
        tests("Engine", ["Engine", "DemoKit", "PortFakes"]),
        tests("Car", ["Car", "DBus", "DemoKit", "Library", "Links", "Linux", "Playback", "PortFakes"]),
        tests("AudioRouting", ["AudioRouting", "DemoKit", "PortFakes"]),
        tests("HeadUnit", ["HeadUnit", "DBus", "DemoKit", "Library", "Linux", "Playback", "PortFakes"]),
        // The built program against a stand-in for the running service.
        tests("CommandLine", ["ipx-car", "DBus", "DemoKit", "EventLoop", "Library", "Linux", "Playback", "RemoteProtocol"]),
        // The whole service from outside: bus, HTTP, files and captured sound.
        tests("Drive", ["DemoKit", "EventLoop", "DBus", "Linux"]),
    ]
)
