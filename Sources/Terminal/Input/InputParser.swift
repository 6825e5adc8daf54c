/// Decodes the terminal's bytes into inputs. It is a state machine fed byte by byte, so the result does not
/// depend on how the bytes are split into reads. It has no clock: while it waits for more (`pending`), the
/// caller decides on a timeout and then calls `silence()`.
///
/// Sources: ECMA-48 5.4 (control sequences), xterm ctlseqs, the kitty keyboard protocol, DEC STD 070
/// (DECRPM); rxvt and Linux console forms from terminfo.
package struct InputParser: Sendable {
  /// The maximum length in bytes of a control sequence or string; a longer one is discarded.
  package static let sequenceLimit = 4_096
  /// The maximum size of a paste in bytes; the rest is dropped.
  package static let pasteLimit = 65_536

  /// The kinds of incomplete input, ordered by increasing timeout.
  package enum PendingInput: Hashable, Sendable {
    /// An Esc that may be a key or start a sequence.
    case escape
    /// The rest of a sequence.
    case sequence
    /// The end of a paste.
    case paste
  }

  private enum State: Sendable {
    case ground
    case escape
    case csi
    case ss3
    case string(introducer: UInt8)
    case stringEscape(introducer: UInt8)
    /// `ESC [ [` of the Linux console, which is followed by one letter.
    case linuxFunctionKey
    /// The three bytes of a mouse report in X10 format, which terminals without the SGR format send.
    case x10Mouse(left: Int)
    case paste(PasteBuffer)
  }

  private var state = State.ground
  private var sequence: [UInt8] = []
  private var isOverlong = false
  private var utf8 = UTF8Collector()
  /// Whether the character being collected was preceded by Esc.
  private var isAlt = false

  package init() {}

  /// The incomplete input; nil if every byte so far is decoded (or starts a UTF-8 character, which needs no
  /// timeout).
  package var pending: PendingInput? {
    switch state {
    case .ground: nil
    case .escape: .escape
    case .csi, .ss3, .string: sequence.isEmpty ? .escape : .sequence
    case .stringEscape, .linuxFunctionKey, .x10Mouse: .sequence
    case .paste: .paste
    }
  }

  package mutating func inputs(from bytes: some Sequence<UInt8>) -> [Input] {
    var inputs: [Input] = []
    for byte in bytes { feed(byte, &inputs) }
    return inputs
  }

  /// The keys in one read while the end of a paste is missing, if the read consists only of `candidates`. A
  /// terminal sends a paste in one piece, so these keys were typed and do not belong to the paste.
  package func keys(typedDuringPaste bytes: some Sequence<UInt8>, among candidates: Set<Key>) -> [Key] {
    // The end of a paste contains a tilde, which none of these keys do.
    guard pending == .paste, !bytes.contains(UInt8(ascii: "~")) else { return [] }
    var other = InputParser()
    let inputs = other.inputs(from: bytes)
    let keys = inputs.compactMap { if case .key(let key) = $0, candidates.contains(key) { key } else { nil } }
    return keys.count == inputs.count && other.pending == nil && other.utf8.isEmpty ? keys : []
  }

  /// Handles a timeout: a lone Esc becomes the key, an unfinished paste becomes the paste, the start of a
  /// sequence becomes the Alt key it resembles, and the rest is dropped.
  package mutating func silence() -> [Input] {
    let previous = state
    let isIntroducerOnly = sequence.isEmpty
    enter(.ground)
    switch previous {
    case .escape: return [.key(Key(.escape))]
    case .csi where isIntroducerOnly: return [.key(Key("[", .alt))]
    case .ss3 where isIntroducerOnly: return [.key(Key("O", .alt))]
    case .string(let introducer) where isIntroducerOnly: return [alt(introducer)]
    case .paste(let buffer): return [.paste(buffer.text)]
    default: return []
    }
  }

  private mutating func enter(_ next: State) {
    state = next
    sequence.removeAll(keepingCapacity: true)
    isOverlong = false
  }

  private mutating func feed(_ byte: UInt8, _ inputs: inout [Input]) {
    switch state {
    case .ground: feedGround(byte, &inputs)
    case .escape: feedEscape(byte, &inputs)
    case .csi: feedCSI(byte, &inputs)
    case .ss3: feedSS3(byte, &inputs)
    case .string(let introducer): feedString(byte, introducer, &inputs)
    case .stringEscape(let introducer): feedStringEscape(byte, introducer, &inputs)
    case .linuxFunctionKey: feedLinuxFunctionKey(byte, &inputs)
    case .x10Mouse(let left): enter(left > 1 ? .x10Mouse(left: left - 1) : .ground)
    case .paste(var buffer):
      state = .ground
      let isComplete = buffer.append(byte)
      if isComplete { inputs.append(.paste(buffer.text)) } else { state = .paste(buffer) }
    }
  }

  private mutating func feedGround(_ byte: UInt8, _ inputs: inout [Input]) {
    if byte == ASCII.escape, utf8.isEmpty {
      enter(.escape)
    } else if byte < 0x80, utf8.isEmpty {
      inputs.append(.key(Key(ascii: byte)))
    } else {
      collect(byte, &inputs)
    }
  }

  private mutating func collect(_ byte: UInt8, _ inputs: inout [Input]) {
    let modifiers: Key.Modifiers = isAlt ? .alt : []
    switch utf8.collect(byte) {
    case .incomplete: return
    case .character(let character): inputs.append(.key(Key(character, modifiers)))
    case .control: break
    case .broken(let byteBelongsToNext):
      inputs.append(.key(Key("\u{FFFD}", modifiers)))
      isAlt = false
      if byteBelongsToNext { return feedGround(byte, &inputs) }
    }
    isAlt = false
  }

  private mutating func feedEscape(_ byte: UInt8, _ inputs: inout [Input]) {
    switch byte {
    case UInt8(ascii: "["): enter(.csi)
    case UInt8(ascii: "O"): enter(.ss3)
    case UInt8(ascii: "P"), UInt8(ascii: "]"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
      enter(.string(introducer: byte))
    case ASCII.escape: inputs.append(.key(Key(.escape)))
    case 0..<0x80:
      enter(.ground)
      inputs.append(alt(byte))
    default:
      enter(.ground)
      isAlt = true
      collect(byte, &inputs)
    }
  }

  private mutating func feedCSI(_ byte: UInt8, _ inputs: inout [Input]) {
    switch byte {
    case UInt8(ascii: "[") where sequence.isEmpty: enter(.linuxFunctionKey)
    case UInt8(ascii: "M") where sequence.isEmpty: enter(.x10Mouse(left: 3))
    case UInt8(ascii: "$") where CSISequence.isRxvtKey(sequence): finishCSI(byte, &inputs)
    case 0x20...0x3F: keep(byte)
    case 0x40...0x7E: finishCSI(byte, &inputs)
    default: abandon(byte, &inputs)
    }
  }

  private mutating func finishCSI(_ final: UInt8, _ inputs: inout [Input]) {
    let csi = isOverlong ? nil : CSISequence(sequence, final: final)
    finish(with: csi?.input, &inputs)
    if csi?.beginsPaste == true { state = .paste(PasteBuffer()) }
  }

  private mutating func finish(with input: Input?, _ inputs: inout [Input]) {
    enter(.ground)
    if let input { inputs.append(input) }
  }

  private mutating func feedSS3(_ byte: UInt8, _ inputs: inout [Input]) {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: ";"): keep(byte)
    case 0x20, 0x40...0x7E: finish(with: Key(ss3: byte, parameters: sequence).map(Input.key), &inputs)
    default: abandon(byte, &inputs)
    }
  }

  private mutating func feedString(_ byte: UInt8, _ introducer: UInt8, _ inputs: inout [Input]) {
    switch byte {
    case ASCII.escape: state = .stringEscape(introducer: introducer)
    case ASCII.bell: finishString(introducer, &inputs)
    case 0..<0x20: abandon(byte, &inputs)
    default: keep(byte)
    }
  }

  private mutating func feedStringEscape(_ byte: UInt8, _ introducer: UInt8, _ inputs: inout [Input]) {
    if byte == UInt8(ascii: "\\") { return finishString(introducer, &inputs) }
    enter(.escape)
    feedEscape(byte, &inputs)
  }

  private mutating func finishString(_ introducer: UInt8, _ inputs: inout [Input]) {
    let answer = isOverlong ? nil : Answer(string: sequence, introducer: introducer)
    finish(with: answer.map(Input.answer), &inputs)
  }

  private mutating func feedLinuxFunctionKey(_ byte: UInt8, _ inputs: inout [Input]) {
    guard (0x20...0x7E).contains(byte) else { return abandon(byte, &inputs) }
    enter(.ground)
    if (UInt8(ascii: "A")...UInt8(ascii: "E")).contains(byte) {
      inputs.append(.key(Key(.function(Int(byte - UInt8(ascii: "A")) + 1))))
    }
  }

  private mutating func keep(_ byte: UInt8) {
    if sequence.count < InputParser.sequenceLimit { sequence.append(byte) } else { isOverlong = true }
  }

  /// Handles a byte that is invalid in a sequence: drops the sequence, but not the byte.
  private mutating func abandon(_ byte: UInt8, _ inputs: inout [Input]) {
    enter(.ground)
    feedGround(byte, &inputs)
  }

  private func alt(_ byte: UInt8) -> Input {
    let key = Key(ascii: byte)
    return .key(Key(key.code, key.modifiers.union(.alt)))
  }
}

