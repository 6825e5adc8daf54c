import HTTPValues
import JSON
import Search

extension Target {
  static let expressions = Target(
    name: "expressions", summary: "paths, value expressions and templates, read back and applied"
  ) { bytes in
    guard
      let document = try? JSONDocument(
        Array(#"{"a": [1, {"b c": "d"}], "e": null, "f": {"g": "h/i"}}"#.utf8)),
      let url = try? WebURL("https://example.org/x?y=z")
    else { return }
    let response = ResponseValues(document: document, headers: [], url: url, options: ["o": "p"])
    for line in bytes.lines {
      if let path = try? JSONPath(line) {
        hold((try? JSONPath("\(path)")) == path, "a path reads back as itself: \(path)")
        _ = path.nodes(in: document, from: document.rootNode)
      }
      if let value = try? ValueExpression(parsing: line) { _ = response.text(of: value) }
      if let template = try? Template(line) { _ = template.filled({ $0 }) { value, _ in value } }
      if let template = try? ValueTemplate(line, options: ["o"]) {
        let text = template.filled(option: { _ in "https://a.example" }, value: { _ in "v" })
        if template.isAddress, let text { _ = try? WebURL(text) }
      }
      _ = RowFilter(line)
    }
  }
}
