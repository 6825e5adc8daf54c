import Search

/// Checks that `request.url` always yields an address, and never one whose host could be chosen freely.
struct AddressCheck {
  let template: Template
  let placeholders: Placeholders

  /// Empty if it is valid.
  var problems: [String] {
    if !baseProblems.isEmpty { return baseProblems }
    let found = template.addressPlaceholders.flatMap { problems(of: $0, in: $1) }
    return found.isEmpty ? sampleProblems : found
  }

  /// Problems with the option that contains scheme and host.
  private var baseProblems: [String] {
    guard let name = template.baseName else { return [] }
    guard let base = placeholders.option(name) else {
      return placeholders.isPartial ? [] : ["{\(name)} cannot be the scheme and host. Use an option for them"]
    }
    if template.pieces.count > 1, !template.pieces[1].beginsPath {
      return ["{\(name)} is the scheme and host, so a / must follow it"]
    }
    return base.declaredValues.filter { BaseAddress.problem(of: $0) != nil }
      .map { "option \(name): \(Wording.quoted($0)) is not a base URL like \"https://example.org\"" }
  }

  private func problems(of placeholder: Template.Placeholder, in part: AddressPart) -> [String] {
    let option = placeholders.option(placeholder.name)
    switch part {
    case .scheme: return ["{\(placeholder.name)} cannot be the scheme alone"]
    case .host where option != nil || !placeholders.isPartial: return hostProblems(placeholder.name, option)
    case .path:
      return (option?.declaredValues ?? []).filter { ["", ".", ".."].contains($0) }
        .map { "option \(placeholder.name): \(Wording.quoted($0)) is not allowed in a path" }
    case .base, .host, .query: return []
    }
  }

  /// An option in the host must have a list of values or a character set, so that no arbitrary host can be
  /// chosen.
  private func hostProblems(_ name: String, _ option: SourceOption?) -> [String] {
    guard let option, option.isClosed || option.charset != nil else {
      return ["{\(name)} is part of the host and needs an option with values or a charset"]
    }
    if let charset = option.charset, let legal = Self.hostCharacters, !charset.isSubset(of: legal) {
      return ["option \(name): a host can contain only letters, digits, - and ., not all of \(charset)"]
    }
    return option.declaredValues.filter { $0.isEmpty || Self.hostCharacters?.covers($0) != true }
      .map { "option \(name): \(Wording.quoted($0)) cannot be part of a host" }
  }

  /// Whether a parameter with a value has a name that only a secret has. Ambiguous names are allowed here.
  private var hasLiteralSecret: Bool {
    guard template.text.utf8.contains(UInt8(ascii: "?")) else { return false }
    let filled = template.filled { $0 == template.baseName ? "https://example.org" : "" }
    let items = filled.flatMap { try? WebURL($0) }?.queryItems ?? []
    return items.contains { LiteralSecret.isLikely(member: $0.name) && $0.value?.isEmpty == false }
  }

  private static let hostCharacters = try? Charset("a-zA-Z0-9.-")

  private var sampleProblems: [String] {
    let sample = placeholders.sample(template)
    if template.text.utf8.contains(UInt8(ascii: "#")) {
      return ["a request address cannot have a fragment (#)"]
    }
    do {
      let url = try WebURL(sample)
      if url.hasUserinfo { return ["user names and passwords are not allowed in an address. Use [auth]"] }
      return hasLiteralSecret ? [LiteralSecret.problem] : []
    } catch { return ["\(error)"] }
  }
}

extension SourceOption {
  fileprivate var declaredValues: [String] {
    values + [defaultValue].compactMap(\.self).filter { !values.contains($0) }
  }
}

extension Template.Piece {
  fileprivate var beginsPath: Bool {
    if case .literal(let text) = self { text.hasPrefix("/") || text.hasPrefix("?") } else { false }
  }
}
