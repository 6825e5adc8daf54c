private import Search

/// Checks which headers a source or the user may set.
package enum HeaderCheck {
  /// Reserved for the connection.
  static let reserved: Set = [
    "accept-encoding", "connection", "content-length", "host", "transfer-encoding",
  ]

  /// Why a header cannot be sent; nil if it can.
  package static func problem(name: String, value: String) -> String? {
    if reserved.contains(name.lowercased()) { return "cannot be set: riffle sets this header itself" }
    do { _ = try HTTPField(name: name, value: value) } catch { return "\(error)" }
    return nil
  }
}
