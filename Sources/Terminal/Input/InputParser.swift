/// Turns the terminal's bytes into inputs: one state machine fed byte by byte, so that the same bytes give the
/// same inputs however reads cut them. It owns no clock: when it waits for more (`pending`), the caller decides
/// how long and then reports `silence()`.
///
/// Sources: ECMA-48 5.4 (control sequences), xterm ctlseqs, the kitty keyboard protocol, DEC STD 070 (DECRPM);
/// rxvt and Linux console forms from terminfo.
package struct InputParser: Sendable {
  /// Bytes of one control sequence or string that are kept; a longer one is swallowed whole.
  package static let sequenceLimit = 4_096

  /// What the parser waits for, most patient last.
  package enum Pending: Hashable, Sendable {
    /// An Esc that may be a key or begin a sequence.
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
    /// `ESC [ [` of the Linux console: one letter follows.
    case linuxFunctionKey
    /// The three bytes of a mouse report in X10 form, which is not asked for.
    case x10Mouse(left: Int)
    case paste(PasteBuffer)
  }

  private var state = State.ground
  private var sequence: [UInt8] = []
  private var isOverlong = false
  private var utf8 = UTF8Collector()
  /// Whether the character being collected came after Esc.
  private var isAlt = false

  package init() {}

  /// What more input would complete; nil when every byte so far is decoded (or begins a UTF-8 character, which
  /// needs no deadline).
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

  /// The keys that one read holds while the end of a paste is missing, if it is nothing but such of `candidates`.
  /// A terminal sends a paste in one go: these were typed, and are to be kept from it.
  package func keys(typedDuringPaste bytes: some Sequence<UInt8>, among candidates: Set<Key>) -> [Key] {
    // What ends the paste ends with a tilde, which no such key holds.
    guard pending == .paste, !bytes.contains(UInt8(ascii: "~")) else { return [] }
    var other = InputParser()
    let inputs = other.inputs(from: bytes)
    let keys = inputs.compactMap { input in
      if case .key(let key) = input, candidates.contains(key) { key } else { nil }
    }
    return keys.count == inputs.count && other.pending == nil && other.utf8.isEmpty ? keys : []
  }

  /// Nothing more came in time: a lone Esc is the key, an unfinished paste is the paste, the beginning of a
  /// sequence is the Alt key it looks like, and the rest is dropped.
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
}

extension InputParser {
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

  /// A byte that no sequence holds: what came before is dropped, the byte itself is not.
  private mutating func abandon(_ byte: UInt8, _ inputs: inout [Input]) {
    enter(.ground)
    feedGround(byte, &inputs)
  }

  private func alt(_ byte: UInt8) -> Input {
    let key = Key(ascii: byte)
    return .key(Key(key.code, key.modifiers.union(.alt)))
  }
}

enum ASCII {
  static let bell: UInt8 = 0x07
  static let escape: UInt8 = 0x1B
  static let space: UInt8 = 0x20
  static let delete: UInt8 = 0x7F
}
