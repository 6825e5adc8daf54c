import Detection
import HTTPValues
import Search
import Text

extension SourceAddition {
  /// Writes the sources of all lists of a description to the user's sources directory. None is confirmed by a page.
  ///
  /// - Parameter name: The beginning of the names of the sources; nil to derive it from the server, and to ask.
  func addAll(of description: APIDescription, name: String?) throws(CommandError) -> RunEnd {
    let prefix =
      name ?? description.shortName ?? description.home.flatMap { SourceName.suggestions(for: $0).first }
      ?? "source"
    let ids = description.ids(prefix: prefix)
    var files: [(id: String, text: String)] = []
    for (endpoint, id) in zip(description.endpoints, ids) {
      let text = description.document(
        of: endpoint, id: id, remarks: ["not confirmed by a page"],
        parent: description.parentID(of: endpoint, ids))
      _ = try Self.source(text)
      // Fails before anything is written.
      _ = try configuration.unusedName(
        id, from: [], isReplacing: isReplacing, unnamed: name == nil ? prefix : nil)
      files.append((id, text))
    }
    let rows = zip(description.endpoints, ids).map { [$1, $0.name, $0.pagesWords, $0.rowsWords] }
    try dependencies.print(ColumnList.lines(rows).map { $0 + "\n" }.joined())
    for omission in description.omissions {
      message.plain("left out: \(omission.method) \(omission.path): \(omission.reason)")
    }
    if isDryRun { return .status(.done) }
    let folder = try configuration.requiredSourcesFolder
    let count = Digits.counted(files.count, "source")
    let question = "Save \(count) as \(folder)/\(prefix)-….toml?"
    guard name != nil || message.isAgreed(question, dependencies) == true else {
      message.note("not saved. Use --name \(prefix) to save \(count) in \(folder)")
      return .status(.done)
    }
    for file in files {
      try NewSourceFile(folder: folder, name: file.id).write(
        Array(file.text.utf8), isReplacing: isReplacing && name != nil)
    }
    message.note("wrote \(count) to \(folder). Try: riffle \(files.first?.id ?? prefix)")
    return .status(.done)
  }
}
