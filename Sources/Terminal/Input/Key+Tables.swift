extension Key {
  /// By the final byte of `CSI 1;m X` and `ESC O X`.
  static let cursorKeys: [UInt8: Code] = [
    UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
    UInt8(ascii: "F"): .end, UInt8(ascii: "H"): .home,
    UInt8(ascii: "P"): .function(1), UInt8(ascii: "Q"): .function(2), UInt8(ascii: "R"): .function(3),
    UInt8(ascii: "S"): .function(4),
  ]

  /// By the final byte of rxvt's `CSI a` (with Shift) and `ESC O a` (with Ctrl).
  static let rxvtArrows: [UInt8: Code] = [
    UInt8(ascii: "a"): .up, UInt8(ascii: "b"): .down, UInt8(ascii: "c"): .right, UInt8(ascii: "d"): .left,
  ]

  /// By the number in `CSI n ~` (DEC, xterm, Linux console).
  static let tildeKeys: [Int: Code] = [
    1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
    11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5),
    17: .function(6), 18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10),
    23: .function(11), 24: .function(12), 25: .function(13), 26: .function(14), 28: .function(15),
    29: .function(16), 31: .function(17), 32: .function(18), 33: .function(19), 34: .function(20),
  ]

  /// By the final byte of `ESC O X` for the keypad in application mode.
  static let keypad: [UInt8: Code] = {
    var keys: [UInt8: Code] = [
      UInt8(ascii: "M"): .enter, UInt8(ascii: "I"): .tab, UInt8(ascii: " "): .character(" "),
    ]
    for (final, character) in zip("jklmnopqrstuvwxyX".utf8, "*+,-./0123456789=") {
      keys[final] = .character(character)
    }
    return keys
  }()

  /// Code points of the kitty protocol that are not characters.
  static let kittyKeys: [Int: Code] = {
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
