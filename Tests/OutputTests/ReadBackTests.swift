import Foundation
import JSON
import Output
import Search
import TestSupport
import Testing
import Text

/// Output as other programs read it: the values are unchanged.
@Suite(.takesTurns) struct ReadBackTests {
  /// Texts that break formats, each in its own row.
  private static let texts = [
    "日本語 🏗️", "👩‍👩‍👧 🇯🇵 👍🏽", "e\u{301}migre\u{301} ก็ \u{200D}", "tab\tand\nline\r\nends\rhere", "\"q\" 'q' \"\"",
    "a|b||c", "<b>&amp;</b> <!-- & > --> <br>", #"\ \\ \n \t \|"#, "", "\u{1B}[31mred\u{7}\u{202E}evil\u{9B}",
    "a,b;c",
    "=1+1", "*x* _y_ `z` [a](b) # h", "NULL", String(repeating: "ab漢|", count: 500),
  ]

  private static var page: String {
    let rows = texts.enumerated().map { #"{"id": \#($0), "name": \#(JSONText.quoted($1)), "note": "end"}"# }
    return "[\(rows.joined(separator: ",")), {\"id\": null, \"note\": \"end\"}]"
  }

  private func cells(_ format: String, _ reader: String) throws -> [[String]] {
    let columns = try ["id", "name", "note"].map { try column($0, $0) }
    let document = try written(format, Self.page, of: source(columns))
    let input = FileManager.default.temporaryDirectory.appendingPathComponent("riffle-\(UUID().uuidString)")
    try Data(document.utf8).write(to: input)
    defer { try? FileManager.default.removeItem(at: input) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.python)
    process.arguments = [
      "-c", "import csv, html.parser, json, re, sys\n\(reader)\njson.dump(rows, sys.stdout)", input.path,
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return try JSONDecoder().decode([[String]].self, from: bytes)
  }

  private static let python = "/usr/bin/python3"

  /// Programs that set `rows` to the cells of the file given to them.
  private static let readers = [
    ("csv", "rows = list(csv.reader(open(sys.argv[1], newline='')))"),
    (
      "tsv",
      #"""
      lines = csv.reader(open(sys.argv[1], newline='\n'), delimiter='\t', quoting=csv.QUOTE_NONE)
      sign = {'t': '\t', 'n': '\n', 'r': '\r', '\\': '\\'}
      rows = [[re.sub(r'\\(.)', lambda m: sign[m[1]], cell) for cell in line] for line in lines]
      """#
    ),
    (
      "html",
      #"""
      rows = []
      class Reader(html.parser.HTMLParser):
        def handle_starttag(self, tag, attributes):
          if tag == 'tr': rows.append([])
          if tag in ('td', 'th'): rows[-1].append('')
        def handle_data(self, data):
          if self.lasttag in ('td', 'th', 'br') and not data.startswith('\n</'): rows[-1][-1] += data
        def handle_endtag(self, tag): self.lasttag = ''
      Reader().feed(open(sys.argv[1], newline='').read())
      """#
    ),
    (
      "json",
      "rows = [['id', 'name', 'note']] + [[json.dumps(row['id']) if row['id'] is not None else '', "
        + "row.get('name', ''), row['note']] for row in json.load(open(sys.argv[1]))]"
    ),
    (
      "jsonl",
      "rows = [['id', 'name', 'note']] + [[json.dumps(row['id']) if row['id'] is not None else '', "
        + "row.get('name', ''), row['note']] for row in map(json.loads, open(sys.argv[1]))]"
    ),
  ]

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: python)), arguments: readers)
  func `Another program reads back the original values.`(format: String, reader: String) throws {
    let expected =
      [["id", "name", "note"]] + Self.texts.enumerated().map { ["\($0)", $1, "end"] } + [["", "", "end"]]
    #expect(try cells(format, reader) == expected)
  }

  /// Cells end at a `|` without a backslash before it (as in GitHub's tables). In cells, line breaks are
  /// `<br>` and tabs are spaces.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: python)))
  func `A Markdown reader finds the complete cells.`() throws {
    let rows = try cells(
      "markdown",
      #"""
      def cells(line):
        return [re.sub(r'\\([!-/:-@[-`{-~])|<br>', lambda m: m[1] or '\n', cell.strip())
                for cell in re.split(r'(?<!\\)(?:\\\\)*\|', line)[1:-1]]
      rows = [cells(line) for line in open(sys.argv[1], newline='\n')]
      """#)
    let expected = Self.texts.map { text in
      text.replacing("\r\n", with: "\n").replacing("\r", with: "\n").replacing("\t", with: " ")
        .trimmingCharacters(in: .whitespaces)
    }
    #expect(rows.dropFirst(2).map { $0[1] } == expected + [""])
    #expect(rows.dropFirst(2).allSatisfy { $0[2] == "end" })
  }

  @Test(arguments: ["table", "plain", "simple", "psql", "grid", "fancy-grid"])
  func `On a terminal, no row is wider than the screen and none controls it.`(format: String) throws {
    let columns = try ["id", "name", "note"].map { try column($0, $0) }
    let text = try written(
      format, Self.page, of: source(columns), on: OutputOptions(isTerminal: true, width: 60))
    let lines = text.split(separator: "\n")
    #expect(lines.filter { $0.contains("end") }.count == Self.texts.count + 1)
    for line in lines {
      #expect(Sanitized(String(line)).width(.clusters) <= 60)
      #expect(Sanitized(String(line)).string == line)
    }
  }
}
