import Output
import Testing

@Suite struct TemplateTests {
  private func written(_ template: String, _ page: String, isTerminal: Bool = false) throws -> String {
    let template = try RowTemplate(template)
    let selection = try ColumnSelection(template.columns, of: source())
    var writer = OutputWriter(
      try #require(OutputFormats.named("template")), selection: selection,
      outputOptions: OutputOptions(isTerminal: isTerminal, literals: template.literals))
    var output: [UInt8] = []
    try writer.append(try rows(page), into: &output)
    try writer.end(into: &output)
    return String(decoding: output, as: UTF8.self)
  }

  @Test func `A template writes one line per row, with exact values.`() throws {
    #expect(
      try written("{{{name}}} {stars}★ {@link} {name}", Samples.plain) == """
        {swift/swift} 66012★ https://example.org/item/1 swift/swift
        {日本語 🏗️} 9007199254740993★ https://example.org/item/9007199254740993 日本語 🏗️

        """)
    #expect(try written("x", "[{}, {}]") == "x\nx\n")
  }

  @Test(arguments: [
    (#"{id}\n"#, "1\n\n"), (#"{id}\t{id}"#, "1\t1\n"), (#"\\n{id}"#, "\\n1\n"), (#"\\\n{id}"#, "\\\n1\n"),
    (#"\\\\n{id}\\"#, "\\\\n1\\\n"), (#"C:\dir\{id}"#, "C:\\dir\\1\n"), (#"{id}\"#, "1\\\n"),
    (#"\\{{{id}\\}}"#, "\\{1\\}\n"),
  ]) func `[D34] A template writes line breaks, tabs and backslashes.`(template: String, text: String) throws
  {
    #expect(try written(template, #"[{"id": 1}]"#) == text)
  }

  @Test func `On a terminal, the values of a template are sanitized.`() throws {
    #expect(try written("{note}", #"[{"note": "a\u001b\nb"}]"#, isTerminal: true) == "a␛ b\n")
    #expect(try written("{note}", #"[{"note": "a\u001b\nb"}]"#) == "a\u{1B}\nb\n")
  }

  @Test(
    "An invalid template is refused with the reason.",
    arguments: [
      ("{name", #"unmatched { in template "{name". Write {{ for a literal brace"#),
      ("a}", #"unmatched } in template "a}". Write }} for a literal brace"#),
      ("{*}", #""*" selects all columns and cannot be used in a template"#),
    ])
  func refused(template: String, message: String) throws {
    let error = try #require(throws: ColumnSelectionError.self) { try RowTemplate(template) }
    #expect("\(error)" == message)
  }
}
