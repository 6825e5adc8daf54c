package import Config
package import HTTPValues
package import Search
import Text

/// Resolves the secrets of a source, once per run. All its dependencies are parameters.
package struct SecretResolver: Sendable {
  private let environment: [String: String]
  private let files: FileAccess
  private let store: CredentialStore?
  private let run: @Sendable ([String]) async throws -> String

  /// - Parameter run: Runs a program with its arguments, without a shell, and returns its output. Its errors are
  ///   sentences about the program.
  package init(
    environment: [String: String], files: FileAccess, store: CredentialStore? = nil,
    run: @escaping @Sendable ([String]) async throws -> String
  ) {
    self.environment = environment
    self.files = files
    self.store = store
    self.run = run
  }

  /// The secrets of a source; empty if it has none, or none are found and none are required.
  ///
  /// - Parameters:
  ///   - options: The chosen options, which may change the requested origin.
  ///   - isTrustedAnyway: Whether `--trust` was given.
  package func credentials(
    for entry: CatalogEntry, options: [String: String] = [:], isTrustedAnyway: Bool = false
  ) async throws(SecretFileError) -> ResolvedCredentials {
    if !isTrustedAnyway { try Self.checkTrust(of: entry, options: options) }
    var source = entry.source
    source.secrets = source.pageSecrets
    return try await credentials(of: source, options: options)
  }

  /// The secrets of a trusted source, or of its login.
  package func credentials(
    of source: Source, options: [String: String]
  ) async throws(SecretFileError) -> ResolvedCredentials {
    guard !source.secretOrigins.isEmpty, let origin = source.origin(options: options) else {
      return ResolvedCredentials()
    }
    let places = Self.list(source.secretOrigins)
    guard source.owns(origin, options: options) else {
      let setting = source.openServer?.setting
      let problem = SecretFileError(
        (source.origin(options: [:]).map {
          "source \(source.id) sends \(places) to \($0) only, not to \(origin)"
        } ?? setting.map { _ in
          "source \(source.id) sends \(places) only to the server in your settings, not to \(origin)"
        } ?? "source \(source.id) has no fixed origin, so it does not send \(places) to \(origin)")
          + (setting.map { ". Write \($0) in config.toml" }
            ?? ". Write a separate source for that origin, or list its host in auth.hosts"))
      if source.needsSecrets { throw problem }
      return ResolvedCredentials(absence: problem.description)
    }
    if let problem = Self.exposure(of: source, to: origin) { throw problem }
    var credentials = ResolvedCredentials()
    credentials.authorization = try await authorization(of: source, for: origin)
    for secret in source.secrets {
      credentials.secrets[secret.name] = try await finding(
        in: secret.from, of: source, for: origin, isOptional: secret.isOptional, source.canCarry(secret.name),
        { source.mistake(in: $0, of: secret.name) })
    }
    return credentials
  }

  /// Why a source sends no credentials to an origin: others could read them. Nil if they are protected, or there are
  /// none.
  package static func exposure(of source: Source, to origin: Origin) -> SecretFileError? {
    guard !origin.isProtected, !source.secretOrigins.isEmpty else { return nil }
    let places = list(source.secretOrigins)
    return SecretFileError(
      "source \(source.id) would send \(places) to \(origin) unencrypted. Use https, or remove [auth]")
  }

  /// Fails if credentials of a source that is not trusted would be looked up (exit status 78).
  package static func checkTrust(of entry: CatalogEntry, options: [String: String]) throws(SecretFileError) {
    let source = entry.source
    guard case .untrusted(let reason) = entry.trust, !source.secretOrigins.isEmpty,
      let origin = source.origin(options: options)
    else { return }
    throw SecretFileError(
      """
      source \(source.id) would send \(list(of: source)) to \(origin), \
      but \(entry.provenance) \(reason). To allow it for this run, add --trust
      """)
  }

  /// The places that the secrets of a source are read from; those sent to the token endpoint are followed by its
  /// origin.
  private static func list(of source: Source) -> String {
    guard let use = source.issuerUse else { return list(source.secretOrigins) }
    let target = use.origin.map { "\($0)" } ?? "the URL in an option"
    return
      "\(list(use.inputs.flatMap(\.places))) to \(target), and \(list([.store] + source.pageSecrets.flatMap(\.from)))"
  }

  private static func list(_ places: [SecretOrigin]) -> String {
    places.map(\.words).joined(separator: ", ")
  }

  private func authorization(
    of source: Source, for origin: Origin
  ) async throws(SecretFileError) -> PlacedCredential? {
    guard let authorization = source.authorization, authorization.issuer == nil else { return nil }
    var found: [String: ResolvedCredentials.Finding] = [:]
    // The credential itself comes first: without it, no user name is looked up.
    for input in authorization.scheme.inputs.reversed() {
      let places = authorization.origins[input.key] ?? []
      if places.isEmpty, input.isOptional { continue }
      found[input.key] = try await finding(
        in: places, of: source, for: origin, isOptional: authorization.isOptional,
        { authorization.isUsable($0, as: input) }, { authorization.mistake(in: $0) })
      if found[input.key] == nil { return nil }
    }
    return PlacedCredential(
      place: authorization.place, secret: authorization.credential(of: found.mapValues(\.secret)),
      provenance: found["from"]?.provenance ?? "")
  }

  /// An input of the scheme of a source, for requests to an origin.
  ///
  /// - Returns: Nil if the document names no place for the input, or no place has a value and none is required.
  package func input(
    _ key: String, of source: Source, for origin: Origin, isRequired: Bool
  ) async throws(SecretFileError) -> ResolvedCredentials.Finding? {
    guard let authorization = source.authorization,
      let input = authorization.scheme.inputs.first(where: { $0.key == key }),
      let places = authorization.origins[key], !places.isEmpty
    else { return nil }
    return try await finding(
      in: places, of: source, for: origin, isOptional: !isRequired,
      { authorization.isUsable($0, as: input) }, { authorization.mistake(in: $0) })
  }

  /// The first secret found; nil if there is none and none is required.
  private func finding(
    in places: [SecretOrigin], of source: Source, for origin: Origin, isOptional: Bool,
    _ isUsable: (String) -> Bool, _ mistake: (String) -> String?
  ) async throws(SecretFileError) -> ResolvedCredentials.Finding? {
    var failures: [MissingSecretError] = []
    for place in places.inOrder {
      switch await text(in: place, CredentialIdentity(source: source.account, origin: origin)) {
      case .success(let text):
        guard isUsable(text) else {
          throw SecretFileError(
            """
            the credential from \(place) for source \(source.id) contains characters that cannot be sent. \
            Put only the credential on the first line
            """)
        }
        if let mistake = mistake(text) {
          throw SecretFileError("the credential from \(place) for source \(source.id) \(mistake)")
        }
        return ResolvedCredentials.Finding(secret: Secret(text), provenance: place.description)
      case .failure(let absence): failures.append(absence)
      }
    }
    if isOptional { return nil }
    let unusable = failures.filter(\.hasRemedy)
    if places == [.store], unusable.isEmpty {
      throw SecretFileError(
        "source \(source.id) is not logged in" + Self.remedy(for: places, of: source))
    }
    throw SecretFileError(
      "source \(source.id) needs a credential for \(origin), but none was found: "
        + (failures.filter { !$0.hasRemedy } + unusable).map(\.sentence).joined(separator: ", ")
        + (unusable.isEmpty ? Self.remedy(for: places, of: source) : ""),
      needsRestart: places.allSatisfy(\.isVariable))
  }

  /// How to provide a credential that none of the places has.
  private static func remedy(for places: [SecretOrigin], of source: Source) -> String {
    let page = source.authorization?.help.map { ". Create a token at \($0)" }
    if places.contains(.store) {
      return "\(page.map { "\($0), then run" } ?? ". Run"): riffle auth login \(source.commandName)"
    }
    for case .environment(let name) in places {
      return page.map { "\($0), and set \(name) to it" } ?? ". To provide it, set \(name)"
    }
    return page ?? ""
  }

  /// - Parameter identity: The identity of a stored API key.
  private func text(
    in place: SecretOrigin, _ identity: CredentialIdentity
  ) async -> Result<String, MissingSecretError> {
    switch place {
    case .environment(let name):
      let value = environment[name]
      return Self.firstLine(value ?? "", orElse: "\(name) is \(value == nil ? "not set" : "empty")")
    case .file(let path):
      do {
        let bytes = try files.read(HomePath.expanded(path, home: environment["HOME"])).bytes
        return Self.firstLine(
          String(decoding: bytes, as: UTF8.self), orElse: "file \(path) starts with an empty line")
      } catch { return .failure(MissingSecretError("file \(path) \(error)")) }
    case .command(let words):
      let command = "\"\(words.joined(separator: " "))\""
      do { return Self.firstLine(try await run(words), orElse: "\(command) printed nothing") } catch {
        return .failure(MissingSecretError("\(error)"))
      }
    case .store:
      do {
        let kept = try store?.credential(for: identity)
        return kept.map { .success($0.secret.reveal()) }
          ?? .failure(MissingSecretError("no API key is stored"))
      } catch { return .failure(MissingSecretError("\(error)", hasRemedy: true)) }
    }
  }

  private static func firstLine(_ text: String, orElse reason: String) -> Result<String, MissingSecretError> {
    let line = text.prefix { !$0.isNewline }.drop { $0 == " " }
    let end = line.lastIndex { $0 != " " && $0 != "\t" }
    return end.map { .success(String(line[...$0])) } ?? .failure(MissingSecretError(reason))
  }
}

