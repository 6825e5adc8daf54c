package import Search

/// Finds the credential of a source. Everything it looks at is a parameter; it runs once a run, in an effect.
package struct SecretResolver: Sendable {
  private let environment: [String: String]
  private let files: FileAccess
  private let run: @Sendable ([String]) async throws -> String

  /// - Parameter run: runs a program with its arguments, without a shell, and gives what it printed.
  package init(
    environment: [String: String], files: FileAccess,
    run: @escaping @Sendable ([String]) async throws -> String
  ) {
    self.environment = environment
    self.files = files
    self.run = run
  }

  /// The credential of a source, with its place in a request; nil when there is none and none is needed.
  ///
  /// - Parameters:
  ///   - options: those the user has chosen; they may change the origin that is asked.
  ///   - isTrustedAnyway: the user said `--trust`.
  package func credential(
    for entry: CatalogueEntry, options: [String: String] = [:], isTrustedAnyway: Bool = false
  ) async throws(SecretProblem) -> PlacedCredential? {
    let source = entry.source
    guard let authorization = source.authorization, let origin = source.origin(options: options) else {
      return nil
    }
    if case .untrusted(let reason) = entry.trust, !isTrustedAnyway {
      throw .untrusted(Refusal(entry, authorization, origin), reason: reason)
    }
    if let configured = source.origin(options: [:]), configured != origin {
      if authorization.isOptional { return nil }
      throw .otherOrigin(Refusal(entry, authorization, origin), configured: configured)
    }
    if origin.scheme == .http, origin.hostClass != .loopback {
      throw .plainHTTP(Refusal(entry, authorization, origin))
    }
    return try await search(authorization, Refusal(entry, authorization, origin))
  }

  package typealias Refusal = SecretProblem.Refusal

  /// The first place that holds a secret, the environment before the others.
  private func search(
    _ authorization: Authorization, _ refusal: Refusal
  ) async throws(SecretProblem) -> PlacedCredential? {
    var looked: [String] = []
    for place in authorization.from.filter(\.isInEnvironment)
      + authorization.from.filter({ !$0.isInEnvironment })
    {
      let finding = await find(place)
      switch finding {
      case .nothing(let reason): looked.append("\(place) \(reason)")
      case .secret(let text):
        guard text.utf8.allSatisfy({ 0x20 <= $0 && $0 < 0x7F }) else { throw .unusable(refusal, place) }
        return authorization.placed(text, from: place)
      }
    }
    if authorization.isOptional { return nil }
    throw .missing(refusal, looked: looked)
  }

  private enum Finding {
    case secret(String)
    /// Why not, as the end of a sentence.
    case nothing(String)
  }

  private func find(_ place: SecretOrigin) async -> Finding {
    switch place {
    case .environment(let name): return Self.firstLine(environment[name] ?? "", orElse: "is not set")
    case .file(let path):
      do {
        let bytes = try files.read(expanded(path)).bytes
        return Self.firstLine(String(decoding: bytes, as: UTF8.self), orElse: "begins with an empty line")
      } catch { return .nothing(error.description) }
    case .command(let words):
      do { return Self.firstLine(try await run(words), orElse: "printed nothing") } catch {
        return .nothing("failed: \(error)")
      }
    }
  }

  private static func firstLine(_ text: String, orElse reason: String) -> Finding {
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
}

extension Authorization {
  fileprivate func placed(_ secret: String, from place: SecretOrigin) -> PlacedCredential {
    switch scheme {
    case .header(let name, let prefix):
      PlacedCredential(place: .header(name), secret: Secret(prefix + secret), provenance: place.description)
    case .query(let name):
      PlacedCredential(place: .query(name), secret: Secret(secret), provenance: place.description)
    }
  }
}

extension Source {
  /// Where requests go; nil when an option that the address needs has no value.
  fileprivate func origin(options chosen: [String: String]) -> Origin? {
    let address = endpoint.url.filled { name in
      chosen[name] ?? self.options.first { $0.name == name }?.defaultValue ?? "x"
    }
    return address.flatMap { try? WebURL($0) }?.origin
  }
}
