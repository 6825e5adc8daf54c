extension TOMLValue {
  /// The text of a string, number or Boolean; nil for anything else.
  var scalarText: String? {
    switch content {
    case .string(let text): text
    case .integer(let number): String(number)
    case .float(let number): number.isFinite ? String(number) : nil
    case .bool(let flag): String(flag)
    case .date, .array, .table: nil
    }
  }

  /// The kind of a value that is not a text, number or Boolean, for messages.
  var oddName: String {
    if case .float(let number) = content, !number.isFinite { return "an infinite number or NaN" }
    return kindName
  }
}
