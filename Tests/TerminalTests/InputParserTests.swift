import TestSupport
import Testing

@testable import Terminal

/// The notation of inputs in these tests: keys as in the settings, everything else in brackets.
extension Input {
  var picture: String {
    switch self {
    case .key(let key): key.notation
    case .paste(let text): "[paste \(text)]"
    case .mouse(let mouse): "[\(mouse.action) \(mouse.column),\(mouse.row)]"
    case .focus(let isFocused): isFocused ? "[focus]" : "[blur]"
    case .answer(let answer): "[\(answer)]"
    }
  }
}

extension [Input] {
  var picture: String { map(\.picture).joined(separator: " ") }
}

@Suite struct InputParserTests {
  /// Bytes (`␛` for Esc) and their inputs.
  static let table: [(String, String)] = [
    // Characters and control characters
    ("aZ~", "a Z ~"), (" ", "space"), ("é日👍", "é 日 👍"), ("\r\n\t", "enter ctrl-j tab"),
    ("\u{7F}\u{8}", "backspace ctrl-h"),
    ("\u{0}\u{1}\u{1A}\u{1C}\u{1F}", "ctrl-space ctrl-a ctrl-z ctrl-\\ ctrl-_"),
    // Alt
    ("␛a␛J␛日", "alt-a alt-J alt-日"), ("␛\r␛\u{7F}␛ ␛\u{1}", "alt-enter alt-backspace alt-space ctrl-alt-a"),
    ("␛␛[A", "esc up"),
    // Cursor keys: CSI, SS3, modifiers, rxvt
    ("␛[A␛[B␛[C␛[D␛[H␛[F", "up down right left home end"),
    ("␛OA␛OB␛OC␛OD␛OH␛OF", "up down right left home end"),
    ("␛[1;2A␛[1;3B␛[1;5C␛[1;8D", "shift-up alt-down ctrl-right ctrl-alt-shift-left"), ("␛[1;33A", "alt-up"),
    ("␛[a␛Oa␛Od", "shift-up ctrl-up ctrl-left"), ("␛O5A␛O1;5A", "ctrl-up ctrl-up"),
    // Numbered keys
    ("␛[1~␛[7~␛[4~␛[8~", "home home end end"), ("␛[2~␛[3~␛[5~␛[6~", "insert delete pageup pagedown"),
    ("␛[5;5~␛[3;2~", "ctrl-pageup shift-delete"),
    ("␛[5$␛[5^␛[5@", "shift-pageup ctrl-pageup ctrl-shift-pageup"),
    ("␛OP␛OQ␛OR␛OS", "f1 f2 f3 f4"), ("␛[P␛[1;5S", "f1 ctrl-f4"), ("␛[11~␛[15~␛[17~␛[24~", "f1 f5 f6 f12"),
    ("␛[[A␛[[E", "f1 f5"), ("␛[Z", "shift-tab"),
    // Keypad
    ("␛Op␛Oy␛OM␛Ok", "0 9 enter +"),
    // Kitty
    ("␛[27u␛[13u␛[9;2u␛[127;3u", "esc enter shift-tab alt-backspace"), ("␛[97;5u␛[97;3u", "ctrl-a alt-a"),
    ("␛[106;4u␛[49:33;4u", "alt-J alt-!"), ("␛[105;5u␛[91;5u", "tab esc"),
    // Kitty, by position: Cyrillic с and С, an AZERTY digit, a Dvorak letter, no position, a key without one
    ("␛[1089::99;5u␛[1089:1057:99;6u", "ctrl-c ctrl-shift-c"),
    ("␛[1089::99;3u␛[1089:1057:99;4u", "alt-c alt-C"),
    ("␛[233::50;5u␛[106::99;5u␛[1089;5u␛[1089::99;1u", "ctrl-2 ctrl-j ctrl-с с"),
    ("␛[57419::65;5u␛[1089:;5u␛[1089::;5u", "ctrl-up ctrl-с ctrl-с"),
    ("␛[92::92;5u␛[1098::92;5u", "ctrl-\\ ctrl-\\"),
    ("␛[97;69u␛[97;133u", "ctrl-a ctrl-a"),
    ("␛[97;5:3u␛[1;1:3A␛[1;1:2A", "up"), ("␛[97;9u", ""), ("␛[57399u␛[57414u␛[57376u", "0 enter f13"),
    ("␛[57441;2u", ""), ("␛[97;1;97u", "a"), ("␛[27;5;13~␛[27;6;65~", "ctrl-enter ctrl-shift-a"),
    // Mouse
    ("␛[<0;1;1M␛[<0;1;1m", "[press 0,0]"),
    ("␛[<64;300;400M␛[<65;1;1M", "[wheelUp 299,399] [wheelDown 0,0]"),
    ("␛[<66;2;3M␛[<67;1;1M␛[<68;1;1M", "[wheelLeft 1,2] [wheelRight 0,0] [wheelUp 0,0]"),
    ("␛[<1;1;1M␛[<2;1;1M␛[<34;5;6M␛[<35;5;6M␛[<128;1;1M", ""),
    ("␛[<20;1;1M", "[press 0,0]"), ("␛[<0;0;1M␛[<0;1M", ""),
    ("␛[M !!", ""),
    // Focus and paste
    ("␛[I␛[O", "[focus] [blur]"), ("␛[200~q\u{3}x␛[201~j", "[paste qx] j"),
    ("␛[200~a\r\nb\rc\nd\te␛[201~", "[paste a\nb\nc\nd\te]"),
    ("␛[200~a␛[20␛[201~", "[paste a[20]"), ("␛[200~␛[31mred␛[0m\u{9B}␛[201~", "[paste [31mred[0m]"),
    ("␛[200~␛␛[201~", "[paste ]"),
    // Answers
    ("␛[?62;22;52c", "[deviceAttributes([62, 22, 52])]"),
    ("␛[?2026;2$y", "[mode(2026, Terminal.ModeState.reset)]"),
    ("␛[?2027;0$y␛[?2027;9$y", "[mode(2027, Terminal.ModeState.unknown)]"), ("␛[?1u", "[keyboardFlags(1)]"),
    ("␛P>|kitty(0.40.1)␛\\", "[version(\"kitty(0.40.1)\")]"),
    ("␛]11;rgb:1010/ff/8␛\\", "[background(16, 255, 136)]"),
    ("␛]11;rgba:ffff/0000/0000/ffff\u{7}", "[background(255, 0, 0)]"),
    ("␛[6;18;9t", "[cellSize(width: 9, height: 18)]"),
    ("␛[?997;1n␛[?997;2n", "[prefersDark(true)] [prefersDark(false)]"),
    // Unknown: ignored as a whole
    ("␛[1;2;3;4zj␛[?25;1$zj", "j j"),
    ("␛]0;title\u{7}j␛]11;green␛\\j␛P1$r0m␛\\j", "j j j"),
    ("␛_Gi=1;OK␛\\j␛^x␛\\j␛Xx␛\\j", "j j j"), ("␛[99999999999Aj␛[1:x", "j"), ("␛O~j␛[[~j", "j j"),
    // Interrupted by what follows
    ("␛[1;\u{3}␛[\r␛O\u{3}", "ctrl-c enter ctrl-c"), ("␛[1␛[A␛]11;rgb:␛[A", "up up"), ("␛[1é␛Oé", "é é"),
    ("␛]11;rgb:\u{3}j", "ctrl-c j"), ("␛[[\u{3}", "ctrl-c"),
  ]