/// Control characters by name.
enum ASCII {
  static let bell: UInt8 = 0x07
  static let escape: UInt8 = 0x1B
  static let space: UInt8 = 0x20
  static let delete: UInt8 = 0x7F
}

// MARK: Sequences

/// A complete control sequence, `CSI prefix parameters intermediates final` (ECMA-48 5.4).
struct CSISequence {
  /// Prefix (one of `<=>?`, or none), intermediates and final byte: `~`, `?c`, `?$y`.
  let form: String
  /// Parameters, each with its sub-parameters; an empty one is nil.
  let parameters: [[Int?]]

  /// - Parameter body: The bytes between CSI and `final`, each 0x20…0x3F.
  /// - Returns: Nil if a number has more than seven digits.
  init?(_ body: [UInt8], final: UInt8) {
    let prefix = body.prefix(1).filter { $0 >= UInt8(ascii: "<") }
    let rest = body.dropFirst(prefix.count)
    let numbers = rest.prefix { $0 >= UInt8(ascii: "0") }
    guard let parameters = CSISequence.parameters(numbers) else { return nil }
    form = String(decoding: prefix + rest.dropFirst(numbers.count) + [final], as: UTF8.self)
    self.parameters = parameters
  }

  /// A sub-parameter of a parameter; nil if it is missing or empty.
  func number(_ index: Int, sub: Int = 0) -> Int? {
    index < parameters.count && sub < parameters[index].count ? parameters[index][sub] : nil
  }

