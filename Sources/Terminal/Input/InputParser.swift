/// Decodes the terminal's bytes into inputs. It is a state machine fed byte by byte, so the result does not
/// depend on how the bytes are split into reads. It has no clock: while it waits for more (`pending`), the
/// caller decides on a timeout and then calls `silence()`.
///
/// Sources: ECMA-48 5.4 (control sequences), xterm ctlseqs, the kitty keyboard protocol, DEC STD 070
/// (DECRPM); rxvt and Linux console forms from terminfo.
package struct InputParser: Sendable {
  /// The maximum length in bytes of a control sequence or string; a longer one is discarded.
  package static let sequenceLimit = 4_096

  /// What the parser waits for, ordered by increasing timeout.
  package enum Pending: Hashable, Sendable {
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
    /// The three bytes of a mouse report in X10 format, which is never enabled.
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
  package var pending: Pending? {
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
    let keys = inputs.compactMap { input in
      if case .key(let key) = input, candidates.contains(key) { key } else { nil }
    }
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
    enter(.ground)
    guard let csi else { return }
    if csi.beginsPaste {
      state = .paste(PasteBuffer())
    } else if let input = csi.input {
      inputs.append(input)
    }
  }

  private mutating func feedSS3(_ byte: UInt8, _ inputs: inout [Input]) {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: ";"): keep(byte)
    case 0x20, 0x40...0x7E:
      let key = Key(ss3: byte, parameters: sequence)
      enter(.ground)
      if let key { inputs.append(.key(key)) }
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
    enter(.ground)
    if let answer { inputs.append(.answer(answer)) }
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

extension InputParser {
  /// The maximum size of a paste in bytes; the rest is dropped.
  package static let pasteLimit = 65_536
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
