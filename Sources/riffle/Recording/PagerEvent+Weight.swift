import Pager
import Search

/// The memory an event takes, and what can be dropped from it.
extension PagerEvent {
  /// The approximate size in bytes of the event's storage outside its own stride.
  var heldBytes: Int {
    switch self {
    case .key, .mouse, .resized, .resumed, .background, .focused, .rested, .ticked: 0
    case .pasted(let text), .refused(let text), .warned(let text), .tripped(let text): text.heldBytes
    case .session(let event): Box.bytes(of: event) + event.heldBytes
    case .ordered(let order):
      Box.bytes(of: order) + order.rules.filter.heldBytes + order.rules.visible.heldBytes
        + order.rows.count * (order.rules.sort == nil ? 4 : 28)
    case .read(let content, let identity): Box.bytes(of: (content, identity)) + content.heldBytes
    case .effectEnded(_, let outcome): outcome.heldBytes
    case .historyRead(let queries): queries.heldBytes
    }
  }

  /// The event without what can be recomputed from the state.
  var outline: PagerEvent { if case .ordered(let order) = self { .ordered(order.outline) } else { self } }

  /// The event without the texts of its rows; nil if it has none.
  var withoutTexts: PagerEvent? {
    guard case .session(.loaded(let page, let request)) = self, page.hasTexts else { return nil }
    return .session(.loaded(page.withoutTexts, for: request))
  }
}

extension SessionEvent {
  fileprivate var heldBytes: Int {
    switch self {
    case .searched(let query, _): query.heldBytes
    case .loaded(let page, let request): page.heldBytes + request.heldBytes
    case .failed(let error, let request, _): error.heldBytes + request.heldBytes
    case .totalReceived(_, let requested): requested.query.heldBytes
    case .totalFailed(let error, let requested, _): error.heldBytes + requested.query.heldBytes
    case .wanted, .refreshed, .stopped, .retried, .reached, .written: 0
    }
  }
}

extension Page {
  fileprivate var hasTexts: Bool {
    if case .cells(let cells) = content { !cells.text.isEmpty } else { false }
  }

  /// The columns are shared by all pages of a session, so they are not counted.
  fileprivate var heldBytes: Int {
    var bytes = keys.heldBytes + notes.heldBytes + exchange.address.heldBytes
    if case .next(let next, _) = continuation { bytes += 2 * next.heldBytes }
    if case .cells(let cells) = content { bytes += cells.heldBytes }
    return bytes
  }
}

extension PageRequest {
  fileprivate var heldBytes: Int { query.heldBytes + position.heldBytes }
}

extension Position {
  fileprivate var heldBytes: Int {
    switch value {
    case .start, .number: 0
    // Links and cursors are stored both as text and parsed.
    case .token, .link, .members: 256 + 2 * "\(value)".utf8.count
    }
  }
}

extension Query {
  fileprivate var heldBytes: Int {
    options.reduce(text.heldBytes) { $0 + 64 + $1.key.heldBytes + $1.value.heldBytes }
  }
}

extension PageError {
  fileprivate var heldBytes: Int {
    message.heldBytes + (remedy?.heldBytes ?? 0) + (exchange?.address.heldBytes ?? 0)
  }
}

extension RowDetail.Content {
  fileprivate var heldBytes: Int {
    switch self {
    case .read(let fields, let others, let body, let json):
      (fields + others).reduce(64) { $0 + 32 + $1.title.heldBytes + $1.text.heldBytes }
        + (body?.heldBytes ?? 0)
        + json.heldBytes
    case .failed(let why): why.heldBytes
    }
  }
}

extension EffectOutcome {
  fileprivate var heldBytes: Int {
    switch self {
    case .done(let report): report?.heldBytes ?? 0
    case .failed(let report): report.heldBytes
    }
  }
}

private enum Box {
  /// The size of a heap allocation for a value.
  static func bytes<Value>(of value: Value) -> Int { 16 + MemoryLayout<Value>.stride }
}

extension String {
  /// Short strings are stored inline.
  fileprivate var heldBytes: Int { utf8.count > 15 ? 32 + utf8.count : 0 }
}

extension [String] {
  fileprivate var heldBytes: Int { isEmpty ? 0 : reduce(32) { $0 + 16 + $1.heldBytes } }
}

extension [UInt64] {
  fileprivate var heldBytes: Int { isEmpty ? 0 : 32 + 8 * count }
}

extension [Int] {
  fileprivate var heldBytes: Int { isEmpty ? 0 : 32 + 8 * count }
}
