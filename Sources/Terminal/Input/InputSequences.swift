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
    guard index < parameters.count, sub < parameters[index].count else { return nil }
    return parameters[index][sub]
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
    } else if let code = Key.rxvtArrows[form] {
      self.init(code, modifiers.union(.ctrl))
    } else {
      return nil
    }
  }

  init?(_ csi: CSISequence) {
    if csi.number(1, sub: 1) == Key.release { return nil }
    switch csi.form {
    case "u": self.init(kittyCode: csi.parameters.first ?? [], modifiers: csi.number(1))
    case "~" where csi.number(0) == 27:
      self.init(kittyCode: [csi.number(2)], modifiers: csi.number(1))
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

  private static let release = 3

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

extension Key {
  /// By the final byte of `CSI 1;m X` and `ESC O X`.
  private static let cursorKeys: [String: Code] = [
    "A": .up, "B": .down, "C": .right, "D": .left, "F": .end, "H": .home,
    "P": .function(1), "Q": .function(2), "R": .function(3), "S": .function(4),
  ]

  /// By the final byte of rxvt's `CSI a` (with Shift) and `ESC O a` (with Ctrl).
  private static let rxvtArrows: [String: Code] = ["a": .up, "b": .down, "c": .right, "d": .left]

  /// By the number in `CSI n ~` (DEC, xterm, Linux console).
  fileprivate static let tildeKeys: [Int: Code] = [
    1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
    11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5),
    17: .function(6), 18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10),
    23: .function(11), 24: .function(12), 25: .function(13), 26: .function(14), 28: .function(15),
    29: .function(16), 31: .function(17), 32: .function(18), 33: .function(19), 34: .function(20),
  ]

  /// By the final byte of `ESC O X` for the keypad in application mode.
  private static let keypad: [String: Code] = {
    var keys: [String: Code] = ["M": .enter, "I": .tab, " ": .character(" ")]
    for (final, character) in zip("jklmnopqrstuvwxyX", "*+,-./0123456789=") {
      keys[String(final)] = .character(character)
    }
    return keys
  }()

  /// Code points of the kitty protocol that are not characters.
  private static let kittyKeys: [Int: Code] = {
    var keys: [Int: Code] = [
      9: .tab, 13: .enter, 27: .escape, 127: .backspace, 57_414: .enter,
      57_417: .left, 57_418: .right, 57_419: .up, 57_420: .down, 57_421: .pageUp, 57_422: .pageDown,
      57_423: .home, 57_424: .end, 57_425: .insert, 57_426: .delete,
    ]
    for (offset, character) in "0123456789./*-+".enumerated() {
      keys[57_399 + offset] = .character(character)
    }
    keys[57_415] = .character("=")
    keys[57_416] = .character(",")
    return keys
  }()
}

extension CSISequence {
  /// Whether `CSI n $` is complete. rxvt ends a shifted key with `$`, which is otherwise an intermediate byte
  /// after a prefix or two parameters.
  static func isRxvtKey(_ body: [UInt8]) -> Bool {
    guard body.count <= 2, let number = Int(String(decoding: body, as: UTF8.self)) else { return false }
    return Key.tildeKeys[number] != nil
  }
}

extension Mouse {
  /// `CSI < b ; x ; y M` (press, drag, wheel) or `m` (release).
  init?(_ csi: CSISequence) {
    guard csi.parameters.count == 3, let bits = csi.number(0),
      let x = csi.number(1), let y = csi.number(2), x > 0, y > 0, bits < 256
    else { return nil }
    switch csi.form {
    case "<M": action = Mouse.pressed(bits)
    case "<m" where bits & 64 == 0: action = .release(Mouse.button(bits))
    default: return nil
    }
    column = x - 1
    row = y - 1
    modifiers = Key.Modifiers(rawValue: UInt8((bits & 4) >> 2 | (bits & 8) >> 2 | (bits & 16) >> 2))
  }

  private static func pressed(_ bits: Int) -> Action {
    switch bits & (64 | 32 | 3) {
    case 64: .wheelUp
    case 65: .wheelDown
    case 66: .wheelLeft
    case 67: .wheelRight
    case 35: .move
    case 32...: .drag(button(bits))
    default: .press(button(bits))
    }
  }

  /// 0 left, 1 middle, 2 right, 8 and above for extra buttons.
  private static func button(_ bits: Int) -> Int { bits & 3 | (bits & 128) >> 4 }
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