  private static func bytes(_ text: String) -> [UInt8] {
    Array(text.replacing("␛", with: "\u{1B}").utf8)
  }

  @Test(arguments: table)
  func `Bytes are parsed as inputs.`(text: String, picture: String) {
    var parser = InputParser()
    #expect(parser.inputs(from: Self.bytes(text)).picture == picture)
    #expect(parser.pending == nil)
  }

  @Test(arguments: table)
  func `The same bytes give the same inputs wherever reads cut them.`(text: String, picture: String) {
    let bytes = Self.bytes(text)
    for cut in bytes.indices {
      var parser = InputParser()
      let first = parser.inputs(from: bytes[..<cut])
      #expect((first + parser.inputs(from: bytes[cut...])).picture == picture, "cut at \(cut)")
    }
    var parser = InputParser()
    #expect(bytes.flatMap { parser.inputs(from: [$0]) }.picture == picture, "byte by byte")
  }

  @Test(
    arguments: [
      ("␛", InputParser.PendingInput.escape, "esc"), ("␛␛", .escape, "esc esc"), ("␛[", .escape, "alt-["),
      ("␛O", .escape, "alt-O"), ("␛]", .escape, "alt-]"), ("␛P", .escape, "alt-P"), ("␛[1;5", .sequence, ""),
      ("␛[[", .sequence, ""), ("␛]11;rgb", .sequence, ""), ("␛]11;rgb␛", .sequence, ""),
      ("␛[M!", .sequence, ""),
      ("␛[200~abc", .paste, "[paste abc]"),
    ])
  func `Silence ends an incomplete input, and the next key is complete.`(
    text: String, pending: InputParser.PendingInput, picture: String
  ) {
    var parser = InputParser()
    let inputs = parser.inputs(from: Self.bytes(text))
    #expect(parser.pending == pending)
    #expect((inputs + parser.silence()).picture == picture)
    #expect(parser.pending == nil)
    #expect(parser.inputs(from: [UInt8(ascii: "j")]).picture == "j")
  }

