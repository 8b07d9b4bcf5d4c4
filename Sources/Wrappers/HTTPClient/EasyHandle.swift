import CCurl
import Glibc

/// One hop's `CURL *` and everything that must live as long as it does. Confined to the loop's thread; freed when it is out of
/// the multi handle and dropped.
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private var jar: CookieJar?

    init?() {
        guard let pointer = curl_easy_init() else { return nil }
        self.pointer = pointer
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        _ = ccurl_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorText)
    }

    deinit {
        curl_easy_cleanup(pointer)
        curl_slist_free_all(headerList)
        errorText.deallocate()
    }

    func set(_ option: CURLoption, _ value: Int) {
        let code = ccurl_set_long(pointer, option, value)
        assert(code == CURLE_OK, "option \(option.rawValue): \(code.rawValue)")
    }

    func set(_ option: CURLoption, _ value: String?) {
        let code = ccurl_set_string(pointer, option, value)
        assert(code == CURLE_OK, "option \(option.rawValue): \(code.rawValue)")
    }

    func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer?) {
        _ = ccurl_set_pointer(pointer, option, value)
    }

    /// libcurl copies it.
    func setBody(_ body: [UInt8]) {
        _ = ccurl_set_offset(pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        body.withUnsafeBytes { bytes in
            // An empty array may have no address, which would mean "ask the read callback".
            var nothing: CChar = 0
            _ = ccurl_set_pointer(
                pointer, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress) ?? .init(&nothing))
        }
    }

    /// Lines `Name: value`.
    func setHeaders(_ lines: [String]) {
        curl_slist_free_all(headerList)
        headerList = nil
        for line in lines { headerList = curl_slist_append(headerList, line) }
        _ = ccurl_set_pointer(pointer, CURLOPT_HTTPHEADER, headerList)
    }

    func use(_ jar: CookieJar) {
        self.jar = jar
        _ = ccurl_set_pointer(pointer, CURLOPT_SHARE, jar.share)
        // Sharing a jar doesn't make the handle look at cookies; naming a file does, and "" is none (CURLOPT_COOKIEFILE(3)).
        set(CURLOPT_COOKIEFILE, "")
    }

    /// Lines of a cookies.txt.
    func cookies() -> [String] {
        var list: UnsafeMutablePointer<curl_slist>?
        guard ccurl_get_list(pointer, CURLINFO_COOKIELIST, &list) == CURLE_OK else { return [] }
        defer { curl_slist_free_all(list) }
        var lines: [String] = []
        var item = list
        while let here = item {
            if let data = here.pointee.data { lines.append(String(cString: data)) }
            item = here.pointee.next
        }
        return lines
    }

    func saveCookies() throws(Errno) {
        try jar?.save(cookies())
    }

    /// What libcurl says of the failure, else its general text for the code.
    func reason(_ code: CURLcode) -> String {
        errorText[0] != 0 ? String(cString: errorText) : String(cString: curl_easy_strerror(code))
    }

    /// OpenSSL's word on the certificate: X509_V_… of openssl/x509_vfy.h.
    var verifyResult: Int {
        var result = 0
        _ = ccurl_get_long(pointer, CURLINFO_SSL_VERIFYRESULT, &result)
        return result
    }
}
