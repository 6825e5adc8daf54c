extension TOMLValue {
  /// What a string, number or boolean is as text; nil for anything else.
  var scalarText: String? {
    switch content {
    case .string(let text): text
    case .integer(let number): String(number)
    case .float(let number): number.isFinite ? String(number) : nil
    case .bool(let flag): String(flag)
    case .date, .array, .table: nil
    }
  }

  /// For messages: what is there instead of text, a number or a boolean.
  var oddName: String {
    if case .float(let number) = content, !number.isFinite { return "a number that JSON has not" }
    return kindName
  }
}
