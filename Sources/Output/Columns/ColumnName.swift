import Search

/// One entry of `--columns`, parsed before anything is requested.
enum ColumnName: Sendable {
  /// `*`: every member of the rows.
  case allKeys
  case reserved(ReservedColumn)
  /// A column of the source, or else a member of the rows.
  case name(String, JSONPath)
  case path(String, JSONPath)

  init(_ text: String) throws(ColumnSelectionError) {
    if text.isEmpty {
      throw ColumnSelectionError(text, "empty column name", remedy: "write columns as name,owner.login,@link")
    } else if text == "*" {
      self = .allKeys
    } else if text.hasPrefix("@") {
      let names = ReservedColumn.allCases.map(\.rawValue)
      guard let reserved = ReservedColumn(rawValue: text) else {
        throw ColumnSelectionError(
          text, "unknown column \"\(text)\"", among: names, remedy: "use \(names.joined(separator: ", "))")
      }
      self = .reserved(reserved)
    } else {
      do {
        let path = try JSONPath(text)
        self = path.lastName == text ? .name(text, path) : .path(text, path)
      } catch {
        throw ColumnSelectionError(text, "invalid column \"\(text)\": \(error)")
      }
    }
  }

  /// The entries of a list: separated by commas outside brackets and quotes, with surrounding blanks removed.
  static func entries(of list: String) -> [String] {
    var entries = [""]
    var (isQuoted, isEscaped, depth) = (false, false, 0)
    for character in list {
      if character == ",", !isQuoted, depth == 0 {
        entries.append("")
        continue
      }
      entries[entries.count - 1].append(character)
      switch character {
      case "\"" where !isEscaped: isQuoted.toggle()
      case "[" where !isQuoted: depth += 1
      case "]" where !isQuoted: depth = max(0, depth - 1)
      default: break
      }
      isEscaped = isQuoted && character == "\\" && !isEscaped
    }
    return entries.map { entry in
      String(entry.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
  }
}
