import CCurl

extension HTTPError {
    /// The one place where libcurl's codes (libcurl-errors(3)) get our meaning.
    init(_ code: CURLcode, _ easy: EasyHandle) {
        let reason = easy.reason(code)
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .dns(reason)
        case CURLE_COULDNT_CONNECT: self = .connect(reason)
        case CURLE_OPERATION_TIMEDOUT: self = .timeout
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR: self = .cutShort(reason)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR: self = .tls(Self.fault(easy.verifyResult), reason)
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM:
            self = .tls(.other, reason)
        case CURLE_URL_MALFORMAT: self = .badURL
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_UNSUPPORTED_PROTOCOL, CURLE_WRITE_ERROR:
            self = .malformed(reason)
        default: self = .library(reason)
        }
    }

    /// X509_V_ERR_CERT_NOT_YET_VALID and X509_V_ERR_CERT_HAS_EXPIRED of openssl/x509_vfy.h.
    private static func fault(_ verifyResult: Int) -> TLSFault {
        verifyResult == 9 || verifyResult == 10 ? .certificateDate : .untrusted
    }
}
