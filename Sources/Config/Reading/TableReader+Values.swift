import Search

extension TableReader {
  /// A text and its position.
  struct PlacedText {
    let text: String
    let position: FilePosition
  }

  mutating func string(_ key: String) -> String? {
    guard let value = value(key) else { return nil }
    if let text = value.string { return text }
    report("expected a string, found \(value.kindName)", for: key)
    return nil
  }

  mutating func bool(_ key: String) -> Bool? {
    guard let value = value(key) else { return nil }
    if case .bool(let flag) = value.content { return flag }
    report("expected true or false, found \(value.kindName)", for: key)
    return nil
  }

  mutating func integer(_ key: String, in range: ClosedRange<Int>) -> Int? {
    guard let value = value(key) else { return nil }
    return integer(value, in: range, for: key)
  }

  private mutating func integer(_ value: TOMLValue, in range: ClosedRange<Int>, for key: String) -> Int? {
    let expected = "expected an integer from \(range.lowerBound) to \(range.upperBound)"
    guard case .integer(let number) = value.content else {
      report("\(expected), found \(value.kindName)", for: key, at: value.position)
      return nil
    }
    if range.contains(number) { return number }
    report("\(expected), found \(number)", for: key, at: value.position)
    return nil
  }

  /// One integer or an array of integers.
  mutating func integers(_ key: String, in range: ClosedRange<Int>) -> [Int] {
    guard let value = value(key) else { return [] }
    guard case .array(let elements) = value.content else {
      return integer(value, in: range, for: key).map { [$0] } ?? []
    }
    return elements.compactMap { integer($0, in: range, for: key) }
  }

  /// One string or an array of strings, with their positions.
  mutating func strings(_ key: String) -> [PlacedText] {
    guard let value = value(key) else { return [] }
    let elements = if case .array(let elements) = value.content { elements } else { [value] }
    return elements.compactMap { element in
      if let text = element.string { return PlacedText(text: text, position: element.position) }
      report("expected a string, found \(element.kindName)", for: key, at: element.position)
      return nil
    }
  }

  /// A duration as text, `"400ms"`.
  mutating func duration(_ key: String, in range: ClosedRange<Duration>) -> Duration? {
    guard let value = value(key) else { return nil }
    guard let text = value.string else {
      report("expected a duration like \"400ms\" or \"5m\", found \(value.kindName)", for: key)
      return nil
    }
    do { return try DurationRange(range).duration(text) } catch {
      report(error.description, for: key)
      return nil
    }
  }

  /// One of several keywords.
  mutating func choice(_ key: String, among words: [String]) -> String? {
    guard let word = string(key) else { return nil }
    if words.contains(word) { return word }
    report(Wording.badChoice(word, among: words), for: key)
    return nil
  }

  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ key: String, of type: Choice.Type
  ) -> Choice? {
    choice(key, among: type.allCases.map(\.rawValue)).flatMap(Choice.init)
  }

  /// A string parsed by `parse`; an error is reported as a problem.
  mutating func parsed<Value>(_ key: String, _ parse: (String) throws -> Value) -> Value? {
    guard let text = string(key) else { return nil }
    do { return try parse(text) } catch {
      report("\(error)", for: key)
      return nil
    }
  }

  /// An expression for a value in a reply: one expression, or a list of alternatives of which the first that
  /// yields a value is used.
  ///
  /// - Parameter options: The options that its templates may refer to, in addition to values of the reply.
  mutating func expression(_ key: String, placing options: [SourceOption] = []) -> ValueExpression? {
    if case .array([])? = value(key)?.content {
      report("expected at least one expression, found none", for: key)
    }
    let alternatives = strings(key).flatMap { expression($0, for: key, placing: options)?.alternatives ?? [] }
    return alternatives.isEmpty ? nil : ValueExpression(alternatives)
  }

  /// A single expression.
  mutating func expression(
    _ text: PlacedText, for key: String, placing options: [SourceOption]
  ) -> ValueExpression? {
    do {
      let expression = try ValueExpression(parsing: text.text, options: Set(options.map(\.name)))
      for name in expression.templates.flatMap(\.optionsInHost) {
        let option = options.first { $0.name == name }
        if let option, option.isClosed || option.charset != nil { continue }
        report(
          "{\(name)} is part of the host and needs an option with values or a charset", for: key,
          at: text.position)
      }
      return expression
    } catch {
      report(error.problem, for: key, at: text.position)
      return nil
    }
  }
}
