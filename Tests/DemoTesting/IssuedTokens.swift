import Demo
import Locking

/// The tokens that the services of a server have issued; shared by its routes.
final class TokenStore: Sendable {
  private let state = Lock(IssuedTokens())

  func update<Value: Sendable, Failure: Error>(
    _ body: (inout IssuedTokens) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try state.withLock { (state) throws(Failure) in try body(&state) }
  }
}

/// The one account, and the one client that may act for it. They protect nothing and are documented.
enum DemoAccount {
  static let user = "ann"
  static let password = "demo-password"
  static let client = "riffle-demo"
  static let clientSecret = "demo-secret"
  /// The refresh token that each server accepts once without having issued it.
  static let refreshToken = "demo-refresh"
}

/// Issued tokens and codes with their states. Times are in seconds since 1970.
struct IssuedTokens: Sendable {
  /// The number of tokens and codes issued.
  private var count = 0
  private var access: [String: AccessToken] = [:]
  /// The scopes of the refresh tokens that can still be used.
  private var refresh = [DemoAccount.refreshToken: "read"]
  /// The device grants, by device code.
  private var devices: [String: DeviceGrant] = [:]

  struct AccessToken: Sendable, Equatable {
    let expiresAt: Int
    /// The number of requests it is still valid for; nil for any number.
    var requests: Int?
    let scope: String
  }

  /// A string that was never issued before, not even by an earlier server.
  private mutating func fresh(_ kind: String, at now: Int) -> String {
    count += 1
    return "demo-\(kind)-\(now)-\(count)"
  }

  // MARK: Access tokens

  /// A new access token. Expired ones are forgotten.
  mutating func issueAccess(_ lifetime: TokenLifetime, scope: String, at now: Int) -> String {
    access = access.filter { $0.value.expiresAt > now }
    let token = fresh("access", at: now)
    access[token] = AccessToken(
      expiresAt: now + lifetime.seconds, requests: lifetime.requests, scope: scope)
    return token
  }

  /// Counts a request with an access token; nil if the token is not valid.
  mutating func spend(_ token: String, at now: Int) -> AccessToken? {
    guard var found = access[token], found.expiresAt > now, found.requests != 0 else { return nil }
    found.requests = found.requests.map { $0 - 1 }
    access[token] = found
    return found
  }

  // MARK: Refresh tokens

  mutating func issueRefresh(scope: String, at now: Int) -> String {
    let token = fresh("refresh", at: now)
    refresh[token] = scope
    return token
  }

  /// The scope of a refresh token, which cannot be used again; nil if it is not valid.
  mutating func redeem(refresh token: String) -> String? { refresh.removeValue(forKey: token) }

  // MARK: Device codes (RFC 8628)

  struct DeviceGrant: Sendable {
    let userCode: String
    let scope: String
    let expiresAt: Int
    /// The least number of seconds between two polls.
    var interval: Int
    var polledAt: Int?
    /// The number of polls after which the user counts as having consented; nil if the user must.
    var pollsUntilConsent: Int?
    /// The decision of the user; nil until there is one.
    var isGranted: Bool?
  }

  enum DevicePoll: Sendable, Equatable {
    case granted(scope: String)
    case pending, slowDown, denied, expired, unknown
  }

  mutating func issueDevice(
    scope: String, lifetime: Int, interval: Int, pollsUntilConsent: Int?, at now: Int
  ) -> (deviceCode: String, userCode: String) {
    devices = devices.filter { $0.value.expiresAt > now }
    let code = fresh("device", at: now)
    let userCode = "DEMO-\(count)"
    devices[code] = DeviceGrant(
      userCode: userCode, scope: scope, expiresAt: now + lifetime, interval: interval,
      pollsUntilConsent: pollsUntilConsent)
    return (code, userCode)
  }

  /// Records what the user decides about a code; false if there is no such code.
  mutating func decide(userCode: String, isGranted: Bool, at now: Int) -> Bool {
    guard let code = devices.first(where: { $0.value.userCode == userCode && $0.value.expiresAt > now })?.key
    else { return false }
    devices[code]?.isGranted = isGranted
    return true
  }

  /// The answer to a device that polls for the decision of the user. A code is granted once.
  mutating func poll(device code: String, at now: Int) -> DevicePoll {
    guard var device = devices[code] else { return .unknown }
    guard device.expiresAt > now else { return .expired }
    let isTooSoon = device.polledAt.map { now < $0 + device.interval } ?? false
    device.polledAt = now
    if isTooSoon { device.interval += 5 }
    if !isTooSoon, device.isGranted == nil, let polls = device.pollsUntilConsent {
      if polls == 0 { device.isGranted = true } else { device.pollsUntilConsent = polls - 1 }
    }
    devices[code] = device
    if isTooSoon { return .slowDown }
    guard let isGranted = device.isGranted else { return .pending }
    devices[code] = nil
    return isGranted ? .granted(scope: device.scope) : .denied
  }
}

/// How long an access token is valid, as requested.
struct TokenLifetime: Sendable {
  let seconds: Int
  /// The number of requests for which the token is valid; nil for any number.
  let requests: Int?

  /// The parameters `lifetime`, in seconds (an hour), and `requests`.
  init(_ request: Request) throws(DemoError) {
    seconds = try request.number("lifetime", from: 1, standard: 3_600)
    let most = try request.number("requests", from: 0, standard: Request.largestNumber)
    requests = most == Request.largestNumber ? nil : most
  }
}
