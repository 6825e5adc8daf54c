extension PaginationSettings {
  /// The number of rows per page, and how it is requested (`size`).
  package struct PageSize: Sendable, Hashable {
    /// Where it is sent; nil if it is not sent, or is placed by `{page_size}`.
    package var slot: Slot?
    package var standard: Int?
    package var maximum: Int?
    /// Where a reply reports the size it used.
    package var actual: ValueExpression?
    /// The value to send, containing `{page_size}`; nil to send the number.
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

    /// Puts a page size into a request.
    package func apply(_ size: Int, to draft: inout RequestDraft) {
      guard let slot else { return }
      let text = template.flatMap { $0.filled { name in name == "page_size" ? String(size) : nil } }
      draft.put(text.map { JSONToken($0) } ?? JSONToken(size), into: slot)
    }

    /// The page size: the one that the reply reports, or else the requested one.
    func used(in reply: ReplyValues, requested: Int?) -> Int? {
      let named = actual.flatMap { reply.text(of: $0) }.flatMap { Int($0) }
      return named.flatMap { 1...1_000_000 ~= $0 ? $0 : nil } ?? requested
    }
  }
}
