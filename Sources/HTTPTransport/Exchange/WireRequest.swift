import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Search

extension HTTPClientRequest {
  /// The request as it goes over the wire: with its credential, asking for gzip.
  ///
  /// A credential is left out over plain http, but to this machine. Framing fields are the client's own.
  init(_ request: HTTPRequest) {
    let credential = Self.sendableCredential(of: request)
    var url = request.url
    if case .query(let name) = credential?.place, let secret = credential?.secret,
      !url.queryItems.contains(where: { $0.name == name })
    {
      url.appendQueryItem(name: name, value: secret.reveal())
    }
    self.init(url: url.description)
    method = HTTPMethod(rawValue: request.method.rawValue)
    headers = HTTPHeaders(request.headers.filter(Self.isFree).map { ($0.name, $0.value) })
    // A HEAD reply has no body, and the decoder would miss its end.
    headers.add(name: "Accept-Encoding", value: request.method == .head ? "identity" : "gzip")
    if case .header(let name) = credential?.place, let secret = credential?.secret {
      headers.replaceOrAdd(name: name, value: secret.reveal())
    }
    if !request.body.isEmpty || request.method == .post { body = .bytes(ByteBuffer(bytes: request.body)) }
  }

  private static func sendableCredential(of request: HTTPRequest) -> PlacedCredential? {
    let isProtected = request.url.scheme == .https || request.url.origin.hostClass == .loopback
    return isProtected ? request.credential : nil
  }

  private static func isFree(_ field: HTTPField) -> Bool {
    let own = ["accept-encoding", "connection", "content-length", "host", "transfer-encoding"]
    return !own.contains(field.name.lowercased())
  }
}
