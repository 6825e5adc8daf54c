import Credentials
import Search
import Text

extension StoredCredential {
  /// What it is and until when, without any of its secrets: `token that expires at 2026-11-23 08:21, renewable`.
  ///
  /// - Parameter now: In seconds since 1970.
  func words(at now: Double, zone: LocalZone) -> String {
    if identity.endpoint.isEmpty { return "API key" }
    let renewal = refresh == nil ? "" : ", renewable"
    guard let endTime, let end = Timestamp(epoch: endTime) else {
      return "token without an expiry time\(renewal)"
    }
    let time = "\(end.date(in: zone)) \(end.clock(in: zone).prefix(5))"
    return "token that \(endTime > now ? "expires" : "expired") at \(time)\(renewal)"
  }
}
