extension PaginationSettings {
  /// How many rows a page has, and how that is asked for (`size`).
  package struct PageSize: Sendable, Hashable {
    /// Where it goes; nil when it is not asked for, or placed by `{page_size}`.
    package var slot: Slot?
    package var standard: Int?
    package var maximum: Int?
    /// Where a reply says which size it really used.
    package var actual: ValueExpression?
    /// What is sent, with `{page_size}` in it; nil sends the number.
    package var template: Template?

    package init(
      slot: Slot? = nil, standard: Int? = nil, maximum: Int? = nil, actual: ValueExpression? = nil,
      template: Template? = nil
    ) {
      self.slot = slot
      self.standard = standard
      self.maximum = maximum
      self.actual = actual
      self.template = template
    }

    /// Puts a size where it goes.
    package func apply(_ size: Int, to draft: inout RequestDraft) {
      guard let slot else { return }
      let text = template.flatMap { $0.filled { name in name == "page_size" ? String(size) : nil } }
      draft.put(text.map { JSONToken($0) } ?? JSONToken(size), into: slot)
    }

    /// The size of a page: the one its reply names, else the one that was asked for.
    func used(in reply: ReplyValues, asked: Int?) -> Int? {
      let named = actual.flatMap { reply.text(of: $0) }.flatMap { Int($0) }
      return named.flatMap { 1...1_000_000 ~= $0 ? $0 : nil } ?? asked
    }
  }
}
