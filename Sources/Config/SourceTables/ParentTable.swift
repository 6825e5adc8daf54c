import JSON
import Search
private import Text

extension Parent {
  static let table = KeyTable<Parent>(
    "[parent]",
    "The source lists the children of another source's rows, such as a project's issues. `--set NAME=VALUE` requests one of these lists, `--each` all of them. Enter in the pager opens the list of a row. An option with the name of a parent further up, declared as `[options.NAME]`, gets that parent's value.",
    Parent(),
    [
      SourceKey(
        "name", .text.named("`a-z0-9_`"), \.name,
        required: "the name of the option for the value of a parent's row, like \"project\"",
        "The option that holds the value of a parent's row, used as `{NAME}` in the request. It need not be declared."
      ),
      SourceKey(
        "source", .text.named("the id of a source"),
        "The source whose rows are the parents. It may have a parent itself."
      ) {
        $0.rows = .source($1)
      },
      SourceKey(
        "values",
        KeyKind(words: "a list of strings") { reader, key in
          reader.contains(key) ? reader.strings(key).map(\.text) : nil
        },
        "The values themselves, if no source lists them. `--set` accepts no others."
      ) { $0.rows = .values($1) },
      SourceKey(
        "values_from", .parsed("`\"env:NAME\"`", variable),
        "The values, separated by commas, in an environment variable."
      ) { $0.rows = .variable($1) },
      SourceKey("value", .response, \.value, "With `source`: the value of a parent's row."),
      SourceKey(
        "where", .condition, \.condition, "With `source`: only rows that meet this condition have a list."),
      SourceKey(
        "columns", .paths, \.copies,
        "With `source`: values of a parent's row that riffle copies to each row of its list, as `parent.NAME`. `@parent` is the parent's value. In `json` and `jsonl`, they are in the field `parent`."
      ),
      SourceKey(
        "hosts", .hosts, \.hosts,
        "Other hosts that the parents may come from. Required if the source sends a credential and the parents have another host."
      ),
    ]
  ) { reader, parent in
    reader.checkOnlyOne(
      of: ["source", "values", "values_from"], missing: "a parent needs source, values or values_from")
    if case .source = parent.rows {
      reader.require("value", "the value of a parent's row, like \"id\"")
    } else if !reader.isFragment {
      reader.refuse(["value", "where", "columns", "hosts"], "requires source")
    }
    if case .values(let values) = parent.rows, values.isEmpty || values.contains("") {
      if reader.contains("values") {
        reader.report("expected at least one value, and none that is empty", for: "values")
      }
    }
    if reader.value("name")?.string != nil, !TOMLText.isBareKey(parent.name) {
      reader.report("expected a name of letters, digits, - and _", for: "name")
    } else if Placeholders.fixed.contains(parent.name) {
      reader.report("{\(parent.name)} is a built-in placeholder. Choose another name", for: "name")
    }
    let names = parent.copies.map { $0.lastName ?? "" }
    for (index, path) in parent.copies.enumerated() {
      if path.isPlural || names[index].isEmpty {
        reader.report("\(Wording.quoted("\(path)")): expected the path of one field", for: "columns")
      } else if names[..<index].contains(names[index]) {
        reader.report("two columns would be named parent.\(names[index])", for: "columns")
      }
    }
  }

  @Sendable private static func variable(_ text: String) throws -> String {
    guard text.hasPrefix("env:"), text.utf8.count > 4 else { throw ValueFormatError("expected \"env:NAME\"") }
    return String(text.dropFirst(4))
  }

  /// The option that holds its value: as declared, else any text, or one of the values.
  func option(declared options: [SourceOption]) -> SourceOption? {
    if name.isEmpty || options.contains(where: { $0.name == name }) { return nil }
    var option = SourceOption(name: name)
    if case .values(let values) = rows { option.values = values.filter { !$0.isEmpty } }
    return option
  }

  /// The columns of what is copied.
  var columns: [Column] {
    copies.compactMap { path in
      let name = path.lastName ?? ""
      guard let value = try? ValueExpression(parsing: "parent[\(JSONText.quoted(name))]") else { return nil }
      var column = Column(name: "\(Self.columnPrefix)\(name)", title: "Parent \(name)", value: value)
      column.priority = Self.columnPriority
      return column
    }
  }

  /// They are the same in all rows of a list, so they are hidden first.
  private static let columnPriority = 1_000
}

extension KeyKind<[JSONPath]> {
  /// One path or a list of paths.
  fileprivate static var paths: KeyKind {
    KeyKind(words: "a list of paths") { reader, key in
      let texts = reader.strings(key)
      return texts.compactMap { text in
        do { return try JSONPath(text.text) } catch {
          reader.report("\(error)", for: key, at: text.position)
          return nil
        }
      }
    }
  }
}
