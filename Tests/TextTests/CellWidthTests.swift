import Testing

@testable import Text

@Suite struct CellWidthTests {
  @Test func `The table decodes to what its generator encoded`() {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for value in UInt32(0)...0x10FFFF {
      let record = CellWidth[value].record
      for byte in [record & 0xFF, record >> 8] {
        sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3
      }
    }
    #expect(sum == CellWidthTable.checksum)
  }

  @Test func `The table agrees with the standard library, or else it must be generated again`() {
    var disagreements: [String] = []
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      if let rule = brokenRule(scalar, CellWidth[value]) {
        disagreements.append("U+\(String(value, radix: 16)): \(rule)")
      }
    }
    #expect(disagreements.isEmpty)
  }

  @Test func `The Unicode version is known`() {
    #expect(CellWidth.unicodeVersion == "17.0.0")
  }

  private func brokenRule(_ scalar: Unicode.Scalar, _ traits: ScalarTraits) -> String? {
    let properties = scalar.properties
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: if !traits.isZeroWidth { return "a mark has no column" }
    case .spacingMark: if !traits.isSpacing { return "a spacing mark is one" }
    default: break
    }
    if properties.isEmojiModifier != (traits.clusterBreak == .skinTone) { return "a modifier is a skin tone" }
    if properties.isEmojiPresentation, traits.clusterBreak != .regionalIndicator,
      traits.columns(ambiguousIsWide: false) != 2
    {
      return "an emoji by default is wide"
    }
    if properties.isIdeographic && traits.columns(ambiguousIsWide: false) != 2 && scalar.value >= 0x3400 {
      return properties.generalCategory == .otherLetter ? "an ideograph is wide" : nil
    }
    return nil
  }
}
