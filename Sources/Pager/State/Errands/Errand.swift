package import Search

/// Something to be done in the world once: it stays in the state until it has come to an end, and is the same
/// errand as long as its number is.
package struct Errand: Sendable, Hashable, Identifiable {
  package enum Task: Sendable {
    /// An http or https address, for the user's opener.
    case open(String)
    /// One sanitised line, and what it is.
    case copy(String, what: String)
    /// The row's own JSON.
    case copyJSON(RowReference)
    case perform(RowAction, RowReference)
    case write(RowSelection, file: String)
    /// What has happened in this session, to a new file.
    case saveRecording(file: String)
    /// A submitted query, for the history file.
    case remember(String)
  }

  package let id: Int
  package let task: Task

  package static func == (a: Errand, b: Errand) -> Bool { a.id == b.id }
  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

package enum ErrandOutcome: Sendable, Hashable {
  /// What the user is told: `copied the row (OSC 52)`; nil for nothing.
  case done(String?)
  /// What failed, why, and what to do.
  case failed(String)
}

/// A row as it lies in its page.
package struct RowReference: Sendable {
  package let content: PageContent
  /// Its place in the content.
  package let row: Int
  package let key: UInt64?
}

/// Rows in the order they are listed.
package struct RowSelection: Sendable {
  package let rows: RowStore
  package let numbers: [Int]
  /// The columns shown, in their order.
  package let columns: [Column]
}

struct ErrandQueue: Sendable {
  private(set) var errands: [Errand] = []
  private var next = 1

  mutating func append(_ task: Errand.Task) {
    errands.append(Errand(id: next, task: task))
    next += 1
  }

  /// - Returns: nil when it was not there.
  mutating func remove(_ id: Int) -> Errand? {
    errands.firstIndex { $0.id == id }.map { errands.remove(at: $0) }
  }
}
