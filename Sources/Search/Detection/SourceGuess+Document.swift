extension SourceGuess {
  /// The source as a TOML document for the user to edit.
  ///
  /// - Parameters:
  ///   - remarks: What the second page showed; written as comments in the pagination table.
  package func document(
    id: String, title: String, pagination: PaginationGuess, remarks: [String] = []
  ) -> String {
    let parts = [
      request.head(id: id, title: title), request.table,
      pagination.table(request, largestPage: largestPage, remarks: remarks),
      rowsTable,
    ]
    return (parts + columns.map(\.table)).joined(separator: "\n")
  }

  private var rowsTable: String {
    var lines = ["[rows]", "path = \(TOMLText.string(rowsPath))"]
    if shape != .list { lines.append("shape = \(TOMLText.string(shape.rawValue))") }
    if let columnNames { lines.append("names = \(TOMLText.string(columnNames))") }
    if let key = identity.key {
      lines.append("key = \(TOMLText.string(key))")
    } else if identity.link == nil {
      lines += [
        TOMLText.comment(
          "No member looks like a row key. With one, duplicate rows are dropped:"),
        "# key = \"id\"",
      ]
    }
    if let total { lines.append("total = \(TOMLText.string(total.expression))") }
    if let link = identity.link { lines.append("link = \(TOMLText.string(link))") }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension RequestGuess {
  func head(id: String, title: String) -> String {
    """
    schema = 1
    id = \(TOMLText.string(id))
    title = \(TOMLText.string(title))

    """
  }

  var table: String {
    var lines = ["[request]", "url = \(TOMLText.string(url))"]
    let fields = parameters.map { "\(TOMLText.key($0.name)) = \(TOMLText.string($0.template))" }
    let inline = "params = { \(fields.joined(separator: ", ")) }"
    if inline.utf8.count <= 100 {
      if !fields.isEmpty { lines.append(inline) }
    } else {
      lines += ["[request.params]"] + fields
    }
    if searchText == nil {
      lines += [
        TOMLText.comment("No parameter looks like a search text, so the source takes no query."),
        TOMLText.comment("If there is one, set its value to \"{query}\": params = { q = \"{query}\" }"),
      ]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  fileprivate func sizeLine(largestPage: Int?) -> String {
    guard let pageSize else {
      let most = largestPage ?? 100
      return
        "# size = { param = \"per_page\", default = \(min(30, most)), max = \(most) }   # if the service lets you set the page size"
    }
    let size = "size = { param = \(TOMLText.string(pageSize.name)), default = "
    guard let largestPage else {
      return size + "\(pageSize.value) }   # add max = N, the largest page size of the service"
    }
    return size + "\(min(pageSize.value, largestPage)), max = \(largestPage) }"
  }
}

extension PaginationGuess {
  fileprivate func table(_ request: RequestGuess, largestPage: Int?, remarks: [String]) -> String {
    let sureness = isCertain ? "" : " (a guess)"
    let comments = ["\(reason)\(sureness)"] + remarks
    let entries: [(key: String, value: String?)] = [
      ("type", TOMLText.string(style.rawValue)), ("param", parameter.map(TOMLText.string)),
      ("first", first?.text), ("next", next.map(TOMLText.string)), ("more", more.map(TOMLText.string)),
      ("done", done.map(TOMLText.string)), ("pages", pages.map(TOMLText.string)),
    ]
    let lines =
      ["[pagination]"] + comments.map(TOMLText.comment)
      + entries.compactMap { entry in entry.value.map { "\(entry.key) = \($0)" } } + [
        request.sizeLine(largestPage: largestPage)
      ]
    return lines.joined(separator: "\n") + "\n"
  }
}

extension PaginationGuess.First {
  fileprivate var text: String {
    switch self {
    case .number(let number): "\(number)"
    case .text(let text): TOMLText.string(text)
    }
  }
}

extension ColumnGuess {
  fileprivate var table: String {
    var lines = ["[[columns]]"]
    if let name { lines.append("name = \(TOMLText.string(name))") }
    lines.append("path = \(TOMLText.string(path))")
    if let format { lines.append("format = \(TOMLText.string(format))") }
    if let html { lines.append("html = \(TOMLText.string(html))") }
    if isAlignedRight { lines.append("align = \"right\"") }
    if isWide { lines.append("width = { min = 10, weight = 5 }") }
    return lines.joined(separator: "\n") + "\n"
  }
}
