package import Search

/// Resolves the secrets of a source, once per run. All its dependencies are parameters.
package struct SecretResolver: Sendable {
  private let search: SecretSearch

  /// - Parameter run: Runs a program with its arguments, without a shell, and returns its output.
  package init(
    environment: [String: String], files: FileAccess,
    run: @escaping @Sendable ([String]) async throws -> String
  ) {
    search = SecretSearch(environment: environment, files: files, run: run)
  }

  /// The secrets of a source; empty if it has none, or none are found and none are required.
  ///
  /// - Parameters:
  ///   - options: The chosen options, which may change the requested origin.
  ///   - isTrustedAnyway: Whether `--trust` was given.
  package func credentials(
    for entry: CatalogEntry, options: [String: String] = [:], isTrustedAnyway: Bool = false
  ) async throws(SecretProblem) -> Credentials {
    let source = entry.source
    guard !source.secretOrigins.isEmpty, let origin = source.origin(options: options) else {
      return Credentials()
    }
    let refusal = Refusal(entry, source.secretOrigins, origin)
    if case .untrusted(let reason) = entry.trust, !isTrustedAnyway {
      throw .untrusted(refusal, reason: reason)
    }
    guard source.owns(origin, options: options) else {
      let problem = SecretProblem.otherOrigin(refusal, configured: source.origin(options: [:]))
      if source.needsSecrets { throw problem }
      return Credentials(absence: problem.description)
    }
    if origin.scheme == .http, origin.hostClass != .loopback { throw .plainHTTP(refusal) }
    return try await found(for: entry, origin)
  }

  package typealias Refusal = SecretProblem.Refusal

  private func found(
    for entry: CatalogEntry, _ origin: Origin
  ) async throws(SecretProblem) -> Credentials {
    var credentials = Credentials()
    if let authorization = entry.source.authorization {
      credentials.authorization = try await placed(authorization, entry, origin)
    }
    for secret in entry.source.secrets {
      let refusal = Refusal(entry, secret.from, origin)
      let canCarry = entry.source.canCarry(secret.name)
      guard let found = try await text(secret.from, refusal, isOptional: secret.isOptional, canCarry)
      else { continue }
      credentials.secrets[secret.name] = Credentials.Finding(
        secret: Secret(found.text), provenance: found.place.description)
    }
    return credentials
  }

  private func placed(
    _ authorization: Authorization, _ entry: CatalogEntry, _ origin: Origin
  ) async throws(SecretProblem) -> PlacedCredential? {
    let isOptional = authorization.isOptional
    let found = try await text(
      authorization.from, Refusal(entry, authorization.from, origin), isOptional: isOptional,
      authorization.scheme.canCarry)
    guard let found else { return nil }
    let secret = Secret(found.text)
    let provenance = found.place.description
    switch authorization.scheme {
    case .header(let name, let prefix):
      return PlacedCredential(
        place: .header(name), secret: secret.prefixed(by: prefix), provenance: provenance)
    case .query(let name):
      return PlacedCredential(place: .query(name), secret: secret, provenance: provenance)
    case .basic(let userFrom):
      let users = Refusal(entry, userFrom, origin)
      guard let user = try await userName(userFrom, users, isOptional: isOptional) else { return nil }
      return PlacedCredential(
        place: .header("Authorization"), secret: .basic(user: Secret(user), password: secret),
        provenance: provenance)
    }
  }

  /// Empty if the source does not configure a user name. A colon is rejected, because it would end the name
  /// (RFC 7617, section 2).
  private func userName(
    _ places: [SecretOrigin], _ refusal: Refusal, isOptional: Bool
  ) async throws(SecretProblem) -> String? {
    if places.isEmpty { return "" }
    return try await text(places, refusal, isOptional: isOptional) {
      $0.isFreeOfControls && !$0.contains(":")
    }?.text
  }

  /// The first secret found; nil if there is none and none is required.
  private func text(
    _ places: [SecretOrigin], _ refusal: Refusal, isOptional: Bool, _ isUsable: (String) -> Bool
  ) async throws(SecretProblem) -> (text: String, place: SecretOrigin)? {
    switch await search.first(in: places) {
    case .found(let text, let place):
      guard isUsable(text) else { throw .unusable(refusal, place) }
      return (text, place)
    case .nothing(let looked):
      if isOptional { return nil }
      throw .missing(refusal, looked: looked)
    }
  }
}

extension Authorization.Scheme {
  fileprivate func canCarry(_ secret: String) -> Bool {
    switch self {
    case .header: secret.isVisibleASCII
    // These are encoded: by percent-encoding, and as Base64.
    case .query, .basic: secret.isFreeOfControls
    }
  }
}

extension Source {
  /// Whether a value can be sent wherever the named secret is used: a parameter is encoded, a header is not.
  fileprivate func canCarry(_ name: String) -> (String) -> Bool {
    let endpoints = [endpoint] + [rows.totalRequest?.endpoint].compactMap(\.self)
    let headers = endpoints.flatMap { $0.headers + $0.additions.flatMap(\.headers) }
    let isInHeader = headers.contains { $0.value.placeholders.contains { $0.secretName == name } }
    return { isInHeader ? $0.isVisibleASCII : $0.isFreeOfControls }
  }
}
