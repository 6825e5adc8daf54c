private import Text

extension CellValue {
  /// What a value is sorted by when that is a number: its size, or the seconds since 1970 of a time; `.infinity`
  /// for a missing value, NaN where the text decides.
  func sortNumber(in column: Column) -> Double {
    switch self {
    case .missing: return .infinity
    case .number(let text): return Self.finite(Double(text))
    case .text(let text) where column.format.alignment == .trailing: return Self.finite(Double(text))
    case .text, .bool, .list, .json:
      guard !column.format.isExact, case .text(let text) = column.format.machineValue(self) else {
        return .nan
      }
      return Self.finite(Timestamp(iso8601: text)?.epoch)
    }
  }

  private static func finite(_ number: Double?) -> Double {
    number.map { min(max($0, -.greatestFiniteMagnitude), .greatestFiniteMagnitude) } ?? .nan
  }
}