/// The reason why a place has no credential, as a sentence that names the place.
private struct MissingSecretError: Error {
  let sentence: String
  /// Whether it says what to do.
  let hasRemedy: Bool

  init(_ sentence: String, hasRemedy: Bool = false) {
    (self.sentence, self.hasRemedy) = (sentence, hasRemedy)
  }
}

/// The reason why a credential is not used. It names credentials by where they are read from, never by value.
package struct SecretFileError: Error, CustomStringConvertible {
  package let description: String
  /// See `PageError.needsRestart`.
  package let needsRestart: Bool

  fileprivate init(_ description: String, needsRestart: Bool = false) {
    (self.description, self.needsRestart) = (description, needsRestart)
  }
}

extension Source {
  /// Whether a value can be sent wherever the named secret is used: a parameter and a body are encoded, a
  /// header is not.
  fileprivate func canCarry(_ name: String) -> (String) -> Bool {
    let headers = endpoints.flatMap { $0.headers + $0.additions.flatMap(\.headers) }
    let isInHeader = headers.contains { $0.value.placeholders.contains { $0.secretName == name } }
    return { isInHeader ? $0.isVisibleASCII : $0.isFreeOfControls }
  }

  private var endpoints: [Endpoint] { [endpoint] + [rows.totalRequest?.endpoint].compactMap(\.self) }

