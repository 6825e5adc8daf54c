import HTTPValues
import JSON
import Testing

@testable import Search

/// A page of rows with these ids.
func page(_ ids: [Int], _ continuation: Continuation, total: Total? = nil, at time: Double = 0) -> Page {
  let text = "[" + ids.map { "{\"id\":\($0)}" }.joined(separator: ",") + "]"
  guard let document = try? JSONDocument(Array(text.utf8)), let url = try? WebURL("http://127.0.0.1/") else {
    preconditionFailure("the fixture is JSON")
  }
  let rows = DocumentRows(
    response: ResponseValues(document: document, headers: [], url: url),
    nodes: Array(document.elements(of: document.rootNode)))
  var page = Page(content: .document(rows), continuation: continuation)
  page.keys = ids.map { RowKey.hash(String($0)) }
  page.total = total
  page.exchange = Exchange(sentAt: time, arrivedAt: time)
  return page
}

extension Position {
  /// The page with this ordinal in a service that numbers pages from 1.
  static func number(_ ordinal: Int) -> Position { Position(ordinal: ordinal, value: .number(ordinal + 1)) }
}

extension Continuation {
  /// A page with this ordinal follows.
  static func more(_ ordinal: Int, _ evidence: Evidence = .value) -> Continuation {
    .next(.number(ordinal), evidence)
  }
}

extension Session.Rules {
  /// Numbered pages, one at a time and without retries.
  static let plain = Session.Rules(
    first: .number(0), numbering: .pages(from: 1), retry: RetryPolicy(attempts: 0, maxWait: 10))

  func with(_ change: (inout Session.Rules) -> Void) -> Session.Rules {
    var copy = self
    change(&copy)
    return copy
  }
}

extension Session {
  /// `rows 1 2 3 · loading more · asks p2`: the session in one line.
  var picture: String {
    var parts = ["rows \(ids(in: rows).map(String.init).joined(separator: " "))".trimmed, phaseName]
    if !requests.isEmpty { parts.append("asks " + requests.map(name(of:)).joined(separator: " ")) }
    if !waits.isEmpty { parts.append("waits " + waits.map { name(of: $0.request) }.joined(separator: " ")) }
    return parts.joined(separator: " · ")
  }

  /// The waiting pages in page order, and the end of each wait.
  var waits: [(request: PageRequest, until: Double)] {
    slots.compactMap { slot in
      slot.state.wait.map { (request(for: slot), $0.until) }
    }
  }

  /// Reaches the time of the alarm, if one is set.
  mutating func ring() { if let alarm { reduce(.reached(alarm)) } }

  func ids(in store: RowStore) -> [Int] {
    (0..<store.count).compactMap { number in
      guard let (block, row) = store.locate(number), case .document(let rows)? = block.content else {
        return nil
      }
      return JSONValue(document: rows.response.document, node: rows.nodes[row])["id"]?.numberText.flatMap {
        Int($0)
      }
    }
  }

  private func name(of request: PageRequest) -> String {
    "p\(request.position.ordinal + 1)" + String(repeating: "'", count: request.attempt)
  }

  private var phaseName: String {
    switch phase {
    case .idle: "idle"
    case .loading(let load): "loading \(load)"
    case .waiting(let load, _): "waiting \(load)"
    case .failed(let load, _): "failed \(load)"
    case .stopped(let load): "stopped \(load)"
    case .end(let reason): "end \(reason.name)"
    }
  }

  /// Answers the first requested page.
  mutating func answer(_ ids: [Int], _ continuation: Continuation, total: Total? = nil, at time: Double = 0) {
    guard let request = requests.first else {
      Issue.record("nothing is asked: \(picture)")
      return
    }
    reduce(.loaded(page(ids, continuation, total: total, at: time), for: request))
  }

  mutating func failFirst(_ error: PageError, at time: RetryTiming = RetryTiming(now: 0)) {
    guard let request = requests.first else {
      Issue.record("nothing is asked: \(picture)")
      return
    }
    reduce(.failed(error, for: request, at: time))
  }
}

extension String {
  fileprivate var trimmed: String { hasSuffix(" ") ? String(dropLast()) : self }
}
