package import Search
import Text

/// `[actions.NAME]` of a source and of a settings file, while it is read.
struct ActionDraft: Sendable {
  var key: Character?
  var effect: RowAction.Effect?
  var words: [ValueTemplate] = []
  var rows = RowCommand.Rows.each
  var usesTerminal = false
  var summary: String?
  var sources: [TableReader.PlacedText] = []

  /// Nil if a problem was reported.
  fileprivate func action(named name: String) -> RowAction? {
    let program = words.isEmpty ? nil : RowCommand(words, rows: rows, usesTerminal: usesTerminal)
    guard let key, let effect = program.map({ .run($0) }) ?? effect else { return nil }
    return RowAction(name: name, key: key, effect: effect, summary: summary)
  }
}

extension ActionDraft {
  fileprivate static let keyEntry = SourceKey<ActionDraft>(
    "key", KeyKind(words: "one character") { readKey(&$0, $1) }, \.key,
    required: "the character to press after \",\"", "The key.")

  fileprivate static let runEntries: [SourceKey<ActionDraft>] = [
    SourceKey(
      "run", KeyKind(words: "a list of strings") { readWords(&$0, $1) }, \.words,
      "A program and its arguments, run without a shell. `{path}` is replaced by a value of the row, and is always one argument or a part of it."
    ),
    SourceKey(
      "rows", .choice, \.rows,
      "With `each`, the default, the program runs once for each marked row, else for the selected one. With `together` it runs once, and an argument that is one placeholder is repeated for each row."
    ),
    SourceKey(
      "foreground", .bool, \.usesTerminal,
      "Whether the program gets the terminal until it ends. Otherwise it runs in the background, and `program-output` shows its output."
    ),
    SourceKey("summary", .text, \.summary, "The description in help and the palette. Default: the command."),
  ]

  /// An action of the settings runs a program.
  static let settings = KeyTable<ActionDraft>(
    "[actions.NAME]",
    "An action of your own: a program for the selected or marked rows, run by the comma key (`,`) followed by the key of the action.",
    ActionDraft(),
    [keyEntry] + runEntries + [
      SourceKey(
        "sources", KeyKind(words: "a list of strings") { $0.strings($1) }, \.sources,
        "The sources with this action. Default: all.")
    ]
  ) { reader, draft in
    reader.require("run", "the program and its arguments, like \(example)")
    checkPlaceholders(&reader, draft)
  }

  /// Whether each placeholder of a program that runs once for all rows is a whole argument.
  fileprivate static func checkPlaceholders(_ reader: inout TableReader, _ draft: ActionDraft) {
    guard draft.rows == .together, !draft.words.isEmpty else { return }
    let placing = draft.words.enumerated().filter { $1.pieces.contains { $0.name != nil } }
    if placing.isEmpty {
      reader.report("expected an argument like \"{id}\" to repeat for each row, found none", for: "run")
    }
    for (index, word) in placing where !word.isPlaceholder {
      let elements = reader.value("run")?.elements ?? []
      reader.report(
        "with rows = \"together\" a placeholder is a whole argument, like \"{id}\"", for: "run",
        at: elements.indices.contains(index) ? elements[index].position : nil)
    }
  }

  private static let example = #"["gh", "repo", "clone", "{full_name}"]"#

  /// Nil if a problem was reported.
  private static func readWords(_ reader: inout TableReader, _ key: String) -> [ValueTemplate]? {
    guard let value = reader.value(key) else { return nil }
    guard case .array(let elements) = value.content else {
      reader.report("expected a list of strings like \(example), found \(value.kindName)", for: key)
      return nil
    }
    let options = Set(reader.scope.options.map(\.name))
    var words: [ValueTemplate] = []
    for text in reader.strings(key) {
      do {
        let word = try ValueTemplate(text.text, options: options)
        if words.isEmpty, word.pieces.contains(where: { $0.name != nil }) {
          reader.report("the program cannot have a placeholder", for: key, at: text.position)
        }
        if let problem = reader.scope.enclosingProblem(of: ValueExpression([.template(word)])) {
          reader.report(problem, for: key, at: text.position)
        }
        words.append(word)
      } catch {
        reader.report(error.problem, for: key, at: text.position)
      }
    }
    guard words.count == elements.count else { return nil }
    if words.first?.pieces.isEmpty ?? true {
      reader.report("expected a program and its arguments, like \(example), found none", for: key)
      return nil
    }
    return words
  }

