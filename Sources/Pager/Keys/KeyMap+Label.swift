extension KeyMap {
  /// Keys as they are shown to people: `Esc`, `Ctrl-X`, `Alt-m`, `y c`, `F5`.
  package static func label(_ notation: String) -> String {
    notation.split(separator: " ").map { key in
      let parts = key.split(separator: "-", omittingEmptySubsequences: true).map(String.init)
      guard key != "-", let last = parts.last else { return String(key) }
      let modifiers = parts.dropLast().map(capitalised)
      let name = parts.contains("ctrl") && last.count == 1 ? last.uppercased() : last.count > 1 ? capitalised(last) : last
      return (modifiers + [names[last] ?? name]).joined(separator: "-")
    }.joined(separator: " ")
  }

  private static let names = ["pageup": "PgUp", "pagedown": "PgDn"]

  private static func capitalised(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
}
