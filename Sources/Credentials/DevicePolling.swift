package import Search

/// The polling schedule of a device code (RFC 8628, section 3.5).
package struct DevicePolling: Sendable, Hashable {
  package enum Step: Sendable, Hashable {
    /// Poll again after this many seconds.
    case wait(Double)
    case fail(PageError)
  }

  /// The interval between polls in seconds.
  package private(set) var interval: Double
  /// When the code expires, in seconds since 1970.
  private let end: Double

  /// - Parameter time: When the code arrived, in seconds since 1970.
  package init(_ code: DeviceCode, arrivedAt time: Double) {
    interval = code.interval
    end = time + code.lifetime
  }

  /// The next step after the service has issued no token yet, or could not be reached.
  package mutating func step(after failure: TokenError, at now: Double) -> Step {
    switch failure.code {
    case "authorization_pending": break
    case "slow_down": interval += 5
    case "expired_token": return .fail(Self.expired)
    case "access_denied":
      return .fail(PageError(.unauthorized, message: "the request was denied on the service's page"))
    default:
      guard failure.error.canRepeat != .never else { return .fail(failure.error) }
      interval = max(interval, min(interval * 2, 60), failure.error.wait ?? 0)
    }
    return now + interval < end ? .wait(interval) : .fail(Self.expired)
  }

  private static let expired = PageError(
    .unauthorized, message: "the code expired before it was confirmed", remedy: "log in again")
}
