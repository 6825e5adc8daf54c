import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Search

extension HTTPClient.Request {
  /// The request to be sent, with its credentials, accepting gzip.
  ///
  /// Credentials are omitted over plain HTTP, except to this machine. The client adds framing fields.
  ///
  /// - Throws: An error of the client if it does not accept the address.
  init(_ request: HTTPRequest) throws {
    let credentials = Self.sendableCredentials(of: request)
    var headers = HTTPHeaders(request.headers.filter(Self.isFree).map { ($0.name, $0.value) })
    // A reply to HEAD has no body to decode.
    headers.add(name: "Accept-Encoding", value: request.method == .head ? "identity" : "gzip")
    for credential in credentials {
      if case .header(let name) = credential.place {
        headers.replaceOrAdd(name: name, value: credential.secret.reveal())
      }
    }
    let hasBody = !request.body.isEmpty || request.method == .post
    try self.init(
      url: Self.url(of: request, with: credentials).description,
      method: NIOHTTP1.HTTPMethod(rawValue: request.method.rawValue), headers: headers,
      body: hasBody ? .byteBuffer(ByteBuffer(bytes: request.body)) : nil)
  }

  private static func sendableCredentials(of request: HTTPRequest) -> [PlacedCredential] {
    let isProtected = request.url.scheme == .https || request.url.origin.hostClass == .loopback
    return isProtected ? request.credentials : []
  }

  private static func url(of request: HTTPRequest, with credentials: [PlacedCredential]) -> WebURL {
    var url = request.url
    for credential in credentials {
      if case .query(let name) = credential.place, !url.queryItems.contains(where: { $0.name == name }) {
        url.appendQueryItem(name: name, value: credential.secret.reveal())
      }
    }
    return url
  }

  private static func isFree(_ field: HTTPField) -> Bool {
    let own = ["accept-encoding", "connection", "content-length", "host", "transfer-encoding"]
    return !own.contains(field.name.lowercased())
  }
}
