import Search

extension RowAction {
  /// The actions of `[actions.NAME]`. Their keys must be distinct.
  static func all(_ reader: inout TableReader, _ scope: RowScope) -> [RowAction] {
    var names: [Character: String] = [:]
    return reader.namedTables("actions") { entry, reader in
      let action = RowAction(entry.key, &reader, scope)
      if let action, let other = names.updateValue(action.name, forKey: action.key) {
        reader.report("is already the key of action \(Wording.quoted(other))", for: "key")
      }
      return action
    }
  }

  private init?(_ name: String, _ reader: inout TableReader, _ scope: RowScope) {
    reader.require("key", "the character to press after \",\"")
    let key = Self.key(&reader)
    let effect = Self.effect(&reader, scope)
    guard let key, let effect else { return nil }
    self.init(name: name, key: key, effect: effect)
  }

  private static func key(_ reader: inout TableReader) -> Character? {
    guard let text = reader.string("key") else { return nil }
    if let key = text.first, text.count == 1,
      key.isLetter || key.isNumber || key.isPunctuation || key.isSymbol
    {
      return key
    }
    reader.report("expected one character, like \"c\", found \(Wording.quoted(text))", for: "key")
    return nil
  }

  private static func effect(_ reader: inout TableReader, _ scope: RowScope) -> Effect? {
    let address = reader.expression("open", placing: scope.options)
    let text = reader.expression("copy", placing: scope.options)
    switch (reader.contains("open"), reader.contains("copy")) {
    case (true, true): reader.report("open and copy cannot be used together", for: "copy")
    case (false, false): reader.report("missing: an action needs open or copy", for: "open")
    default: break
    }
    if address?.templates.contains(where: { !$0.isAddress }) ?? false {
      reader.report("expected an address that starts with http:// or https://", for: "open")
    }
    return address.map { .open($0) } ?? text.map { .copy($0) }
  }
}
