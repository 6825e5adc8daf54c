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
    if let code = Key.cursorKeys[final] {
      self.init(code, modifiers)
    } else if let code = Key.rxvtArrows[final] {
      self.init(code, modifiers.union(.ctrl))
    } else if let code = Key.keypad[final] {
      self.init(code, modifiers)
    } else {
      return nil
    }
  }

  init?(_ csi: CSISequence) {
    guard csi.prefix == nil, csi.intermediates.isEmpty, csi.number(1, sub: 1) != Key.release else {
      return nil
    }
    switch csi.final {
    case UInt8(ascii: "u"): self.init(kittyCode: csi.parameters.first ?? [], modifiers: csi.number(1))
    case UInt8(ascii: "~") where csi.number(0) == 27:
      self.init(kittyCode: [csi.number(2)], modifiers: csi.number(1))
    case UInt8(ascii: "~"): self.init(tilde: csi.number(0), modifiers: csi.number(1))
    case UInt8(ascii: "$"): self.init(tilde: csi.number(0), modifiers: 1 + 1)
    case UInt8(ascii: "^"): self.init(tilde: csi.number(0), modifiers: 1 + 4)
    case UInt8(ascii: "@"): self.init(tilde: csi.number(0), modifiers: 1 + 5)
    case UInt8(ascii: "Z"): self.init(.tab, .shift)
    default:
      if csi.parameters.isEmpty, let code = Key.rxvtArrows[csi.final] {
        self.init(code, .shift)
        return
      }
      guard let code = Key.cursorKeys[csi.final], (csi.number(0) ?? 1) == 1,
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
