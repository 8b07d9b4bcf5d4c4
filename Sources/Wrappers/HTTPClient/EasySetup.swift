import CCurl
import Glibc

/// What is the same for every hop of every request.
struct EasySetup: Sendable {
    let configuration: HTTPClient.Configuration
    let scope: @Sendable (String) -> AddressScope

    /// With a proxy the socket's address is the proxy's, so the name in the URL is all there is to judge.
    func scope(ofHost host: String) -> AddressScope {
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        if name == "localhost" || name.hasSuffix(".localhost") || name.hasSuffix(".local") { return .ownNetwork }
        let isAddress = name.contains(":") || name.allSatisfy { $0.isNumber || $0 == "." }
        return isAddress ? scope(name) : .publicNetwork
    }

    /// Options in libcurl's own names: curl_easy_setopt(3).
    func apply(to easy: EasyHandle) {
        easy.set(CURLOPT_NOSIGNAL, 1)
        easy.set(CURLOPT_FOLLOWLOCATION, 0)
        easy.set(CURLOPT_PROTOCOLS_STR, "http,https")
        easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        easy.set(CURLOPT_USERAGENT, configuration.userAgent)
        // Asks for identity, and unpacks what comes packed all the same (NET-13); libcurl checks the packed length.
        easy.set(CURLOPT_ACCEPT_ENCODING, "identity")
        easy.set(CURLOPT_TCP_KEEPALIVE, 1)
        easy.set(CURLOPT_TCP_KEEPIDLE, 30)
        easy.set(CURLOPT_TCP_KEEPINTVL, 10)
        easy.set(CURLOPT_BUFFERSIZE, 65536)
        // A name that is being looked up must not hold the whole thread when its transfer is given up.
        easy.set(CURLOPT_QUICK_EXIT, 1)
        easy.set(CURLOPT_SSL_VERIFYPEER, 1)
        easy.set(CURLOPT_SSL_VERIFYHOST, 2)
        easy.set(CURLOPT_CAPATH, "/etc/ssl/certs")
        if let caFile = configuration.caFile { easy.set(CURLOPT_CAINFO, caFile) }
        // Empty, not unset: unset means the environment's.
        easy.set(CURLOPT_PROXY, configuration.proxy ?? "")
        easy.set(CURLOPT_NOPROXY, "")
        easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    }
}
