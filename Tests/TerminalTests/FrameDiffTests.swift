import Testing
import Text

@testable import Terminal

@Suite struct FrameDiffTests {
  private let diff = FrameDiff(colors: .direct)

  private static func canvas(_ columns: Int, _ rows: Int, _ model: WidthModel = .codePoints) -> Canvas {
    Canvas(size: Size(columns: columns, rows: rows), widthModel: model)
  }

  /// Bytes with Esc shown as `␛`.
  private func picture(from old: Frame?, to new: Frame, _ diff: FrameDiff? = nil) -> String {
    String(decoding: (diff ?? self.diff).bytes(from: old, to: new), as: UTF8.self).replacing(
      "\u{1B}", with: "␛")
  }

  private func frame(_ lines: [String], columns: Int = 20, caret: Frame.Position? = nil) -> Frame {
    Frame(Self.canvas(columns, max(lines.count, 1)), lines: lines.map { Line(Sanitized($0)) }, caret: caret)
  }

  @Test func `The first frame clears the screen and writes what is not blank.`() {
    #expect(
      picture(from: nil, to: frame(["one", "", "three"])) == "␛[?25l␛[m␛[r␛[?7l␛[2J␛[1Hone␛[3Hthree")
  }

  @Test func `An unchanged frame writes nothing.`() {
    let lines = ["one", "日本 👩‍👩‍👧‍👦", "three"]
    #expect(picture(from: frame(lines), to: frame(lines)) == "")
    let caret = Frame.Position(column: 1, row: 1)
    #expect(picture(from: frame(lines, caret: caret), to: frame(lines, caret: caret)) == "")
  }

  @Test(
    arguments: [
      ("row one", "row two", "␛[1;5Htwo"), ("abcd long text", "abcd", "␛[1;6H␛[K"),
      ("a long text", "a", "␛[1H␛[Ka"), ("", "text", "␛[1Htext"), ("x", "ab日本c", "␛[1Hab日本␛[7Gc"),
      ("ab日本", "ab月本", "␛[1H␛[Kab月本"), ("ab日cd", "abxycd", "␛[1;2Hbxy"), ("abxycd", "ab日cd", "␛[1;2H␛[3Xb日"),
      ("1 a long middle part 1", "2 a long middle part 2", "␛[1H2␛[22G2"), ("short", "", "␛[1H␛[K"),
      ("e\u{301}x", "ex", "␛[1He"), ("1 middle1", "2 middle2", "␛[1H2 middle2"),
    ])
  func `Only the changed columns are written.`(old: String, new: String, bytes: String) {
    #expect(picture(from: frame([old], columns: 30), to: frame([new], columns: 30)) == bytes)
  }

  @Test func `A plain terminal gets only the cursor sequence that every terminal knows.`() {
    let plain = FrameDiff(colors: .monochrome, isXtermLike: false)
    let (old, new) = (
      frame(["1 a long middle part 1"], columns: 30), frame(["2 a long middle part 2"], columns: 30)
    )
    #expect(picture(from: old, to: new, plain) == "␛[1H2␛[1;22H2")
  }

  @Test(
    arguments: [
      ("❤️ heart", "❤️ hears", "␛[1;7Hs"), ("❤️ heart", "❤️  eart", "␛[1H␛[4X❤️␛[4Ge"),
      ("x ❤️", "y ❤️", "␛[1Hy"), ("x❤️", "y❤️", "␛[1H␛[Ky❤️"), ("x❤️y", "x❤️z", "␛[1H␛[Kx❤️␛[3G␛[Kz"),
      ("naïve", "naïvé", "␛[1H␛[Knaï␛[4Gvé"), ("", "é日b", "␛[1Hé日␛[4Gb"),
      ("日 long text", "日", "␛[1H␛[K日"), ("a 日 b", "a b", "␛[1H␛[Ka b"),
      ("abcdefégh", "abcdXfégY", "␛[1;5HX␛[9GY"),
    ])
  func
    `[D8] Columns that an uncertain cluster may affect are redrawn, and the next text starts at its column.`(
      old: String, new: String, bytes: String
    )
  {
    #expect(picture(from: frame([old], columns: 30), to: frame([new], columns: 30)) == bytes)
  }

  @Test func `[D8] An uncertain cluster is cut where its cell ends.`() {
    func row(_ text: Sanitized, _ number: Sanitized) -> Frame {
      var line = Line(text)
      line.advance(to: 10)
      line.append(number)
      return Frame(Self.canvas(20, 1), lines: [line])
    }
    #expect(picture(from: row("", ""), to: row("heart ❤️", "2")) == "␛[1Hheart ❤️␛[11G2")
    #expect(picture(from: row("", ""), to: row("hea   ❤️❤️❤️", "  2")) == "␛[1Hhea   ❤️❤️❤️␛[11G␛[K  2")
    #expect(picture(from: row("heart ❤️", "1"), to: row("heart ❤️", "2")) == "␛[1;11H2")
    #expect(picture(from: row("heart ❤️", "1"), to: row("plain", "1")) == "␛[1Hplain     ")
    var nearer = Line("heart ❤️")
    nearer.advance(to: 8)
    nearer.append("  2")
    let ended = Frame(Self.canvas(20, 1), lines: [nearer])
    #expect(picture(from: row("heart ❤️", "2"), to: ended) == "␛[1;6H␛[5X ❤️␛[9G␛[2X")
  }

  @Test func `[D8] Typing before an uncertain cluster redraws it, with the caret at its own column.`() {
    func typed(_ before: String, _ after: String) -> Frame {
      var line = Line("› ")
      line.append(Sanitized(before))
      line.advance(to: 2 + before.count)
      line.append(Sanitized(after))
      let caret = Frame.Position(column: 2 + before.count, row: 0)
      return Frame(Self.canvas(20, 1), lines: [line], caret: caret)
    }
    func rewritten(_ text: String, _ column: Int) -> String {
      "␛[?25l␛[1;3H\(text)␛[1;\(column)H␛[?25h"
    }
    let family = "👩‍👩‍👧"
    #expect(
      picture(from: typed("a", "\(family)z"), to: typed("ab", "\(family)z"))
        == rewritten("␛[Kab\(family)␛[11G␛[Kz", 5))
    #expect(
      picture(from: typed("ab", "\(family)z"), to: typed("a", "\(family)z"))
        == rewritten("␛[Ka\(family)␛[10G␛[Kz", 4))
    #expect(picture(from: typed("a", "\(family)z"), to: typed("a", "z")) == rewritten("az␛[K", 4))
  }

  @Test func `The style is set where it changes, and reset after the row.`() {
    let bold = Style(attributes: .bold)
    var line = Line("ab", style: bold)
    line.append("cd", style: bold)
    line.append(" ef")
    let new = Frame(Self.canvas(20, 2), lines: [line, Line("x", style: bold)])
    #expect(picture(from: frame(["", ""]), to: new) == "␛[1H␛[1mabcd ␛[mef␛[2H␛[1mx␛[m")
  }

  @Test func `Spaces get no style unless it is visible.`() {
    let line = Line(Sanitized("a    b"), style: Style(foreground: .indexed(1)))
    #expect(line.width(.codePoints) == 6)
    let underlined = Line("  ", style: Style(attributes: .underline))
    #expect(picture(from: frame([""]), to: Frame(Self.canvas(20, 1), lines: [underlined])) == "␛[1H␛[4m  ␛[m")
    let padded = Frame(Self.canvas(20, 1), lines: [Line("  ", style: Style(foreground: .indexed(1)))])
    #expect(picture(from: frame([""]), to: padded) == "")
  }

  @Test func `The caret is hidden while the frame is drawn, and is only moved when nothing else changed.`() {
    let old = frame(["one"], caret: Frame.Position(column: 1, row: 0))
    #expect(picture(from: old, to: frame(["one"], caret: Frame.Position(column: 2, row: 0))) == "␛[1;3H")
    #expect(picture(from: old, to: frame(["two"], caret: old.caret)) == "␛[?25l␛[1Htwo␛[1;2H␛[?25h")
    #expect(picture(from: old, to: frame(["one"])) == "␛[?25l")
    #expect(picture(from: frame(["one"]), to: old) == "␛[1;2H␛[?25h")
    #expect(picture(from: frame(["one"]), to: frame(["two"])) == "␛[1Htwo")
  }

  @Test func `A synchronized terminal gets the frame as one update.`() {
    let synchronized = FrameDiff(colors: .monochrome, isSynchronized: true)
    #expect(picture(from: frame(["one"]), to: frame(["two"]), synchronized) == "␛[?2026h␛[1Htwo␛[?2026l")
    #expect(picture(from: frame(["one"]), to: frame(["one"]), synchronized) == "")
  }

  @Test func `Rows that moved are scrolled by the terminal.`() {
    let old = ["title", "alpha one", "beta two", "gamma three", "delta four", "end"]
    let new = ["title", "beta two", "gamma three", "delta four", "epsilon", "end"]
    #expect(picture(from: frame(old), to: frame(new)) == "␛[2;5r␛[S␛[r␛[5Hepsilon")
    #expect(picture(from: frame(new), to: frame(old)) == "␛[2;5r␛[T␛[r␛[2Halpha one")
    for still in [
      FrameDiff(colors: .monochrome, isXtermLike: false), FrameDiff(colors: .monochrome, scrolls: false),
    ] { #expect(!picture(from: frame(old), to: frame(new), still).contains("␛[S")) }
  }

  @Test func `A new size, a new width model and a redraw draw everything.`() {
    let old = frame(["one", "two"])
    var redrawn = old
    redrawn.redraws = 1
    let resized = Frame(Self.canvas(21, 2), lines: old.lines)
    let remeasured = Frame(Self.canvas(20, 2, .clusters), lines: old.lines)
    for new in [redrawn, resized, remeasured] {
      #expect(picture(from: old, to: new).contains("␛[2J␛[1Hone␛[2Htwo"))
    }
  }

  @Test func `The title is set when it changes.`() {
    var titled = frame(["one"])
    titled.title = Sanitized("riffle")
    #expect(picture(from: frame(["one"]), to: titled) == "␛]2;riffle␛\\")
    #expect(picture(from: titled, to: titled) == "")
  }

  @Test func `Text is clipped at the edge, and a wide character is not split.`() {
    #expect(frame(["abcdef"], columns: 4).text == "abcd")
    #expect(frame(["abc日"], columns: 4).text == "abc")
    #expect(picture(from: frame([""], columns: 4), to: frame(["abc日本"], columns: 4)) == "␛[1Habc")
  }

  @Test func `Advancing pads a cell or cuts it at a whole character.`() {
    func line(_ text: Sanitized, to column: Int) -> String {
      var line = Line(text)
      line.advance(to: column)
      line.append("|")
      return Frame(Self.canvas(20, 1), lines: [line]).text
    }
    #expect(line("abc", to: 5) == "abc  |")
    #expect(line("abcdef", to: 3) == "abc|")
    #expect(line("ab日本", to: 5) == "ab日 |")
    #expect(line("日本", to: 0) == "|")
    #expect(line("abc", to: 99) == "abc")
  }
}
