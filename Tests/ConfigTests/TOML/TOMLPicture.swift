import Config

/// A document as lines: position of the key, dotted name, position of the value, value.
func picture(_ text: String) -> String {
  do { return lines(try TOMLDocument(text, file: "t.toml").root, []).joined(separator: "\n") } catch {
    return error.description
  }
}

private func lines(_ table: TOMLTable, _ path: [String]) -> [String] {
  table.entries.flatMap { entry in
    let place = "\(entry.position.line):\(entry.position.column)"
    return lines(entry.value, (path + [entry.key]).joined(separator: "."), place)
  }
}

private func lines(_ value: TOMLValue, _ name: String, _ keyPlace: String) -> [String] {
  let start = "\(keyPlace) \(name) @\(value.position.line):\(value.position.column)"
  switch value.content {
  case .string(let text): return ["\(start) \(text.debugDescription)"]
  case .integer(let number): return ["\(start) \(number)"]
  case .float(let number): return ["\(start) \(number)"]
  case .bool(let flag): return ["\(start) \(flag)"]
  case .date(let text): return ["\(start) \(text)"]
  case .table(let table): return ["\(start) {}"] + lines(table, [name])
  case .array(let elements):
    return ["\(start) []"]
      + elements.enumerated().flatMap { lines($0.element, "\(name)[\($0.offset)]", "-") }
  }
}
