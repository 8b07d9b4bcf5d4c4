import Car
import DBus
import DemoKit
import EventLoop
import Testing

@Suite("Which car it is", .timeLimit(.minutes(1)))
@Core
struct CarWatchTests {
    @Test("SYS-14 the car's coming and going is taken from BlueZ's own signals, once each")
    func comesAndGoes() async throws {
        let drive = try await Drive()
        try await drive.standIn.start()
        drive.blueZ.attach(to: drive.connection)
        try await drive.car.waits { $0.hasPlayer }
        #expect(drive.cars.isEmpty)
        drive.car.connect()
        #expect(await comesTrue { drive.blueZ.car?.address == "AA:BB:CC:DD:EE:FF" })
        drive.car.leave()
        #expect(await comesTrue { drive.blueZ.car == nil })
        #expect(drive.cars.count == 2)
        #expect(drive.log.filter { $0.contains("car") } == ["car connected: Demo Car", "car left"])
    }

    @Test("connected before we came: known from the first answer")
    func connectedBefore() async throws {
        let drive = try await Drive.underway()
        #expect(drive.cars == [ConnectedCar(address: "AA:BB:CC:DD:EE:FF", name: "Demo Car")])
    }

    @Test("the adapter is pulled out with the car connected: the car is gone")
    func adapterGone() async throws {
        let drive = try await Drive.underway()
        drive.standIn.removeAdapter("hci0")
        #expect(await comesTrue { drive.cars.last == .some(nil) })
    }

    @Test("nobody else can pretend to be BlueZ")
    func impostor() async throws {
        let drive = try await Drive.underway()
        let impostor = try await Connection.open(.address(drive.bus.address))
        let device: ObjectPath = "/org/bluez/hci0/dev_AA_BB_CC_DD_EE_FF"
        try impostor.emitPropertiesChanged(device, "org.bluez.Device1", [("Connected", .boolean(false))])
        let ping = MethodCall(drive.connection.uniqueName, "/", "org.freedesktop.DBus.Peer", "Ping")
        _ = try await impostor.call(ping, timeout: 5)
        #expect(drive.cars.count == 1)
    }
}
