package import HTTPTransport
package import HTTPValues
package import TestSupport

/// Runs `body` with a transport that is closed afterwards.
package func withTransport<Result>(
  limits: TransportLimits = .patient, trust: ServerTrust = .systemRoots,
  environment: [String: String] = [:], addresses: [String: String] = [:],
  hostClass: @escaping @Sendable (String) -> HostClass = { HostClass(address: $0) },
  _ body: (Transport) async throws -> Result
) async throws -> Result {
  var configuration = TransportConfiguration(environment: environment)
  configuration.limits = limits
  configuration.trust = trust
  configuration.addresses = addresses
  configuration.hostClass = hostClass
  let connections = HTTPConnections(configuration)
  defer { connections.close() }
  return try await body(Transport(over: connections))
}

/// The outcome of a request to a scripted server: the response or the failure.
package func outcome(
  of path: String = "/", limits: TransportLimits = .patient,
  from script: @escaping RawServer.Script
) async throws -> Result<HTTPResponse, TransportError> {
  let server = try await RawServer.start(script)
  return try await withTransport(limits: limits) { transport in
    await transport.outcome(of: try HTTPRequest(get: "http://127.0.0.1:\(server.port)\(path)"))
  }
}

extension Transport {
  package func outcome(of request: HTTPRequest, within total: Duration? = nil) async -> Result<
    HTTPResponse, TransportError
  > {
    do throws(TransportError) {
      return .success(try await response(to: request, within: total))
    } catch {
      return .failure(error)
    }
  }
}

extension HTTPRequest {
  package init(
    get url: String, credential: PlacedCredential? = nil, allowedHosts: [String] = [],
    home: Origin? = nil
  ) throws {
    self.init(
      url: try WebURL(url), headers: [try HTTPField(name: "User-Agent", value: "riffle/1")],
      credentials: [credential].compactMap { $0 }, allowedHosts: allowedHosts, home: home)
  }
}

extension Result where Success == HTTPResponse, Failure == TransportError {
  /// `200 text` or the failure's kind.
  package var picture: String {
    switch self {
    case .success(let response): "\(response.status) \(String(decoding: response.body, as: UTF8.self))"
    case .failure(let failure): "\(failure.kind)"
    }
  }

  package var failure: TransportError? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}

extension RawServer.Action {
  /// A complete respond with a body and more fields.
  package static func ok(_ body: String, _ fields: String...) -> RawServer.Action {
    let fields = fields.map { $0 + "\n" }.joined()
    return .send("HTTP/1.1 200 OK\nContent-Length: \(body.utf8.count)\n\(fields)\n" + body)
  }

  package static func redirect(_ status: Int, to location: String) -> RawServer.Action {
    .send("HTTP/1.1 \(status) Moved\nLocation: \(location)\nContent-Length: 0\n\n")
  }

  /// A complete respond with a gzip body.
  package static func gzip(_ bytes: [UInt8]) -> RawServer.Action {
    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bytes.count)\r\n\r\n"
    return .send(Array(head.utf8) + bytes)
  }
}

extension TransportLimits {
  /// Limits for tests that run alongside a thousand others, when a response may be slow.
  package static var patient: TransportLimits {
    var limits = TransportLimits()
    limits.connect = .seconds(120)
    limits.total = .seconds(240)
    return limits
  }
}
