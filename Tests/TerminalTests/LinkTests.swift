import Testing
import Text

@testable import Terminal

@Suite struct LinkTests {
  @Test(
    arguments: [
      ("https://example.org/a?b=c#d", "https://example.org/a?b=c#d"),
      ("HTTP://example.org", "HTTP://example.org"),
      ("https://example.org/日 本", "https://example.org/%E6%97%A5%20%E6%9C%AC"),
      ("https://example.org/\u{1B}]0;x\u{7}\u{9B}y", "https://example.org/]0;xy"),
      ("https://example.org/\u{202E}x", "https://example.org/%E2%80%AEx"), ("ftp://example.org", nil),
      ("javascript:alert(1)", nil), ("", nil), ("example.org", nil), ("file:///etc/passwd", nil),
    ] as [(String, String?)])
  func `Only web URLs are links, encoded in bytes that a terminal accepts.`(
    text: String, address: String?
  ) {
    #expect(Link(text)?.address == address)
  }

  @Test func `A URL longer than terminals accept is not a link.`() {
    let start = "https://example.org/"
    let longest = start + String(repeating: "x", count: Link.limit - start.count)
    #expect(Link(longest) != nil)
    #expect(Link(longest + "x") == nil)
    #expect(Link(start + String(repeating: "日", count: 300)) == nil)
  }

  @Test func `A link is opened before its text and closed before the cursor moves or the row ends.`() throws {
    let link = try #require(Link("https://example.org/1"))
    var line = Line()
    line.append(Sanitized("one two"), style: Style(attributes: .bold), link: link)
    line.advance(to: 20)
    line.append("x")
    line.advance(to: 40)
    line.append(Sanitized("日本"), link: link)
    let canvas = Canvas(size: Size(columns: 60, rows: 1), widthModel: .codePoints)
    let bytes = FrameDiff(colors: .direct).bytes(from: Frame(canvas), to: Frame(canvas, lines: [line]))
    let open = "␛]8;id=\(link.id);https://example.org/1␛\\"
    #expect(
      String(decoding: bytes, as: UTF8.self).replacing("\u{1B}", with: "␛")
        == "␛[1H␛[1m\(open)one two␛]8;;␛\\␛[21G␛[mx␛[40G \(open)日本␛]8;;␛\\")
    #expect(Frame(canvas, lines: [line]).withoutLinks.lines[0] != line)
    #expect(Frame(canvas, lines: [line]).withoutLinks.text == Frame(canvas, lines: [line]).text)
  }
}
