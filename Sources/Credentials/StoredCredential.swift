package import HTTPValues
import JSON
package import Search
import Text

/// The identity of a stored credential. A credential stored for a different identity is never used.
package struct CredentialIdentity: Sendable, Hashable, Codable {
  package var source: String
  /// The origin that it is sent to.
  package var origin: String
  /// The token endpoint or the URL of the login, the client's id, and the scopes; empty for an API key.
  package var endpoint = ""
  package var client = ""
  package var scopes = ""

  package init(source: String, origin: Origin) {
    self.source = source
    self.origin = "\(origin)"
  }

  package init(source: String, origin: Origin, grant: TokenGrant, clientID: String) {
    self.init(source: source, origin: origin)
    endpoint = "\(grant.tokenURL)"
    client = clientID
    scopes = grant.scopes.split(separator: " ").sorted().joined(separator: " ")
  }

  package init(source: String, origin: Origin, login: LoginRequest) {
    self.init(source: source, origin: origin)
    endpoint = "\(login.url)"
  }

  /// The name of its file: the source, at most 64 characters of the host and the port, and a hash of everything, as in
  /// `github.api.github.com.0123456789abcdef`. If two identities ever share a name, the file contains the identity it
  /// belongs to.
  package var fileName: String {
    let host = (origin.split(separator: "/").last ?? "").prefix(64).map { character in
      character.isASCII && (character.isLetter || character.isNumber || ".-".contains(character))
        ? character : "_"
    }
    return "\(source).\(String(host)).\(hexDigest(of: source, origin, endpoint, client, scopes))"
  }
}

/// The hash of lines in 16 hexadecimal digits.
private func hexDigest(of lines: String...) -> String {
  RowKey.hash(lines.joined(separator: "\n")).padded(to: 16, radix: 16)
}

/// A credential in the state directory: an API key that the user typed, or an access token with its refresh token.
package struct StoredCredential: Sendable, Hashable {
  package let identity: CredentialIdentity
  package let secret: Secret
  /// When it arrived, in seconds since 1970 by this machine's clock.
  package let issuedAt: Double
  /// The lifetime in seconds; nil if it is unknown.
  package var lifetime: Double?
  package var refresh: Secret?
  /// Recognizes the secrets that the user provided to obtain it: the first refresh token, or those of the login.
  package var seed: SecretMark?

  package init(_ key: Secret, for identity: CredentialIdentity, at time: Double) {
    self.identity = identity
    secret = key
    issuedAt = time
  }

  /// - Parameter former: The previous refresh token, which remains valid if the endpoint sends no new one.
  package init(
    _ token: IssuedToken, for identity: CredentialIdentity, at time: Double, after former: Secret?,
    seed: SecretMark?
  ) {
    self.init(token.access, for: identity, at: time)
    lifetime = token.lifetime
    refresh = token.refresh ?? former
    self.seed = seed
  }

  /// When it should be renewed, in seconds since 1970: a minute before it expires, but not before half of its lifetime.
  /// Nil if the lifetime is unknown.
  package var renewalTime: Double? { lifetime.map { issuedAt + max($0 - 60, $0 / 2) } }

  /// When it expires, in seconds since 1970; nil if that is unknown.
  package var endTime: Double? { lifetime.map { issuedAt + $0 } }

  /// Whether it can be used now. If it seems to be issued in the future, the clock has been set back and its expiry is
  /// unknown.
  package func isCurrent(at now: Double) -> Bool {
    let tolerance = 5.0
    return issuedAt <= now + tolerance && renewalTime.map { now < $0 } ?? true
  }
}

/// Recognizes a secret by a few bits of a salted hash, which are too few to find it or to check a guess.
package struct SecretMark: Sendable, Hashable, Codable {
  package let salt: String
  /// The digest in 8 hexadecimal digits, or 4 for a secret that a person has chosen.
  package let digest: String

  /// - Parameters:
  ///   - salt: Must be random.
  ///   - isGuessable: Whether the secret may be a password. One in 65,536 other secrets then matches.
  package init(of secret: Secret, salt: String, isGuessable: Bool = false) {
    self.salt = salt
    digest = String(Self.digest(secret, salt).prefix(isGuessable ? 4 : 8))
  }

  package func matches(_ secret: Secret) -> Bool {
    !digest.isEmpty && Self.digest(secret, salt).hasPrefix(digest)
  }

  /// The salt comes last, because the bytes after a difference spread it over the first digits.
  private static func digest(_ secret: Secret, _ salt: String) -> String {
    hexDigest(of: secret.reveal(), salt)
  }
}

// MARK: - What to do

/// The step by which a run obtains a token.
package enum TokenStep: Sendable, Hashable {
  case use(StoredCredential)
  case refresh(Secret)
  /// Request a token with the client's own credentials.
  case request
  /// The user must log in.
  case login

  /// - Parameters:
  ///   - kept: The stored credential.
  ///   - seed: The secret that the user provides to obtain a token; nil if there is none.
  ///   - now: The time in seconds since 1970.
  ///   - isRejected: Whether the service rejected this access token.
  package init(
    _ issuer: TokenIssuer, kept: StoredCredential?, seed: Secret?, now: Double, isRejected: (Secret) -> Bool
  ) {
    // The user has replaced the secret from which the stored credential was obtained.
    let isReplaced = seed.map { seed in !(kept?.seed.map { $0.matches(seed) } ?? false) } ?? false
    let kept = isReplaced ? nil : kept
    if let kept, kept.isCurrent(at: now), !isRejected(kept.secret) {
      self = .use(kept)
    } else if issuer.needsNoFormer {
      self = .request
    } else if let token = kept?.refresh ?? seed {
      self = .refresh(token)
    } else {
      self = .login
    }
  }
}

// MARK: - Serialization

extension StoredCredential {
  /// The version of the format.
  private static let version = 1

  /// Everything except the secret itself.
  private struct Facts: JSONChecked {
    var version: Int
    var identity: CredentialIdentity
    var issuedAt: Double
    var lifetime: Double?
    var refreshToken: String?
    var seed: SecretMark?

    func check() throws(JSONCodingError) {
      guard issuedAt.isFinite, lifetime.map({ $0.isFinite && $0 > 0 }) ?? true else {
        throw JSONCodingError("its times are not numbers of seconds")
      }
    }
  }

  /// Two lines: the secret, as in a file that `from = "file:PATH"` reads, and what is known about it as JSON.
  package var bytes: [UInt8] {
    let facts = Facts(
      version: Self.version, identity: identity, issuedAt: issuedAt, lifetime: lifetime,
      refreshToken: refresh?.reveal(), seed: seed)
    let newline = [UInt8(ascii: "\n")]
    return Array(secret.reveal().utf8) + newline + JSONCoding.bytes(of: facts) + newline
  }

  /// Parses a credential; nil for anything that `bytes` does not produce.
  package init?(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.count == 3, lines[2].isEmpty, !lines[0].isEmpty,
      let secret = String(validating: lines[0], as: UTF8.self),
      let facts = try? JSONDocument(Array(lines[1])).root.decoded(as: Facts.self),
      facts.version == Self.version
    else { return nil }
    self.init(Secret(secret), for: facts.identity, at: facts.issuedAt)
    lifetime = facts.lifetime
    refresh = facts.refreshToken.map { Secret($0) }
    seed = facts.seed
  }
}