  /// Whether `CSI n $` is complete. rxvt ends a shifted key with `$`, which is otherwise an intermediate byte
  /// after a prefix or two parameters.
  static func isRxvtKey(_ body: [UInt8]) -> Bool {
    guard body.count <= 2, let number = Int(String(decoding: body, as: UTF8.self)) else { return false }
    return Key.tildeKeys[number] != nil
  }

  var beginsPaste: Bool { form == "~" && number(0) == 200 }

  var input: Input? {
    if let answer = Answer(self) { return .answer(answer) }
    if let mouse = Mouse(self) { return .mouse(mouse) }
    if parameters.isEmpty, form == "I" || form == "O" { return .focus(form == "I") }
    return Key(self).map(Input.key)
  }

  private static func parameters(_ bytes: ArraySlice<UInt8>) -> [[Int?]]? {
    if bytes.isEmpty { return [] }
    var parameters: [[Int?]] = []
    for parameter in bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false) {
      var subs: [Int?] = []
      for digits in parameter.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false) {
        guard digits.count <= 7, digits.allSatisfy({ $0 <= UInt8(ascii: "9") }) else { return nil }
        subs.append(digits.isEmpty ? nil : digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
      }
      parameters.append(subs)
    }
    return parameters
  }
}

/// Decodes keys from bytes and sequences in xterm, kitty, rxvt and VT formats.
extension Key {
  /// A byte below 0x80: a character, or a control character as a key.
  init(ascii byte: UInt8) {
    switch byte {
    case 0x00: self.init(" ", .ctrl)
    case 0x09: self.init(.tab)
    case 0x0D: self.init(.enter)
    case ASCII.escape: self.init(.escape)
    case ASCII.delete: self.init(.backspace)
    case 0x01...0x1A: self.init(Character(Unicode.Scalar(byte + 0x60)), .ctrl)
    case 0x1C...0x1F: self.init(Character(Unicode.Scalar(byte + 0x40)), .ctrl)
    default: self.init(Character(Unicode.Scalar(byte)))
    }
  }

