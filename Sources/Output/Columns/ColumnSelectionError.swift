private import Text

/// A list of columns that is invalid, or names a column that does not exist.
package struct ColumnSelectionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// As typed.
  package let name: String
  package let problem: String
  /// Similar names, nearest first.
  package let nearest: [String]
  /// The suggested next step.
  package let remedy: String?

  init(_ name: String, _ problem: String, among names: [String] = [], remedy: String? = nil) {
    self.name = name
    self.problem = problem
    nearest = NearestName.nearest(to: name, among: names)
    self.remedy = remedy
  }

  package var description: String {
    let names = nearest.map { "\"\($0)\"" }.joined(separator: " or ")
    return Sentences.joined([problem, nearest.isEmpty ? remedy : "did you mean \(names)?"])
  }
}