  private static func readKey(_ reader: inout TableReader, _ name: String) -> Character? {
    guard let text = reader.string(name) else { return nil }
    if let key = text.first, text.count == 1,
      key.isLetter || key.isNumber || key.isPunctuation || key.isSymbol
    {
      return key
    }
    reader.report("expected one character, like \"c\", found \(Wording.quoted(text))", for: name)
    return nil
  }
}

extension RowAction {
  /// The actions of `[actions.NAME]` of a source. Their keys must be distinct.
  static func all(_ reader: inout TableReader) -> [RowAction] {
    var names: [Character: String] = [:]
    return reader.namedTables("actions") { entry, reader in
      guard let action = table.value(&reader).action(named: entry.key) else { return nil }
      if let other = names.updateValue(action.name, forKey: action.key) {
        reader.report("is already the key of action \(Wording.quoted(other))", for: "key")
      }
      return action
    }
  }

  static let table = KeyTable<ActionDraft>(
    "[actions.NAME]",
    "An action on a row, run by the comma key (`,`) followed by the key of the action. It opens a URL, copies a string or runs a program. Only a source file of your own that nobody else can write may run programs.",
    ActionDraft(),
    [
      ActionDraft.keyEntry,
      SourceKey("open", .address, "The URL to open.") { $0.effect = .open($1) },
      SourceKey("copy", .row, "The string to copy.") { $0.effect = .copy($1) },
    ] + ActionDraft.runEntries
  ) { reader, draft in
    reader.checkOnlyOne(of: ["open", "copy", "run"], missing: "an action needs open, copy or run")
    for key in ["rows", "foreground"] where reader.contains(key) && !reader.contains("run") {
      reader.report("only an action with run has it", for: key)
    }
    ActionDraft.checkPlaceholders(&reader, draft)
  }
}

extension KeyKind<ValueExpression> {
  fileprivate static var address: KeyKind {
    KeyKind(words: "an expression") { reader, key in
      let address = reader.expression(key, placing: reader.scope.options)
      if address?.templates.contains(where: { !$0.isAddress }) ?? false {
        reader.report("expected a URL that starts with http:// or https://", for: key)
      }
      return address
    }
  }
}

// MARK: Of the settings

/// An action of the user's own: `[actions.NAME]` of a settings file.
package struct UserAction: Sendable, Hashable {
  package let action: RowAction
  /// The names of the sources that have it; empty for all.
  package let sources: [String]

  /// Whether a source has it.
  package func isFor(_ source: Source) -> Bool {
    sources.isEmpty || ([source.id] + source.aliases).contains(where: sources.contains)
  }
}

/// A `UserAction` with its places in the file.
struct WrittenAction: Sendable {
  let action: UserAction
  let sources: [TableReader.PlacedText]
  let table: TOMLTable
  /// Of its name.
  let position: FilePosition

  /// The actions of a settings file. Actions of the same source must have different keys.
  static func all(_ reader: inout TableReader) -> [WrittenAction] {
    var earlier: [UserAction] = []
    return reader.namedTables("actions") { entry, reader in
      let draft = ActionDraft.settings.value(&reader)
      guard reader.hasName(entry), let action = draft.action(named: entry.key), let table = entry.value.table
      else { return nil }
      let own = UserAction(action: action, sources: draft.sources.map(\.text))
      if let other = earlier.first(where: { $0.action.key == action.key && $0.overlaps(own) }) {
        reader.report("is already the key of action \(Wording.quoted(other.action.name))", for: "key")
      }
      earlier.append(own)
      return WrittenAction(action: own, sources: draft.sources, table: table, position: entry.position)
    }
  }

  /// The position of the program, for a file that may not name one.
  var programPosition: FilePosition { table["run"]?.position ?? position }

  var header: String { "[\(TableReader.name(["actions", action.action.name]))]" }

  var report: [ReportedSetting] {
    table.entries.map { entry in
      ReportedSetting(
        key: "actions.\(TOMLText.key(action.action.name)).\(TOMLText.key(entry.key))",
        value: entry.value.inlineText,
        origin: .file(entry.value.position))
    }
  }
}

extension UserAction {
  fileprivate func overlaps(_ other: UserAction) -> Bool {
    sources.isEmpty || other.sources.isEmpty || sources.contains(where: other.sources.contains)
  }
}
