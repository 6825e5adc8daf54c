import Search
private import Text

extension Column {
  /// The columns of `[[columns]]`. Their names must be distinct.
  static func all(_ reader: inout TableReader, _ scope: RowScope) -> [Column] {
    var names: Set<String> = []
    return reader.tables("columns") { Column(&$0, scope, names: &names) }
  }

  private init?(_ reader: inout TableReader, _ scope: RowScope, names: inout Set<String>) {
    reader.require("path", "the path of the value in a row")
    let value = reader.expression("path", placing: scope.options)
    let title = reader.string("title")
    let name = Self.name(&reader, value: value, title: title, taken: &names)
    let format = reader.choice("format", among: ColumnFormat.all.map(\.name)).flatMap(ColumnFormat.named)
    let markup = reader.choice("html", of: Markup.self) ?? .kept
    let condition = reader.table("when") { Condition(&$0) }
    let zone = Self.zone(&reader, format)
    let alignment = Self.alignment(&reader)
    let width = reader.table("width") { ColumnWidth(&$0) } ?? .preferred
    let isWrapped = reader.bool("wrap") ?? false
    let priority = reader.integer("priority", in: 0...1_000) ?? 0
    let color = ColumnColor(&reader)
    let separator = reader.string("join") ?? ", "
    let empty = reader.string("empty") ?? ""
    guard let value else { return nil }
    self.init(
      name: name, title: title ?? Self.title(name: name), value: value, format: format ?? .text,
      markup: markup, condition: condition, zone: zone ?? 0, alignment: alignment, width: width,
      isWrapped: isWrapped, priority: priority, color: color, separator: separator, empty: empty)
  }

  /// The given name, which must be unique; else one derived from the path or the title, with a number if it
  /// is taken.
  private static func name(
    _ reader: inout TableReader, value: ValueExpression?, title: String?, taken: inout Set<String>
  ) -> String {
    if let name = reader.string("name") {
      if name.isEmpty || identifier(name) != name {
        reader.report("expected a name of a–z, 0–9 and _, like \"\(identifier(name))\"", for: "name")
      } else if taken.contains(name) {
        reader.report("another column is already named \"\(name)\"", for: "name")
      }
      taken.insert(name)
      return name
    }
    return identifier(value?.lastName ?? title ?? "value", taken: &taken)
  }

  /// The title for `full_name` is "Full name".
  static func title(name: String) -> String {
    let words = name.split(separator: "_").joined(separator: " ")
    return words.isEmpty ? name : words.prefix(1).uppercased() + words.dropFirst()
  }

  /// Seconds east of UTC; only allowed if the format parses times.
  private static func zone(_ reader: inout TableReader, _ format: ColumnFormat?) -> Int? {
    guard let text = reader.string("zone") else { return nil }
    let times: [ColumnFormat] = [.relative, .datetime, .date]
    if !times.contains(where: { $0.name == format?.name }) {
      reader.report("requires format = \"relative\", \"datetime\" or \"date\"", for: "zone")
    }
    guard let zone = Timestamp.zone(text) else {
      reader.report(
        "expected \"UTC\" or an offset like \"+09:00\", found \(Wording.quoted(text))", for: "zone")
      return nil
    }
    return zone
  }

  private static func alignment(_ reader: inout TableReader) -> Alignment? {
    switch reader.choice("align", among: ["left", "right", "center"]) {
    case "left"?: .leading
    case "right"?: .trailing
    case "center"?: .center
    default: nil
    }
  }
}

extension ColumnColor {
  /// `color = "accent"`, or `color = { map = { open = "success" } }`.
  fileprivate init?(_ reader: inout TableReader) {
    guard case .table? = reader.value("color")?.content else {
      guard let role = reader.choice("color", of: Role.self) else { return nil }
      self = .always(role)
      return
    }
    self = .byText(reader.table("color", Self.roles) ?? [:])
  }

  private static func roles(_ reader: inout TableReader) -> [String: Role]? {
    reader.require("map", "a role for each text, like { open = \"success\" }")
    var roles: [String: Role] = [:]
    for entry in reader.members("map") {
      guard let name = entry.value.string else {
        reader.report("expected a string, found \(entry.value.kindName)", forMember: entry, of: "map")
        continue
      }
      if let role = Role(rawValue: name) {
        roles[entry.key.lowercased()] = role
      } else {
        reader.report(
          Wording.badChoice(name, among: Role.allCases.map(\.rawValue)), forMember: entry, of: "map")
      }
    }
    return roles
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
        reader.report("fixed cannot be used together with min, max or weight", for: "fixed")
      }
      self = .fixed(fixed)
    } else {
      if let least, let most, least > most {
        reader.report("min = \(least) is greater than max = \(most)", for: "min")
      }
      self = .flexible(min: least, max: most, weight: weight)
    }
  }
}
