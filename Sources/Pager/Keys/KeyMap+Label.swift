extension KeyMap {
  /// Keys as displayed to the user: `Esc`, `Ctrl-X`, `Alt-m`, `y c`, `F5`.
  package static func label(_ notation: String) -> String {
    notation.split(separator: " ").map { label(ofKey: String($0)) }.joined(separator: " ")
  }

  private static func label(ofKey notation: String) -> String {
    let isHyphen = notation.hasSuffix("-")
    let parts = notation.split(separator: "-").map(String.init)
    let modifiers = isHyphen ? parts : parts.dropLast()
    let name = isHyphen ? "-" : parts.last ?? ""
    let shown =
      name.count > 1
      ? names[name] ?? capitalized(name) : modifiers.contains("ctrl") ? name.uppercased() : name
    return (modifiers.map(capitalized) + [shown]).joined(separator: "-")
  }

  private static let names = ["pageup": "PgUp", "pagedown": "PgDn"]

  private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
}
