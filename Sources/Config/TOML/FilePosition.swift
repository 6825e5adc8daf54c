/// A position in a document: line and column from 1, columns counted in code points.
package struct FilePosition: Sendable, Hashable, CustomStringConvertible {
  /// The path as the user would write it, or `builtin:NAME`.
  package let file: String
  package let line: Int
  package let column: Int

  package init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  package var description: String { "\(file):\(line):\(column)" }
}
