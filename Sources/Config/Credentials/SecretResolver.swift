package import HTTPValues
import Search

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

/// Searches for a secret in the locations listed by a source.
struct SecretSearch: Sendable {
  let environment: [String: String]
  let files: FileAccess
  let run: @Sendable ([String]) async throws -> String

  enum Outcome {
    case found(String, SecretOrigin)
    /// The reason for each location.
    case nothing(looked: [String])
  }

  /// The first secret found; environment variables are tried before other locations.
  func first(in places: [SecretOrigin]) async -> Outcome {
    var looked: [String] = []
    for place in places.filter(\.isInEnvironment) + places.filter({ !$0.isInEnvironment }) {
      switch await finding(in: place) {
      case .secret(let text): return .found(text, place)
      case .nothing(let reason): looked.append("\(place.inWords) \(reason)")
      }
    }
    return .nothing(looked: looked)
  }

  private enum SearchResult {
    case secret(String)
    /// The reason, as the end of a sentence.
    case nothing(String)
  }

  private func finding(in place: SecretOrigin) async -> SearchResult {
    switch place {
    case .environment(let name): return Self.firstLine(environment[name] ?? "", orElse: "is not set")
    case .file(let path):
      do {
        let bytes = try files.read(expanded(path)).bytes
        return Self.firstLine(String(decoding: bytes, as: UTF8.self), orElse: "starts with an empty line")
      } catch { return .nothing(error.description) }
    case .command(let words):
      do { return Self.firstLine(try await run(words), orElse: "printed nothing") } catch {
        return .nothing("failed: \(error)")
      }
    }
  }

  private static func firstLine(_ text: String, orElse reason: String) -> SearchResult {
    let line = text.prefix { !$0.isNewline }.drop { $0 == " " }
    let end = line.lastIndex { $0 != " " && $0 != "\t" }
    return end.map { .secret(String(line[...$0])) } ?? .nothing(reason)
  }

  private func expanded(_ path: String) -> String {
    guard path.hasPrefix("~/"), let home = environment["HOME"] else { return path }
    return home + path.dropFirst()
  }
}

extension SecretOrigin {
  fileprivate var isInEnvironment: Bool {
    if case .environment = self { true } else { false }
  }

  /// As the subject of a sentence.
  fileprivate var inWords: String {
    switch self {
    case .environment(let name): "environment variable \(name)"
    case .file(let path): "file \(path)"
    case .command(let words): "command \(words.joined(separator: " "))"
    }
  }
}

extension String {
  /// Whether every header and query can contain the text.
  var isVisibleASCII: Bool { utf8.allSatisfy { 0x20 <= $0 && $0 < 0x7F } }

  var isFreeOfControls: Bool { unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } }
}

extension Source {
  /// Whether the source's secrets may be sent to an origin: the configured one, one selected by an option's
  /// declared values, or a host in `auth.hosts`.
  ///
  /// - Parameter chosen: The chosen options that result in this origin.
  func owns(_ origin: Origin, options chosen: [String: String]) -> Bool {
    origin == self.origin(options: [:]) || origin.isListed(in: authorization?.hosts ?? [])
      || isDeclared(chosen)
  }

  /// Whether the document itself lists every chosen value that affects scheme and host.
  private func isDeclared(_ chosen: [String: String]) -> Bool {
    let names = endpoint.url.addressPlaceholders.filter { $0.part != .path && $0.part != .query }
      .map(\.placeholder.name)
    return options.filter { names.contains($0.name) }.allSatisfy { option in
      guard let value = chosen[option.name] else { return option.defaultValue != nil }
      return option.values.contains(value) || value == option.defaultValue
    }
  }

  /// Whether requests require a secret.
  var needsSecrets: Bool {
    authorization.map { !$0.isOptional } ?? false || secrets.contains { !$0.isOptional }
  }
}
