import JSON
import Search

extension Target {
  static let json = Target(
    name: "json", summary: "the JSON reader: any bytes are a document or an error in place"
  ) {
    bytes in
    guard let document = try? JSONDocument(bytes) else { return }
    let compact = document.compactBytes(of: document.rootNode)
    hold(!compact.contains(0x0A) && !compact.contains(0x0D), "a compact value is one line")
    guard let again = try? JSONDocument(compact) else { fatalError("a compact value is JSON") }
    hold(again.compactBytes(of: again.rootNode) == compact, "compact stays compact")
    let lines = document.indentedLines(of: document.rootNode).joined(separator: "\n")
    hold((try? JSONDocument(Array(lines.utf8))) != nil, "indented lines are JSON")
    for (_, value) in document.members(of: document.rootNode) { _ = document.text(of: value) }
    for element in document.elements(of: document.rootNode) { _ = document.text(of: element) }
  }
}
