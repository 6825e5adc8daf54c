private import Text

extension CellValue {
  /// What a value is sorted by when that is a number: its size, or the seconds since 1970 of a time; `.infinity`
  /// for a missing value, NaN where the text decides.
  func sortNumber(in column: Column) -> Double {
    if let time = column.format.time(of: self) { return time.epoch }
    switch self {
    case .missing: return .infinity
    case .number(let text): return Self.finite(text)
    case .text(let text) where column.format.alignment == .trailing: return Self.finite(text)
    case .text, .bool, .list, .json: return .nan
    }
  }

  private static func finite(_ text: String) -> Double {
    Double(text).map { min(max($0, -.greatestFiniteMagnitude), .greatestFiniteMagnitude) } ?? .nan
  }
}
