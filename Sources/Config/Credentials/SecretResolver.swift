package import HTTPValues
package import Search

/// Resolves the secrets of a source, once per run. All its dependencies are parameters.
package struct SecretResolver: Sendable {
  private let environment: [String: String]
  private let files: FileAccess
  private let run: @Sendable ([String]) async throws -> String

  /// - Parameter run: Runs a program with its arguments, without a shell, and returns its output.
  package init(
    environment: [String: String], files: FileAccess,
    run: @escaping @Sendable ([String]) async throws -> String
  ) {
    self.environment = environment
    self.files = files
    self.run = run
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
    if !isTrustedAnyway { try Self.checkTrust(of: entry, options: options) }
    let places = Self.list(source.secretOrigins)
    guard source.owns(origin, options: options) else {
      let problem = SecretProblem(
        (source.origin(options: [:]).map {
          "source \(source.id) sends \(places) to \($0) only, not to \(origin)"
        } ?? "source \(source.id) has no fixed origin, so it does not send \(places) to \(origin)")
          + ". Write a separate source for that origin, or list its host in auth.hosts")
      if source.needsSecrets { throw problem }
      return Credentials(absence: problem.description)
    }
    guard origin.isProtected else {
      throw SecretProblem(
        "source \(source.id) would send \(places) to \(origin) unencrypted. Use https, or remove [auth]")
    }
    var credentials = Credentials()
    credentials.authorization = try await authorization(of: source, for: origin)
    for secret in source.secrets {
      credentials.secrets[secret.name] = try await finding(
        in: secret.from, of: source, for: origin, isOptional: secret.isOptional, source.canCarry(secret.name))
    }
    return credentials
  }

  /// Fails if credentials of a source that is not trusted would be looked up (exit status 78).
  package static func checkTrust(of entry: CatalogEntry, options: [String: String]) throws(SecretProblem) {
    let source = entry.source
    guard case .untrusted(let reason) = entry.trust, !source.secretOrigins.isEmpty,
      let origin = source.origin(options: options)
    else { return }
    throw SecretProblem(
      """
      source \(source.id) would send \(list(source.secretOrigins)) to \(origin), \
      but \(entry.provenance) \(reason). Add --trust to allow it
      """)
  }

  private static func list(_ places: [SecretOrigin]) -> String {
    places.map(\.description).joined(separator: ", ")
  }

  private func authorization(
    of source: Source, for origin: Origin
  ) async throws(SecretProblem) -> PlacedCredential? {
    guard let authorization = source.authorization else { return nil }
    var found: [String: Credentials.Finding] = [:]
    // The credential itself comes first: without it, no user name is looked up.
    for input in authorization.scheme.inputs.reversed() {
      let places = authorization.origins[input.key] ?? []
      if places.isEmpty, input.isOptional { continue }
      found[input.key] = try await finding(
        in: places, of: source, for: origin, isOptional: authorization.isOptional
      ) { authorization.isUsable($0, as: input) }
      if found[input.key] == nil { return nil }
    }
    return PlacedCredential(
      place: authorization.place, secret: authorization.credential(of: found.mapValues(\.secret)),
      provenance: found["from"]?.provenance ?? "")
  }

  /// The first secret found; nil if there is none and none is required.
  private func finding(
    in places: [SecretOrigin], of source: Source, for origin: Origin, isOptional: Bool,
    _ isUsable: (String) -> Bool
  ) async throws(SecretProblem) -> Credentials.Finding? {
    var looked: [String] = []
    for place in places.inOrder {
      switch await text(in: place) {
      case .success(let text):
        guard isUsable(text) else {
          throw SecretProblem(
            """
            the credential from \(place) for source \(source.id) contains characters that cannot be sent. \
            Put only the credential on the first line
            """)
        }
        return Credentials.Finding(secret: Secret(text), provenance: place.description)
      case .failure(let absence): looked.append("\(place.inWords) \(absence)")
      }
    }
    if isOptional { return nil }
    throw SecretProblem(
      "source \(source.id) needs a credential for \(origin), but none was found: "
        + looked.joined(separator: ", "))
  }

  /// The failure says why there is none, as the end of a sentence.
  private func text(in place: SecretOrigin) async -> Result<String, ValueProblem> {
    switch place {
    case .environment(let name): return Self.firstLine(environment[name] ?? "", orElse: "is not set")
    case .file(let path):
      do {
        let bytes = try files.read(HomePath.expanded(path, home: environment["HOME"])).bytes
        return Self.firstLine(String(decoding: bytes, as: UTF8.self), orElse: "starts with an empty line")
      } catch { return .failure(ValueProblem(error.description)) }
    case .command(let words):
      do { return Self.firstLine(try await run(words), orElse: "printed nothing") } catch {
        return .failure(ValueProblem("failed: \(error)"))
      }
    }
  }

  private static func firstLine(_ text: String, orElse reason: String) -> Result<String, ValueProblem> {
    let line = text.prefix { !$0.isNewline }.drop { $0 == " " }
    let end = line.lastIndex { $0 != " " && $0 != "\t" }
    return end.map { .success(String(line[...$0])) } ?? .failure(ValueProblem(reason))
  }
}

/// Why a credential is not used. It names credentials by where they are read from, never by value.
package struct SecretProblem: Error, CustomStringConvertible {
  package let description: String

  fileprivate init(_ description: String) { self.description = description }
}

extension Source {
  /// Whether a value can be sent wherever the named secret is used: a parameter and a body are encoded, a
  /// header is not.
  fileprivate func canCarry(_ name: String) -> (String) -> Bool {
    let endpoints = [endpoint] + [rows.totalRequest?.endpoint].compactMap(\.self)
    let headers = endpoints.flatMap { $0.headers + $0.additions.flatMap(\.headers) }
    let isInHeader = headers.contains { $0.value.placeholders.contains { $0.secretName == name } }
    return { isInHeader ? $0.isVisibleASCII : $0.isFreeOfControls }
  }
}

extension SecretOrigin {
  /// As the subject of a sentence.
  fileprivate var inWords: String {
    switch self {
    case .environment(let name): "environment variable \(name)"
    case .file(let path): "file \(path)"
    case .command(let words): "command \(words.joined(separator: " "))"
    }
  }
}

extension Source {
  /// Whether the source's secrets may be sent to an origin that the chosen options result in: the configured
  /// one, one selected by an option's declared values, or a host in `auth.hosts`.
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

// MARK: What a source may send

/// A credential that a source may send: where it is read from and where it is sent, without its value.
package struct CredentialUse: Sendable, Hashable {
  package let places: [SecretOrigin]
  /// Nil if it depends on an option without a default.
  package let origin: Origin?
  /// Other hosts it may be sent to.
  package let hosts: [String]
  package let isOptional: Bool
}

extension Source {
  /// The credentials the source may use, with the origin in its document.
  package var credentialUses: [CredentialUse] {
    let origin = origin(options: [:])
    let hosts = authorization?.hosts ?? []
    let own = authorization.map { [($0.secretOrigins, $0.isOptional)] } ?? []
    return (own + secrets.map { ($0.from, $0.isOptional) }).map {
      CredentialUse(places: $0, origin: origin, hosts: hosts, isOptional: $1)
    }
  }
}

extension CredentialUse: CustomStringConvertible {
  /// `env:GH_TOKEN, cmd:gh auth token to https://api.github.com (optional)`
  package var description: String {
    let places = places.map(\.description).joined(separator: ", ")
    let targets = [origin.map { "\($0)" } ?? "the address in an option"] + hosts
    return "\(places) to \(targets.joined(separator: " and "))\(isOptional ? " (optional)" : "")"
  }
}