  @Test(
    arguments: [
      ([0xC3, 0x6A], "\u{FFFD} j"), ([0xFF, 0x6A], "\u{FFFD} j"),
      ([0xE3, 0x81, 0x1B, 0x5B, 0x41], "\u{FFFD} up"),
      ([0xE3, 0x81, 0xE3, 0x81, 0x82], "\u{FFFD} あ"), ([0xED, 0xA0, 0x80, 0x6A], "\u{FFFD} j"),
      ([0xF5, 0x80, 0x6A], "\u{FFFD} \u{FFFD} j"), ([0xC2, 0x9B, 0x41], "A"),
      ([0x1B, 0xC3, 0x6A], "alt-\u{FFFD} j"),
    ] as [([UInt8], String)])
  func `Bytes that are not UTF-8 are replaced, and the next byte is kept.`(bytes: [UInt8], picture: String) {
    var parser = InputParser()
    #expect(parser.inputs(from: bytes).picture == picture)
  }

  @Test func `A sequence or string over the limit is ignored as a whole.`() {
    var parser = InputParser()
    let digits = String(repeating: "1;", count: InputParser.sequenceLimit)
    #expect(parser.inputs(from: Self.bytes("␛[\(digits)Aj␛]11;\(digits)␛\\j")).picture == "j j")
  }

  @Test func `A paste over the limit is cut at a whole character and still ends.`() {
    var parser = InputParser()
    let text = String(repeating: "日", count: InputParser.pasteLimit)
    let inputs = parser.inputs(from: Self.bytes("␛[200~\(text)␛[201~j"))
    #expect(inputs == [.paste(String(repeating: "日", count: InputParser.pasteLimit / 3)), .key(Key("j"))])
  }

  @Test(
    arguments: [
      ("\u{3}", "ctrl-c"), ("\u{3}\u{3}", "ctrl-c ctrl-c"), ("\u{1C}", "ctrl-\\"),
      ("␛[99;5u␛[99;5:3u", "ctrl-c"),
      ("␛[1089::99;5u", "ctrl-c"), ("a\u{3}", ""), ("\u{3}␛", ""), ("\u{3}␛[201~", ""), ("␛[201~\u{3}", ""),
      ("\u{1}", ""),
      ("", ""),
    ])
  func `While a paste has no end, a read that consists only of exit keys is taken as typed.`(
    text: String, picture: String
  ) {
    var parser = InputParser()
    #expect(parser.keys(typedDuringPaste: Self.bytes(text), among: ExitKeys.keys) == [])
    _ = parser.inputs(from: Self.bytes("␛[200~abc"))
    let keys = parser.keys(typedDuringPaste: Self.bytes(text), among: ExitKeys.keys)
    #expect(keys.map(\.notation).joined(separator: " ") == picture)
    #expect(parser.inputs(from: Self.bytes("d␛[201~")).picture == "[paste abcd]")
  }

  @Test func `After silence, a plain key is that key, whatever came before.`() {
    var random = SeededGenerator(seed: 7)
    let alphabet =
      Array("\u{1B}\u{1B}[]OP;:?<>=$0123456789AMRu~mcytn\u{7}\\ \u{3}\r".utf8) + [
        0xC3, 0xA9, 0xE3, 0xFF, 0x9B,
      ]
    for round in Seeds.first(5_000) {
      var parser = InputParser()
      let noise = (0..<Int.random(in: 1...24, using: &random)).map { _ in
        alphabet.randomElement(using: &random) ?? 0
      }
      _ = parser.inputs(from: noise)
      _ = parser.silence()
      let inputs = parser.inputs(from: [UInt8(ascii: "j")])
      #expect(inputs.last == .key(Key("j")), "round \(round): \(noise)")
    }
  }
}
