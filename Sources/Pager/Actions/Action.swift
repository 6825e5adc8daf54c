/// A named thing a key can do. Help, key map, manual and tests are made from these entries.
package struct Action: Sendable {
  /// The contract: what configuration and documentation call it.
  package let name: String
  package let summary: String
  /// Default keys per scope, in key notation.
  package let keys: [KeyScope: [String]]
  /// The transition; the count typed before the key, if any.
  package let perform: @Sendable (inout PagerState, Int?) -> Void

  init(
    _ name: String, _ summary: String, table: [String] = [], query: [String] = [], popup: [String] = [],
    perform: @escaping @Sendable (inout PagerState, Int?) -> Void
  ) {
    self.name = name
    self.summary = summary
    self.keys = [.table: table, .query: query, .popup: popup].filter { !$0.value.isEmpty }
    self.perform = perform
  }
}

package enum Actions {
  /// Every action, in the order help shows them.
  package static let all: [Action] = moving + loading + asking + leaving
}
