import CMPV
import Dispatch
import Glibc

/// libmpv, opened when it is asked for and not before: it pulls in over two hundred libraries (about 100 ms), and the
/// service must be on the bus first. Never closed again.
public final class MPVLibrary: @unchecked Sendable {
    typealias Handle = OpaquePointer
    typealias Text = UnsafePointer<CChar>

    let create: @convention(c) () -> Handle?
    let initialize: @convention(c) (Handle?) -> Int32
    let terminateDestroy: @convention(c) (Handle?) -> Void
    let setOptionString: @convention(c) (Handle?, Text?, Text?) -> Int32
    let commandAsync: @convention(c) (Handle?, UInt64, UnsafeMutablePointer<Text?>?) -> Int32
    let setPropertyAsync: @convention(c) (Handle?, UInt64, Text?, mpv_format, UnsafeMutableRawPointer?) -> Int32
    let getPropertyAsync: @convention(c) (Handle?, UInt64, Text?, mpv_format) -> Int32
    let observeProperty: @convention(c) (Handle?, UInt64, Text?, mpv_format) -> Int32
    let waitEvent: @convention(c) (Handle?, Double) -> UnsafeMutablePointer<mpv_event>?
    let setWakeupCallback:
        @convention(c) (Handle?, (@convention(c) (UnsafeMutableRawPointer?) -> Void)?, UnsafeMutableRawPointer?) -> Void
    let addStream: @convention(c) (Handle?, Text?, UnsafeMutableRawPointer?, mpv_stream_cb_open_ro_fn?) -> Int32
    let requestLog: @convention(c) (Handle?, Text?) -> Int32
    let errorString: @convention(c) (Int32) -> Text?
    /// `MPV_CLIENT_API_VERSION` of the library that was found: major in the upper, minor in the lower 16 bits.
    public let version: UInt

    /// Opens it on the calling thread; slow, so call it off the core.
    public init() throws(MPVError) {
        guard let library = dlopen("libmpv.so.2", RTLD_LAZY | RTLD_LOCAL) else {
            throw .missing("libmpv.so.2 can't be opened: \(dlerror().map { String(cString: $0) } ?? "unknown cause")")
        }
        func symbol<T>(_ name: String, as type: T.Type) throws(MPVError) -> T {
            guard let found = dlsym(library, name) else { throw .missing("libmpv lacks \(name)") }
            return unsafeBitCast(found, to: type)
        }
        create = try symbol("mpv_create", as: type(of: create))
        initialize = try symbol("mpv_initialize", as: type(of: initialize))
        terminateDestroy = try symbol("mpv_terminate_destroy", as: type(of: terminateDestroy))
        setOptionString = try symbol("mpv_set_option_string", as: type(of: setOptionString))
        commandAsync = try symbol("mpv_command_async", as: type(of: commandAsync))
        setPropertyAsync = try symbol("mpv_set_property_async", as: type(of: setPropertyAsync))
        getPropertyAsync = try symbol("mpv_get_property_async", as: type(of: getPropertyAsync))
        observeProperty = try symbol("mpv_observe_property", as: type(of: observeProperty))
        waitEvent = try symbol("mpv_wait_event", as: type(of: waitEvent))
        setWakeupCallback = try symbol("mpv_set_wakeup_callback", as: type(of: setWakeupCallback))
        addStream = try symbol("mpv_stream_cb_add_ro", as: type(of: addStream))
        requestLog = try symbol("mpv_request_log_messages", as: type(of: requestLog))
        errorString = try symbol("mpv_error_string", as: type(of: errorString))
        typealias Version = @convention(c) () -> UInt
        version = try symbol("mpv_client_api_version", as: Version.self)()
    }

    /// Opens it on a thread of the pool; `done` is called there. Opening it again costs nothing.
    public static func load(_ done: @escaping @Sendable (Result<MPVLibrary, MPVError>) -> Void) {
        DispatchQueue.global(qos: .userInitiated).async {
            done(Result { () throws(MPVError) in try MPVLibrary() })
        }
    }

    func check(_ code: Int32) throws(MPVError) {
        guard code < 0 else { return }
        throw error(code)
    }

    func error(_ code: Int32) -> MPVError {
        MPVError(code: code, description: errorString(code).map { String(cString: $0) } ?? "mpv error \(code)")
    }
}