  /// `ESC O final`: cursor and function keys, the keypad, and rxvt's arrows with Ctrl.
  init?(ss3 final: UInt8, parameters: [UInt8]) {
    let digits = parameters.split(separator: UInt8(ascii: ";")).last ?? []
    guard let modifiers = Modifiers(parameter: Int(String(decoding: digits, as: UTF8.self))) else {
      return nil
    }
    let form = String(Unicode.Scalar(final))
    if let code = Key.cursorKeys[form] ?? Key.keypad[form] {
      self.init(code, modifiers)
    } else {
      guard let code = Key.rxvtArrows[form] else { return nil }
      self.init(code, modifiers.union(.ctrl))
    }
  }

  init?(_ csi: CSISequence) {
    let release = 3
    if csi.number(1, sub: 1) == release { return nil }
    switch csi.form {
    case "u": self.init(kittyCode: csi.parameters.first ?? [], modifiers: csi.number(1))
    case "~" where csi.number(0) == 27: self.init(kittyCode: [csi.number(2)], modifiers: csi.number(1))
    case "~": self.init(tilde: csi.number(0), modifiers: csi.number(1))
    case "$": self.init(tilde: csi.number(0), modifiers: 1 + 1)
    case "^": self.init(tilde: csi.number(0), modifiers: 1 + 4)
    case "@": self.init(tilde: csi.number(0), modifiers: 1 + 5)
    case "Z": self.init(.tab, .shift)
    default:
      if csi.parameters.isEmpty, let code = Key.rxvtArrows[csi.form] {
        self.init(code, .shift)
        return
      }
      guard let code = Key.cursorKeys[csi.form], (csi.number(0) ?? 1) == 1,
        let modifiers = Modifiers(parameter: csi.number(1))
      else { return nil }
      self.init(code, modifiers)
    }
  }

  private init?(tilde number: Int?, modifiers: Int?) {
    guard let number, let code = Key.tildeKeys[number], let modifiers = Modifiers(parameter: modifiers) else {
      return nil
    }
    self.init(code, modifiers)
  }

  /// - Parameter code: The key's code point and, if reported, its shifted form and the key at the same
  ///   position of a Latin keyboard, which is used for Ctrl and Alt in other scripts.
  private init?(kittyCode code: [Int?], modifiers: Int?) {
    guard let first = code.first, var number = first, var modifiers = Modifiers(parameter: modifiers) else {
      return nil
    }
    if number >= 0x80, !Key.isPrivate(number), !modifiers.isDisjoint(with: [.ctrl, .alt]), code.count > 2,
      let latin = code[2]
    {
      number = latin
    } else if code.count > 1, let shifted = code[1], modifiers.contains(.shift), !modifiers.contains(.ctrl) {
      number = shifted
      modifiers.remove(.shift)
    }
    if let named = Key.kittyKeys[number] {
      self.init(named, modifiers)
    } else if (57_376...57_398).contains(number) {
      self.init(.function(number - 57_376 + 13), modifiers)
    } else if number >= 0x20, !(0x7F...0x9F).contains(number), !Key.isPrivate(number),
      let scalar = Unicode.Scalar(UInt32(number))
    {
      self.init(Character(scalar), modifiers)
    } else {
      return nil
    }
  }

  /// The private use area, which the protocol uses for keys that are not characters.
  private static func isPrivate(_ number: Int) -> Bool { (0xE000...0xF8FF).contains(number) }
}

extension Key.Modifiers {
  /// The modifier parameter of a sequence: 1 + bits (shift 1, alt 2, ctrl 4, super 8, hyper 16, meta 32, and
  /// the locks 64 and 128, which are ignored). Nil for a key with super or hyper, which are left to other
  /// programs.
  init?(parameter: Int?) {
    let bits = max(1, parameter ?? 1) - 1
    guard bits & (8 | 16) == 0, bits < 256 else { return nil }
    self.init(rawValue: UInt8(bits & 7 | (bits & 32) >> 4))
  }
}

