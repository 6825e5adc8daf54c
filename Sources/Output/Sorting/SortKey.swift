package import Search

/// What a value is sorted by: numbers by size before texts, texts without regard to case; a missing value
/// comes last whichever way one sorts.
package enum SortKey: Sendable, Hashable, Comparable {
  case number(ExactNumber)
  case text(folded: String, exact: String)
  case missing

  /// O(length of the value).
  package init(_ value: CellValue) {
    switch value {
    case .missing: self = .missing
    case .number(let text): self = ExactNumber(text).map { .number($0) } ?? Self.text(text)
    case .text, .bool, .list, .json: self = Self.text(value.text(separator: " "))
    }
  }

  private static func text(_ text: String) -> SortKey {
    text.isEmpty ? .missing : .text(folded: text.lowercased(), exact: text)
  }

  package static func < (a: SortKey, b: SortKey) -> Bool {
    switch (a, b) {
    case (.missing, _): false
    case (_, .missing): true
    case (.number(let a), .number(let b)): a < b
    case (.number, .text): true
    case (.text, .number): false
    case (.text(let a, let exactA), .text(let b, let exactB)): a == b ? exactA < exactB : a < b
    }
  }
}
