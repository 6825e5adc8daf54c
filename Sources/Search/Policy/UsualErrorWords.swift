/// What a service says of an error where services usually say it, for a source that does not tell where that is.
enum UsualErrorWords {
  private static let names = [
    "message", "error_description", "error", "detail", "title", "description", "reason", "msg",
  ]

  /// Nil when none of the usual members holds a text.
  static func found(in document: JSONDocument) -> String? {
    let root = document.root
    return words(of: root) ?? root["error"].flatMap(words)
      ?? root["errors"]?[0].flatMap { $0.string ?? words(of: $0) }
  }

  private static func words(of object: JSONValue) -> String? {
    names.lazy.compactMap { object[$0]?.string }.first { !$0.isEmpty }
  }
}
