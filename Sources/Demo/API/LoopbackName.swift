/// The host names of a server on the loopback interface.
///
/// A page of another site can make a browser send requests to a loopback server under the site's own name
/// (DNS rebinding), but it cannot forge the `Host` field.
struct LoopbackName: Sendable, Equatable {
  var port: Int

  var baseURL: String { "http://127.0.0.1:\(port)" }

  /// A refusal unless there is exactly one `Host` field, and it names this server.
  func refusal(ofHosts hosts: [String]) -> Refusal? {
    if hosts.count == 1, accepts(hosts[0].lowercased()) { return nil }
    return Refusal(400, "the Host header must be 127.0.0.1:\(port) or localhost:\(port)")
  }

  private func accepts(_ host: String) -> Bool {
    ["127.0.0.1", "localhost"].contains { name in
      host == "\(name):\(port)" || (port == 80 && host == name)
    }
  }
}
