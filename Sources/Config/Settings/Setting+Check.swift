private import Search
private import Text

extension Setting {
  /// What is wrong with a value; nil if it is valid. Keys are validated by the key map.
  package func problem(of value: SettingValue) -> String? {
    switch (kind, value) {
    case (.integer(let range), .integer(let number)):
      range.contains(number) ? nil : "expected \(expectation), found \(number)"
    case (.bool, .bool), (.keys, .list): nil
    case (.choice(let words), .text(let word)):
      words.contains(word) ? nil : Wording.badChoice(word, among: words)
    case (.duration(let range, let unlimited), .text(let text)):
      text == unlimited || Self.isDuration(text, in: range)
        ? nil
        : "expected \(expectation), found \(Wording.quoted(text))"
          // A number without its unit.
          + (Self.isDuration("\(text)s", in: range) ? ". Did you mean \"\(text)s\"?" : "")
    // Nothing is read from the working directory unless it is named on the command line.
    case (.path, .text(let path)):
      path.hasPrefix("/") || path.hasPrefix("~/")
        ? nil : "expected \(expectation), found \(Wording.quoted(path))"
    case (.source, .text(let name)):
      SourceName.isValid(name) ? nil : "expected \(expectation), found \(Wording.quoted(name))"
    case (.style, .text(let words)): Self.problem(ofStyle: words)
    case (.command, .list(let words)): Self.problem(ofCommand: words)
    case (_, .integer): "expected \(expectation), found an integer"
    case (_, .bool): "expected \(expectation), found a boolean"
    case (_, .text(let text)): "expected \(expectation), found \(Wording.quoted(text))"
    case (_, .list): "expected \(expectation), found an array"
    }
  }

  private static func isDuration(_ text: String, in range: ClosedRange<Duration>) -> Bool {
    DurationText.duration(text).map(range.contains) ?? false
  }

  private static func problem(ofStyle words: String) -> String? {
    do {
      _ = try RoleStyle(words)
      return nil
    } catch { return error.description }
  }

  private static func problem(ofCommand words: [String]) -> String? {
    guard let program = words.first, !program.isEmpty else {
      return "expected a program and its arguments, like [\"xdg-open\", \"{url}\"], found none"
    }
    return words.dropFirst().contains { $0.contains("{url}") }
      ? nil : "expected {url} in the arguments, found none"
  }

  /// Converts a text from the environment to a value.
  func value(ofText text: String) -> SettingValue {
    switch kind {
    case .integer: Int(text).map { .integer($0) } ?? .text(text)
    case .bool: Bool(text).map { .bool($0) } ?? .text(text)
    case .choice, .duration, .path, .source, .style, .command, .keys: .text(text)
    }
  }

  /// A description of allowed values, for messages: `an integer from 1 to 1000`.
  package var expectation: String {
    switch kind {
    case .integer(let range): "an integer from \(range.lowerBound) to \(range.upperBound)"
    case .bool: "true or false"
    case .choice(let words): "one of \(words.map { "\"\($0)\"" }.joined(separator: ", "))"
    case .path: "an absolute path, or ~/…"
    case .source: "the name of a source, like \"github\""
    case .style: RoleStyle.expectation
    case .command: "a list of strings like [\"xdg-open\", \"{url}\"]"
    case .keys: "a key like \"j\", or a list of keys like [\"j\", \"ctrl-n\"]"
    case .duration(let range, nil): "\(DurationRange(range))"
    case .duration(let range, let word?): "\(DurationRange(range)) or \"\(word)\""
    }
  }
}
