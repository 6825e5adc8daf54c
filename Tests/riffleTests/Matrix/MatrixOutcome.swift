/// The outcome of the program in one cell.
struct MatrixOutcome: Sendable {
  /// The exit status; for a signal its number plus 128; nil when the program did not end.
  var status: Int32?
  /// The numbers of the rows written or on the screen; for `add` the detected pagination style.
  var rows: String
  var requests: Int
  /// The message: on stderr, or on the last lines of the screen.
  var words: String
  /// The peak memory in MiB; nil if the program ran in this process, or ended before its memory could be read.
  var peak: Int?
  var seconds: Double
  /// Problems that no fault excuses: the terminal was not restored, control characters were shown.
  var damage: [String] = []
}
