package import Search

/// A one-time side effect. It stays in the state until it has ended, and is identified by its number.
package struct EffectRequest: Sendable, Hashable, Identifiable {
  package enum Task: Sendable {
    /// Open an http or https address with the user's opener.
    case open(String)
    /// Copy one sanitized line; `what` describes it.
    case copy(String, what: String)
    /// Copy the row's JSON.
    case copyJSON(RowReference)
    case perform(RowAction, RowReference)
    case write(RowSelection, file: String)
    /// Write the events of this session to a new file.
    case saveRecording(file: String)
    /// Append a submitted query to the history file.
    case remember(String)
  }

  package let id: Int
  package let task: Task

  package static func == (a: EffectRequest, b: EffectRequest) -> Bool { a.id == b.id }
  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// How an effect ended.
package enum EffectOutcome: Sendable, Hashable {
  /// The message for the user, such as `copied the row (OSC 52)`; nil for none.
  case done(String?)
  /// What failed, why, and what to do.
  case failed(String)
}

/// A row within its page.
package struct RowReference: Sendable {
  package let content: PageContent
  /// The row's index in the content.
  package let row: Int
  package let key: UInt64?
}

/// Rows in list order.
package struct RowSelection: Sendable {
  package let rows: RowStore
  package let numbers: [Int]
  /// The displayed columns, from left to right.
  package let columns: [Column]
}

/// The effects that are requested and have not ended, in order.
struct EffectQueue: Sendable {
  private(set) var effects: [EffectRequest] = []
  private var next = 1

  mutating func append(_ task: EffectRequest.Task) {
    effects.append(EffectRequest(id: next, task: task))
    next += 1
  }

  /// - Returns: Nil if there was no such effect.
  mutating func remove(_ id: Int) -> EffectRequest? {
    effects.firstIndex { $0.id == id }.map { effects.remove(at: $0) }
  }
}