/// The codes of keys in sequences.
extension Key {
  /// Cursor and function keys by the final byte of `CSI 1;m X` and `ESC O X`.
  private static let cursorKeys: [String: Code] = [
    "A": .up, "B": .down, "C": .right, "D": .left, "F": .end, "H": .home,
    "P": .function(1), "Q": .function(2), "R": .function(3), "S": .function(4),
  ]

  /// Arrow keys by the final byte of rxvt's `CSI a` (with Shift) and `ESC O a` (with Ctrl).
  private static let rxvtArrows: [String: Code] = ["a": .up, "b": .down, "c": .right, "d": .left]

  /// Keys by the number in `CSI n ~` (DEC, xterm, Linux console).
  fileprivate static let tildeKeys: [Int: Code] = [
    1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
    11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5),
    17: .function(6), 18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10),
    23: .function(11), 24: .function(12), 25: .function(13), 26: .function(14), 28: .function(15),
    29: .function(16), 31: .function(17), 32: .function(18), 33: .function(19), 34: .function(20),
  ]

  /// Keypad keys by the final byte of `ESC O X` in application mode.
  private static let keypad: [String: Code] = {
    var keys: [String: Code] = ["M": .enter, "I": .tab, " ": .character(" ")]
    for (final, character) in zip("jklmnopqrstuvwxyX", "*+,-./0123456789=") {
      keys[String(final)] = .character(character)
    }
    return keys
  }()

  /// Keys by the code points of the kitty protocol that are not characters.
  private static let kittyKeys: [Int: Code] = {
    var keys: [Int: Code] = [
      9: .tab, 13: .enter, 27: .escape, 127: .backspace, 57_414: .enter,
      57_417: .left, 57_418: .right, 57_419: .up, 57_420: .down, 57_421: .pageUp, 57_422: .pageDown,
      57_423: .home, 57_424: .end, 57_425: .insert, 57_426: .delete,
      57_415: .character("="), 57_416: .character(","),
    ]
    for (offset, character) in "0123456789./*-+".enumerated() {
      keys[57_399 + offset] = .character(character)
    }
    return keys
  }()
}

extension Mouse {
  /// `CSI < b ; x ; y M`: 0 for the left button, 64 to 67 for the wheel. The modifiers 4, 8 and 16 are ignored.
  init?(_ csi: CSISequence) {
    guard csi.form == "<M", csi.parameters.count == 3, let bits = csi.number(0),
      let x = csi.number(1), let y = csi.number(2), x > 0, y > 0
    else { return nil }
    switch bits & ~(4 | 8 | 16) {
    case 0: action = .press
    case 64: action = .wheelUp
    case 65: action = .wheelDown
    case 66: action = .wheelLeft
    case 67: action = .wheelRight
    default: return nil
    }
    (column, row) = (x - 1, y - 1)
  }
}

extension Answer {
  init?(_ csi: CSISequence) {
    switch (csi.form, csi.number(0), csi.number(1)) {
    case ("?c", _, _): self = .deviceAttributes(csi.parameters.compactMap { $0.first ?? nil })
    case ("?u", let flags?, _): self = .keyboardFlags(flags)
    case ("?$y", let mode?, let state?):
      guard let state = ModeState(rawValue: state) else { return nil }
      self = .mode(mode, state)
    case ("t", 6, let height?):
      guard let width = csi.number(2) else { return nil }
      self = .cellSize(width: width, height: height)
    case ("R", let row?, let column?) where row > 1 && column > 0:
      self = .cursor(column: column - 1, row: row - 1)
    case ("?n", 997, let preference?): self = .prefersDark(preference == 1)
    default: return nil
    }
  }

  /// - Parameter introducer: The byte after Esc: `]` for an operating system command, `P` for a device
  ///   control string.
  init?(string: [UInt8], introducer: UInt8) {
    let text = Substring(decoding: string, as: UTF8.self)
    if introducer == UInt8(ascii: "P"), text.hasPrefix(">|") {
      self = .version(String(text.dropFirst(2)))
    } else if introducer == UInt8(ascii: "]"), text.hasPrefix("11;"),
      let (r, g, b) = Answer.color(text.dropFirst(3))
    {
      self = .background(r, g, b)
    } else {
      return nil
    }
  }

