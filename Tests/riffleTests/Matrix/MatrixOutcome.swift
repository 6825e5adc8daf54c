/// What the program did in one cell.
struct MatrixOutcome: Sendable {
  /// The exit status; that of a signal plus 128; nil: it did not end.
  var status: Int32?
  /// The rows kept, by number: written, or on the screen. What `add` guessed.
  var rows: String
  var requests: Int
  /// What was said: on stderr, or on the last lines of the screen.
  var words: String
  /// In MiB.
  var peak: Int
  var seconds: Double
  /// What is wrong whatever the fault is: the terminal was not given back, control characters.
  var damage: [String] = []
}
