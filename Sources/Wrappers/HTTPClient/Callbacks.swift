import CCurl
import Glibc

extension EasyHandle {
    /// Makes libcurl call `exchange`. Lifetime: unretained; the loop holds the exchange while its handle is in use.
    func install(_ exchange: Exchange) {
        let context = Unmanaged.passUnretained(exchange).toOpaque()
        _ = ccurl_set_data(pointer, CURLOPT_HEADERFUNCTION, takeHeader)
        set(CURLOPT_HEADERDATA, pointer: context)
        _ = ccurl_set_data(pointer, CURLOPT_WRITEFUNCTION, takeBody)
        set(CURLOPT_WRITEDATA, pointer: context)
        _ = ccurl_set_opensocket(pointer, openSocket)
        set(CURLOPT_OPENSOCKETDATA, pointer: context)
        _ = ccurl_set_prereq(pointer, beforeRequest)
        set(CURLOPT_PREREQDATA, pointer: context)
    }
}

private func exchange(_ context: UnsafeMutableRawPointer?) -> Exchange? {
    context.map { Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
}

/// CURLOPT_HEADERFUNCTION(3): one whole line, with its line end; any other count than `size` ends the transfer.
private func takeHeader(_ data: UnsafeMutablePointer<CChar>?, _ one: Int, _ count: Int, _ context: UnsafeMutableRawPointer?)
    -> Int
{
    guard let data, let exchange = exchange(context) else { return 0 }
    let bytes = UnsafeRawBufferPointer(start: data, count: one * count)
    let line = String(decoding: bytes.prefix { $0 != 13 && $0 != 10 }, as: UTF8.self)
    return exchange.took(headerLine: line) ? one * count : 0
}

/// CURLOPT_WRITEFUNCTION(3).
private func takeBody(_ data: UnsafeMutablePointer<CChar>?, _ one: Int, _ count: Int, _ context: UnsafeMutableRawPointer?)
    -> Int
{
    guard let exchange = exchange(context) else { return 0 }
    let bytes = UnsafeRawBufferPointer(start: data, count: one * count)
    switch exchange.took(body: bytes) {
    case .taken: return one * count
    case .later: return Int(CURL_WRITEFUNC_PAUSE)
    case .endHop: return 0
    }
}

/// CURLOPT_OPENSOCKETFUNCTION(3).
private func openSocket(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    let refused: curl_socket_t = -1
    guard let address, let exchange = exchange(context), exchange.mayOpen(address: text(of: address)) else { return refused }
    let at = address.pointee
    return socket(at.family, at.socktype | Int32(SOCK_CLOEXEC.rawValue), at.protocol)
}

/// CURLOPT_PREREQFUNCTION(3): called when the connection is there and nothing of the request has been sent.
private func beforeRequest(
    _ context: UnsafeMutableRawPointer?, _ remote: UnsafeMutablePointer<CChar>?, _ local: UnsafeMutablePointer<CChar>?,
    _ remotePort: Int32, _ localPort: Int32
) -> Int32 {
    guard let remote, let exchange = exchange(context) else { return CURL_PREREQFUNC_ABORT }
    return exchange.mayAsk(address: String(cString: remote)) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

private func text(of address: UnsafeMutablePointer<curl_sockaddr>) -> String {
    var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let code = getnameinfo(
        ccurl_address(address), address.pointee.addrlen, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST)
    guard code == 0 else { return "" }
    return name.withUnsafeBufferPointer { buffer in buffer.baseAddress.map { String(cString: $0) } ?? "" }
}
