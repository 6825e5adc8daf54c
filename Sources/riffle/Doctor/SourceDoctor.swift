import Config
import Search
import Text

/// Checks the sources and the credentials they would use. No program is run and no secret is read.
struct SourceDoctor {
  let catalog: Catalog
  let environment: [String: String]
  let files: FileAccess

  func sources() -> [DoctorCheck] {
    let (entries, problems) = catalog.all()
    let own = entries.count { $0.provenance != .builtIn }
    let count = DoctorCheck.fine("\(Digits.counted(entries.count, "source")), \(own) of them your own")
    return [count]
      + problems.map {
        .problem("\($0)", remedy: "fix the file, then run riffle sources check")
      }
      + entries.compactMap(distrust)
  }

  private func distrust(of entry: CatalogEntry) -> DoctorCheck? {
    guard case .untrusted(let reason) = entry.trust, !entry.source.credentialUses.isEmpty else { return nil }
    return .problem(
      "\(entry.source.id) cannot use credentials: \(entry.provenance) \(reason)",
      remedy: "make the file and its folders writable only by you, or use --trust")
  }

  // MARK: Credentials

  func credentials() -> [DoctorCheck] {
    let results = catalog.all().entries.flatMap { entry in
      entry.source.credentialUses.map { result($0, of: entry) }
    }
    return results.isEmpty ? [.fine("no source uses credentials")] : results
  }

  private func result(_ use: CredentialUse, of entry: CatalogEntry) -> DoctorCheck {
    let places = use.places.filter(\.isVariable) + use.places.filter { !$0.isVariable }
    let target = use.origin.map { " for \($0)" } ?? ""
    if let place = places.first(where: isThere) {
      if case .file(let path) = place, let status = try? files.status(expanded(path)),
        status.permissions & 0o044 != 0
      {
        return .warning(
          "\(entry.source.id): \(place) is readable by others (mode \(status.mode))\(target)",
          remedy: "chmod 600 \(expanded(path))")
      }
      return .fine("\(entry.source.id): \(place) \(state(of: place))\(target)")
    }
    let looked = places.map { "\($0) \(state(of: $0))" }.joined(separator: ", ")
    let text = "\(entry.source.id): \(looked)\(use.isOptional ? " (optional)" : "")"
    if use.isOptional || entry.provenance == .builtIn { return .note(text) }
    return .problem(
      text, remedy: "set one of them: \(entry.source.id) sends no requests without a credential")
  }

  private func isThere(_ place: SecretOrigin) -> Bool {
    switch place {
    case .environment(let name): environment[name]?.isEmpty == false
    case .command(let words): path(of: words) != nil
    case .file(let path): (try? files.status(expanded(path))) != nil
    }
  }

  private func state(of place: SecretOrigin) -> String {
    switch place {
    case .environment: isThere(place) ? "is set" : "is not set"
    case .command(let words): path(of: words).map { "runs \($0)" } ?? "is not installed"
    case .file: isThere(place) ? "exists" : "does not exist"
    }
  }

  private func path(of words: [String]) -> String? {
    words.first.flatMap(ExecutableSearch(environment: environment).path)
  }

  private func expanded(_ path: String) -> String {
    path.hasPrefix("~/") ? (environment["HOME"] ?? "~") + path.dropFirst() : path
  }
}

extension SecretOrigin {
  fileprivate var isVariable: Bool { if case .environment = self { true } else { false } }
}
