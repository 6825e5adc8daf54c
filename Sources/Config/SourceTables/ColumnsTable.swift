import Search
private import Text

extension Column {
  /// The columns of `[[columns]]`; each has a name of its own.
  static func all(_ reader: inout TableReader) -> [Column] {
    var names: Set<String> = []
    return reader.tables("columns") { Column(&$0, names: &names) }
  }

  private init?(_ reader: inout TableReader, names: inout Set<String>) {
    reader.require("path", "where the value stands in a row")
    let value = reader.expression("path")
    let title = reader.string("title")
    let name = Self.name(&reader, value: value, title: title, taken: &names)
    let format = Self.format(&reader)
    let alignment = Self.alignment(&reader)
    let width = reader.table("width") { ColumnWidth(&$0) } ?? .natural
    let priority = reader.integer("priority", in: 0...1_000) ?? 0
    let role = Self.role(&reader)
    let separator = reader.string("join") ?? ", "
    let empty = reader.string("empty") ?? ""
    _ = reader.choice("html", among: ["none"], later: ["strip", "entities"])
    reader.refuseForNow("zone", "wrap", "when")
    guard let value else { return nil }
    self.init(
      name: name, title: title ?? Self.title(name: name), value: value, format: format ?? .text,
      alignment: alignment, width: width, priority: priority, role: role, separator: separator, empty: empty)
  }

  /// The name stated, which must be free; else one made from the path or the title, with a number when
  /// another column has it.
  private static func name(
    _ reader: inout TableReader, value: ValueExpression?, title: String?, taken: inout Set<String>
  ) -> String {
    if let name = reader.string("name") {
      if name.isEmpty || identifier(name) != name {
        reader.report("a name has only a–z, 0–9 and _; write \"\(identifier(name))\"", for: "name")
      } else if taken.contains(name) {
        reader.report("another column is called \"\(name)\"", for: "name")
      }
      taken.insert(name)
      return name
    }
    let base = identifier(value?.lastName ?? title ?? "value")
    var name = base
    var number = 2
    while !taken.insert(name).inserted {
      name = "\(base)_\(number)"
      number += 1
    }
    return name
  }

  /// `full_name` is headed "Full name".
  private static func title(name: String) -> String {
    let words = name.split(separator: "_").joined(separator: " ")
    return words.isEmpty ? name : words.prefix(1).uppercased() + words.dropFirst()
  }

  private static func format(_ reader: inout TableReader) -> ColumnFormat? {
    reader.choice("format", among: ColumnFormat.all.map(\.name), later: ["markdown"])
      .flatMap(ColumnFormat.named)
  }

  private static func alignment(_ reader: inout TableReader) -> Alignment? {
    switch reader.choice("align", among: ["left", "right", "center"]) {
    case "left"?: .leading
    case "right"?: .trailing
    case "center"?: .center
    default: nil
    }
  }

  private static func role(_ reader: inout TableReader) -> Role? {
    if case .table? = reader.value("color")?.content {
      reader.report("a map of colors is \(Wording.notSupported)", for: "color")
      return nil
    }
    return reader.choice("color", of: Role.self)
  }
}

extension ColumnWidth {
  /// `width = {fixed}` or `{min, max, weight}`, in terminal columns.
  fileprivate init?(_ reader: inout TableReader) {
    let fixed = reader.integer("fixed", in: 1...1_000)
    let least = reader.integer("min", in: 1...1_000)
    let most = reader.integer("max", in: 1...1_000)
    let weight = reader.integer("weight", in: 0...1_000) ?? 0
    if let fixed {
      if ["min", "max", "weight"].contains(where: reader.contains) {
        reader.report("fixed excludes min, max and weight", for: "fixed")
      }
      self = .fixed(fixed)
    } else {
      if let least, let most, least > most {
        reader.report("min = \(least) is above max = \(most)", for: "min")
      }
      self = .flexible(min: least, max: most, weight: weight)
    }
  }
}
