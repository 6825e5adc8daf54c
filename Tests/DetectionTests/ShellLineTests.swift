import Detection
import Testing

@Suite("The words of a shell command")
struct ShellLineTests {
  /// Words in brackets, variables in braces.
  private func picture(_ line: String) -> String {
    do {
      return try ShellLine.words(of: line).map { word in
        let pieces = word.pieces.map { piece in
          switch piece {
          case .text(let text): text
          case .variable(let name): "{\(name)}"
          }
        }
        return "[\(pieces.joined())]"
      }.joined()
    } catch { return "error: \(error)" }
  }

  @Test(
    "quotes, escapes and variables are read as a shell reads them",
    arguments: [
      ("curl  -H 'A: $B' x", "[curl][-H][A: $B][x]"),
      (#"curl "a \"b\" \n" c\ d"#, #"[curl][a "b" \n][c d]"#),
      (#"curl $'it\'s\t\u00e9\xc3\xa9'"#, "[curl][it's\té\u{e9}]"),
      ("curl '' \"\"", "[curl][][]"),
      ("curl \\\n  -v \\\r\n  x", "[curl][-v][x]"),
      ("curl 'a'\"b\"c", "[curl][abc]"),
      ("curl \"Bearer $TOKEN\" ${KEY}x", "[curl][Bearer {TOKEN}][{KEY}x]"),
      ("curl \"$.path\" a$", "[curl][$.path][a$]"),
      ("curl x | jq .", "[curl][x]"),
      ("\ncurl x # more", "[curl][x]"),
    ])
  func reading(line: String, expected: String) { #expect(picture(line) == expected) }

  @Test(
    "what a shell would compute is refused, and nothing of the line is repeated",
    arguments: [
      "curl 'hunter2", "curl \"hunter2", "curl $'hunter2", "curl $(hunter2)", "curl `hunter2`",
      "curl ${hunter2:-x}", "curl x?hunter2&page=1", "curl hunter2 > x", "curl hunter2 $1",
    ])
  func refusal(line: String) {
    #expect(picture(line).hasPrefix("error: ") && !picture(line).contains("hunter2"))
  }
}
