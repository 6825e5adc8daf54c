import Search

/// Whether `request.url` always gives an address, and never one whose host somebody else chooses.
struct AddressCheck {
  let template: Template
  let placeholders: Placeholders

  /// Empty when it is fine.
  var problems: [String] {
    let found = baseProblems + hostProblems
    return found.isEmpty ? sampleProblems : found
  }

  /// The option that stands for scheme and host.
  private var base: SourceOption? { template.baseName.flatMap(placeholders.option) }

  private var baseProblems: [String] {
    guard let name = template.baseName else { return [] }
    guard let base else { return ["{\(name)} cannot stand for scheme and host; an option can"] }
    if template.pieces.count > 1, !template.pieces[1].beginsPath {
      return ["{\(name)} stands for scheme and host; a / must follow it"]
    }
    return (base.values + [base.defaultValue].compactMap(\.self))
      .filter { !Self.isBase($0) }
      .map { "option \(name): \(Wording.quoted($0)) is no base address like \"https://example.org\"" }
  }

  /// A placeholder in the host needs a closed list of values.
  private var hostProblems: [String] {
    template.namesInAuthority
      .filter { placeholders.option($0)?.values.isEmpty ?? true }
      .map { "{\($0)} becomes part of the host and needs an option with values" }
  }

  private var sampleProblems: [String] {
    let sample = placeholders.sample(template)
    do {
      let url = try WebURL(sample)
      return url.hasUserinfo ? ["a user name or password has no place in an address; use [auth]"] : []
    } catch { return ["\(error)"] }
  }

  private static func isBase(_ text: String) -> Bool {
    guard !text.contains("#"), let url = try? WebURL(text) else { return false }
    return !url.hasUserinfo && url.query == nil
  }
}

extension Template.Piece {
  fileprivate var beginsPath: Bool {
    if case .literal(let text) = self { text.hasPrefix("/") || text.hasPrefix("?") } else { false }
  }
}

extension Template {
  /// The placeholder the text begins with: scheme and host.
  var baseName: String? {
    if case .placeholder(let placeholder)? = pieces.first { placeholder.name } else { nil }
  }

  /// The placeholders between `//` and the path.
  fileprivate var namesInAuthority: [String] {
    guard case .literal(let start)? = pieces.first, let slashes = start.firstRange(of: "//") else {
      return []
    }
    var names: [String] = []
    var text = start[slashes.upperBound...]
    for piece in pieces.dropFirst() {
      if text.contains(where: { "/?#".contains($0) }) { break }
      switch piece {
      case .literal(let literal): text += literal
      case .placeholder(let placeholder): names.append(placeholder.name)
      }
    }
    return names
  }
}
