import Search
private import Text

extension Column {
  /// The columns of `[[columns]]`. Their names must be distinct.
  static func all(_ reader: inout TableReader) -> [Column] {
    var names: Set<String> = []
    return reader.tables("columns") { reader in
      var column = table.value(&reader)
      column.complete(&reader, names: &names)
      return column
    }
  }

  /// `[[columns]]`.
  static let table = KeyTable<Column>(
    "[[columns]]",
    "In order. Without any, all keys of the first page are columns, and tables show six of them.",
    Column(name: "", value: .none),
    [
      SourceKey(
        "path", .row, \.value, required: "the path of the value in a row", "Where the value is in a row."),
      SourceKey("title", .text, \.title, "The heading. Default: made from the name."),
      SourceKey(
        "name", .text.named("`a-z0-9_`"), \.name,
        "The name for `--columns` and `--sort`. Default: the last key of the path."),
      SourceKey(
        "format", .word(ColumnFormat.all.map { ($0.name, $0) }).named("a format"), \.format,
        "One of the column formats below. Default: `text`."),
      SourceKey(
        "html", .choice, \.markup, "How to handle HTML: keep it, strip tags, or decode entities only."),
      SourceKey("when", .condition, \.condition, "If it is not met, the value is empty."),
      SourceKey("zone", "`\"UTC\"` or `\"+09:00\"`", "The time zone of times without one.") {
        $1.zone = Column.zone(&$0, $1.format) ?? 0
      },
      SourceKey(
        "align", .word([("left", .leading), ("right", .trailing), ("center", .center)]), \.alignment,
        "The alignment. Default: depends on the format."),
      SourceKey("width", .table(WidthLimits.table), "The width, in terminal columns.") {
        $0.width = $1.width
      },
      SourceKey("wrap", .bool, \.isWrapped, "Whether to wrap long cells."),
      SourceKey(
        "priority", .integer(0...1_000), \.priority,
        "Columns with higher numbers are hidden first on a narrow screen."),
      SourceKey(
        "color", .color, \.color,
        "A role of `riffle-config`(5), or one per text: `{ map = { open = \"success\" } }`."),
      SourceKey("join", .text, \.separator, "Separator between the elements of a list. Default: `\", \"`."),
      SourceKey("empty", .text, \.empty, "Text shown for an empty value."),
    ])

  /// The given name, which must be unique; else one derived from the path or the title, with a number if it
  /// is taken.
  private mutating func complete(_ reader: inout TableReader, names: inout Set<String>) {
    let givenTitle = reader.value("title")?.string
    if reader.value("name")?.string != nil {
      if name.isEmpty || Self.identifier(name) != name {
        reader.report("expected a name of a–z, 0–9 and _, like \"\(Self.identifier(name))\"", for: "name")
      } else if names.contains(name) {
        reader.report("another column is already named \"\(name)\"", for: "name")
      }
      names.insert(name)
    } else {
      name = Self.identifier(value.lastName ?? givenTitle ?? "value", taken: &names)
    }
    title = givenTitle ?? Self.title(name: name)
    if !reader.contains("align") { alignment = format.alignment }
  }

  /// The title for `full_name` is "Full name".
  static func title(name: String) -> String {
    let words = name.split(separator: "_").joined(separator: " ")
    return words.isEmpty ? name : words.prefix(1).uppercased() + words.dropFirst()
  }

  /// Seconds east of UTC; only allowed if the format parses times.
  private static func zone(_ reader: inout TableReader, _ format: ColumnFormat) -> Int? {
    guard let text = reader.string("zone") else { return nil }
    if format.isExact {
      let times = ColumnFormat.all.filter { !$0.isExact }.map { "\"\($0.name)\"" }
      reader.report("requires format = \(Sentences.alternatives(times))", for: "zone")
    }
    guard let zone = Timestamp.zone(text) else {
      reader.report(
        "expected \"UTC\" or an offset like \"+09:00\", found \(Wording.quoted(text))", for: "zone")
      return nil
    }
    return zone
  }
}

extension KeyKind<ColumnColor> {
  /// `color = "accent"`, or `color = { map = { open = "success" } }`.
  fileprivate static var color: KeyKind {
    KeyKind(words: "a role, or a table", tables: { [ColumnColor.table.manual] }) { reader, key in
      guard case .table? = reader.value(key)?.content else {
        return reader.choice(key, of: Role.self).map { .always($0) }
      }
      return reader.table(key) { ColumnColor.table.value(&$0) }
    }
  }
}

extension ColumnColor {
  fileprivate static let table = KeyTable<ColumnColor>(
    "[columns.color]", "A role for each text.", .byText([:]),
    [
      SourceKey(
        "map", KeyKind(words: "a table") { roles(&$0, $1) },
        required: "a role for each text, like { open = \"success\" }", "`open = \"success\"`, ignoring case."
      ) { $0 = .byText($1) }
    ])

  private static func roles(_ reader: inout TableReader, _ key: String) -> [String: Role]? {
    var roles: [String: Role] = [:]
    for entry in reader.members(key) {
      guard let name = entry.value.string else {
        reader.report("expected a string, found \(entry.value.kindName)", forMember: entry, of: key)
        continue
      }
      if let role = Role(rawValue: name) {
        roles[entry.key.lowercased()] = role
      } else {
        reader.report(
          Wording.badChoice(name, among: Role.allCases.map(\.rawValue)), forMember: entry, of: key)
      }
    }
    return roles
  }
}

/// `width = {fixed}` or `{min, max, weight}`, in terminal columns.
private struct WidthLimits {
  var fixed: Int?
  var least: Int?
  var most: Int?
  var weight = 0

  var width: ColumnWidth { fixed.map { .fixed($0) } ?? .flexible(min: least, max: most, weight: weight) }

  static let table = KeyTable<WidthLimits>(
    "[columns.width]", "Either `fixed` alone, or any of the others.", WidthLimits(),
    [
      SourceKey("fixed", .integer(1...1_000), \.fixed, "Exact width."),
      SourceKey("min", .integer(1...1_000), \.least, "Minimum width."),
      SourceKey("max", .integer(1...1_000), \.most, "Maximum width, while other columns need the space."),
      SourceKey("weight", .integer(0...1_000), \.weight, "Share of the remaining space."),
    ]
  ) { reader, limits in
    if limits.fixed != nil, ["min", "max", "weight"].contains(where: reader.contains) {
      reader.report("fixed cannot be used together with min, max or weight", for: "fixed")
    } else if let least = limits.least, let most = limits.most, least > most {
      reader.report("min = \(least) is greater than max = \(most)", for: "min")
    }
  }
}
