import Glibc

/// The sound server of the machine the demo runs on, if there is one: the demo's own plays through it as one more application.
enum MachineSound {
    /// Its address, or nil: no sound of the machine. Only looked for, never started.
    static func find(_ environment: [String: String] = ChildProcess.environment) -> String? {
        if let server = environment["PULSE_SERVER"], !server.isEmpty { return server }
        let runtime = environment["PULSE_RUNTIME_PATH"].map { "\($0)/native" }
        let session = "\(environment["XDG_RUNTIME_DIR"] ?? "/run/user/\(getuid())")/pulse/native"
        return [runtime, session].compactMap { $0 }.first { access($0, R_OK | W_OK) == 0 }.map { "unix:\($0)" }
    }
}