  /// `rgb:R/G/B` or `rgba:R/G/B/A`, each of one to four hexadecimal digits (XParseColor).
  private static func color(_ text: Substring) -> (UInt8, UInt8, UInt8)? {
    guard let colon = text.firstIndex(of: ":"), ["rgb", "rgba"].contains(text[..<colon]) else { return nil }
    let parts = text[text.index(after: colon)...].split(separator: "/", omittingEmptySubsequences: false)
    let values = parts.compactMap { digits -> UInt8? in
      guard (1...4).contains(digits.utf8.count), let value = UInt32(digits, radix: 16) else { return nil }
      let largest: UInt32 = (1 << (4 * UInt32(digits.utf8.count))) - 1
      return UInt8(value * 255 / largest)
    }
    guard values.count == parts.count, values.count >= 3 else { return nil }
    return (values[0], values[1], values[2])
  }
}

// MARK: Text

/// Collects the text between `CSI 200~` and `CSI 201~`, without interpreting it.
struct PasteBuffer: Sendable {
  private static let terminator: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]

  private var bytes: [UInt8] = []
  /// The number of bytes of the terminator that the input ends with. Esc occurs only at its start, so after a
  /// mismatch only the new byte can start another match.
  private var matched = 0

  /// Appends a byte; returns true if it ended the paste.
  mutating func append(_ byte: UInt8) -> Bool {
    if byte == PasteBuffer.terminator[matched] {
      matched += 1
    } else {
      keep(PasteBuffer.terminator[..<matched])
      matched = byte == ASCII.escape ? 1 : 0
      if matched == 0 { keep(CollectionOfOne(byte)) }
    }
    return matched == PasteBuffer.terminator.count
  }

  private mutating func keep(_ more: some Collection<UInt8>) {
    bytes.append(contentsOf: more.prefix(InputParser.pasteLimit - bytes.count))
  }

  /// The text with line ends as `\n`, without control characters other than that and the tab.
  var text: String {
    var decoded = String(decoding: bytes, as: UTF8.self)
    if bytes.count == InputParser.pasteLimit, decoded.last == "\u{FFFD}" { decoded.removeLast() }
    var text = String.UnicodeScalarView()
    var previous: Unicode.Scalar = " "
    for scalar in decoded.unicodeScalars {
      switch scalar {
      case "\n" where previous == "\r": break
      case "\r": text.append("\n")
      case "\n", "\t": text.append(scalar)
      default: if scalar.properties.generalCategory != .control { text.append(scalar) }
      }
      previous = scalar
    }
    return String(text)
  }
}

/// Collects the bytes of one non-ASCII UTF-8 scalar across reads.
struct UTF8Collector: Sendable {
  enum Outcome {
    case incomplete
    case character(Character)
    /// A C1 control character, which no key sends.
    case control
    /// Invalid UTF-8; the last byte may still start another character or sequence.
    case broken(byteBelongsToNext: Bool)
  }

  private var bytes: [UInt8] = []
  private var expectedCount = 0

  var isEmpty: Bool { bytes.isEmpty }

  mutating func collect(_ byte: UInt8) -> Outcome {
    if bytes.isEmpty { return begin(byte) }
    guard byte & 0xC0 == 0x80 else {
      bytes.removeAll(keepingCapacity: true)
      return .broken(byteBelongsToNext: true)
    }
    bytes.append(byte)
    guard bytes.count == expectedCount else { return .incomplete }
    defer { bytes.removeAll(keepingCapacity: true) }
    guard let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first else {
      return .broken(byteBelongsToNext: false)
    }
    return (0x80...0x9F).contains(scalar.value) ? .control : .character(Character(scalar))
  }

  private mutating func begin(_ lead: UInt8) -> Outcome {
    switch lead {
    case 0xC2...0xDF: expectedCount = 2
    case 0xE0...0xEF: expectedCount = 3
    case 0xF0...0xF4: expectedCount = 4
    default: return .broken(byteBelongsToNext: false)
    }
    bytes.append(lead)
    return .incomplete
  }
}
