import Search

extension SourceOption {
  /// `[options.NAME]`.
  init?(_ entry: TOMLTable.Entry, _ reader: inout TableReader) {
    let values = Self.scalars("values", &reader)
    let standard = Self.scalars("default", &reader).first
    if case .array? = reader.value("default")?.content {
      reader.report("expected one value, found an array", for: "default")
    }
    self.init(
      name: entry.key, title: reader.string("title"),
      kind: Self.kind(values + [standard].compactMap(\.self)), values: values.compactMap(\.scalarText),
      defaultValue: standard?.scalarText, charset: reader.parsed("charset") { try Charset($0) },
      maxLength: reader.integer("max_length", in: 1...10_000), key: Self.key(&reader))
    check(values, standard, &reader)
    if !Self.isName(entry.key) {
      reader.report("expected a name of letters, digits, - and _", for: nil, at: entry.position)
      return nil
    }
    if Placeholders.fixed.contains(entry.key) {
      reader.report(
        "{\(entry.key)} is a built-in placeholder. Choose another name", for: nil, at: entry.position)
      return nil
    }
  }

  /// One scalar or a list of scalars.
  private static func scalars(_ key: String, _ reader: inout TableReader) -> [TOMLValue] {
    guard let value = reader.value(key) else { return [] }
    let elements = if case .array(let elements) = value.content { elements } else { [value] }
    return elements.filter { element in
      if element.scalarText != nil { return true }
      reader.report(
        "expected a string, a number or a boolean, found \(element.oddName)", for: key, at: element.position)
      return false
    }
  }

  /// The common type of all values; text if they differ.
  private static func kind(_ values: [TOMLValue]) -> Kind {
    let kinds = Set(
      values.map { value in
        switch value.content {
        case .integer, .float: Kind.number
        case .bool: Kind.boolean
        case .string, .date, .array, .table: Kind.text
        }
      })
    return kinds.count == 1 ? kinds.first ?? .text : .text
  }

  /// Checks that the listed values and the default are allowed themselves.
  private func check(_ stated: [TOMLValue], _ standard: TOMLValue?, _ reader: inout TableReader) {
    if let standard, let text = standard.scalarText {
      if isClosed, !values.contains(text) {
        reader.report(Wording.badChoice(text, among: values), for: "default")
      } else if !values.contains(text) {
        check(text, for: "default", at: standard.position, &reader)
      }
    }
    for value in stated {
      if let text = value.scalarText { check(text, for: "values", at: value.position, &reader) }
    }
  }

  private func check(
    _ text: String, for key: String, at position: FilePosition, _ reader: inout TableReader
  ) {
    if let charset, !charset.covers(text) {
      reader.report(
        "\(Wording.quoted(text)) has characters outside charset \(charset)", for: key, at: position)
    }
    if let maxLength, text.count > maxLength {
      reader.report("\(Wording.quoted(text)) is longer than max_length", for: key, at: position)
    }
  }

  private static func key(_ reader: inout TableReader) -> Character? {
    guard let text = reader.string("key") else { return nil }
    guard text.utf8.count == 1, let key = text.utf8.first, key > 0x20, key < 0x7F else {
      reader.report("expected one ASCII character, found \(Wording.quoted(text))", for: "key")
      return nil
    }
    return text.first
  }

  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy(\.isBareKeyByte)
  }
}