  /// The mistake in a value of the named secret (`CredentialMistake`), such as a text that stands before its placeholder.
  fileprivate func mistake(in value: String, of name: String) -> String? {
    let pieces = endpoints.flatMap { $0.templates.map(\.pieces) }
    let texts = pieces.flatMap { pieces in
      zip(pieces, pieces.dropFirst()).compactMap { text, next -> String? in
        guard case .placeholder(let placeholder) = next, placeholder.secretName == name else { return nil }
        return if case .literal(let text) = text { text } else { nil }
      }
    }
    return ([""] + texts).lazy.compactMap { CredentialMistake.text(in: value, after: $0) }.first
  }
}

extension Source {
  /// Whether the source's secrets may be sent to an origin that the chosen options result in: the configured
  /// one, one selected by an option's declared values, or a host in `auth.hosts`.
  package func owns(_ origin: Origin, options chosen: [String: String]) -> Bool {
    origin == self.origin(options: [:]) || origin.isListed(in: authorization?.hosts ?? [])
      || isDeclared(chosen)
  }

  /// The option that chooses the server, if it is required.
  package var openServer: SourceOption? {
    options.first { $0.defaultValue == nil && choosesServer($0) }
  }

  /// Whether the document itself lists every chosen value that affects scheme and host.
  private func isDeclared(_ chosen: [String: String]) -> Bool {
    options.filter(choosesServer).allSatisfy { option in
      guard let value = chosen[option.name] else { return option.defaultValue != nil }
      return option.values.contains(value) || value == option.defaultValue
    }
  }

