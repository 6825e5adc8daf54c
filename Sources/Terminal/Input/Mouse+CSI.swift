extension Mouse {
  /// `CSI < b ; x ; y M` (press, drag, wheel) or `m` (release).
  init?(_ csi: CSISequence) {
    guard csi.prefix == UInt8(ascii: "<"), csi.parameters.count == 3, let bits = csi.number(0),
      let x = csi.number(1), let y = csi.number(2), x > 0, y > 0, bits < 256
    else { return nil }
    switch csi.final {
    case UInt8(ascii: "M"): action = Mouse.pressed(bits)
    case UInt8(ascii: "m") where bits & 64 == 0: action = .release(Mouse.button(bits))
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