  /// Whether requests require a secret.
  package var needsSecrets: Bool {
    authorization.map { !$0.isOptional } ?? false || secrets.contains { !$0.isOptional }
  }
}

// MARK: What a source may send

/// A credential that a source may send: where it is read from and where it is sent, without its value.
package struct CredentialUse: Sendable, Hashable {
  package let places: [SecretOrigin]
  /// The origin that it is sent to; nil if it depends on an option without a default.
  package let origin: Origin?
  /// Other hosts it may be sent to.
  package let hosts: [String]
  package let isOptional: Bool
  /// What it changes if it is optional; nil if that is not known.
  package var benefit: String?
}

extension Source {
  /// The credentials the source may use, with the origin in its document.
  package var credentialUses: [CredentialUse] {
    let origin = origin(options: [:])
    let hosts = authorization?.hosts ?? []
    var uses: [CredentialUse] = []
    func add(
      _ places: [SecretOrigin], to origin: Origin?, or hosts: [String] = hosts, _ isOptional: Bool,
      _ benefit: String? = nil
    ) {
      uses.append(
        CredentialUse(places: places, origin: origin, hosts: hosts, isOptional: isOptional, benefit: benefit))
    }
    if let authorization {
      for input in issuerUse?.inputs ?? [] {
        add(input.places, to: issuerUse?.origin, or: [], authorization.isOptional || input.isOptional)
      }
      let inputs = authorization.issuer == nil ? authorization.inputOrigins : [[.store]]
      for places in inputs { add(places, to: origin, authorization.isOptional, authorization.benefit) }
    }
    for secret in pageSecrets { add(secret.from, to: origin, secret.isOptional, secret.benefit) }
    return uses
  }

  /// The credentials sent to the token endpoint, or to log in; nil if there are none.
  fileprivate var issuerUse: (inputs: [(places: [SecretOrigin], isOptional: Bool)], origin: Origin?)? {
    switch authorization?.issuer {
    case nil: return nil
    case .grant(let grant):
      let inputs = authorization?.inputOrigins ?? []
      return inputs.isEmpty ? nil : (inputs.map { ($0, false) }, grant.tokenURL.origin)
    case .login:
      let secrets = loginSource?.secrets ?? []
      return secrets.isEmpty
        ? nil : (secrets.map { ($0.from, $0.isOptional) }, loginSource?.origin(options: [:]))
    }
  }
}

extension CredentialUse: CustomStringConvertible {
  /// The use in one line: `env:GH_TOKEN or cmd:gh auth token to https://api.github.com (optional)`.
  package var description: String {
    let places = Sentences.alternatives(places.map(\.words))
    let targets = [origin.map { "\($0)" } ?? "the URL in an option"] + hosts
    return
      "\(places) to \(targets.joined(separator: " and "))\(isOptional ? " (optional\(benefit.map { ": \($0)" } ?? ""))" : "")"
  }
}
