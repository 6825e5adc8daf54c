import Foundation
import HTTPTransport
import HTTPValues
import Locking
import TestSupport
import Text

@testable import App
@testable import riffle

/// A made-up conversation with a service, in the shape that its documentation describes (`Walks/NAME.walk`):
///
///     # The page of the documentation
///     $ TOKEN=x riffle search NAME words --all -f csv
///     | a line of the settings file
///     > GET https://api.example.org/things?q=words
///     > Authorization: Bearer x
///     < 200
///     < Link: <https://api.example.org/things?q=words&page=2>; rel="next"
///     {"things": []}
///     rows:
///     name
///
/// After the line of a request come the headers that it must have or its body.
struct Walk: Sendable {
  struct Exchange: Sendable {
    /// The method and the URL.
    var request: String
    var headers: [HTTPField] = []
    var body: String?
    var status = 0
    var responseHeaders: [HTTPField] = []
    var response = ""
  }

  private(set) var environment: [String: String] = [:]
  private(set) var words: [String] = []
  private(set) var settings: [Substring] = []
  private(set) var exchanges: [Exchange] = []
  /// What the program writes.
  private(set) var rows = ""

  init(_ text: String) {
    let parts = text.split(separator: "\nrows:\n", maxSplits: 1)
    rows = parts.count > 1 ? String(parts[1]) : ""
    for line in parts.first?.split(separator: "\n") ?? [] {
      switch line.prefix(2) {
      case "# ": break
      case "$ ": setCommand(line.dropFirst(2))
      case "| ": settings.append(line.dropFirst(2))
      case "> " where exchanges.last.map { $0.status > 0 } ?? true:
        exchanges.append(Exchange(request: String(line.dropFirst(2))))
      case "> ":
        let text = line.dropFirst(2)
        if let field = Self.field(text) {
          exchanges[exchanges.count - 1].headers.append(field)
        } else {
          exchanges[exchanges.count - 1].body = String(text)
        }
      case "< ":
        if let status = Int(line.dropFirst(2)) {
          exchanges[exchanges.count - 1].status = status
        } else if let field = Self.field(line.dropFirst(2)) {
          exchanges[exchanges.count - 1].responseHeaders.append(field)
        }
      default: exchanges[exchanges.count - 1].response += line + "\n"
      }
    }
  }

  private static func field(_ line: Substring) -> HTTPField? {
    guard let match = line.wholeMatch(of: /([A-Za-z0-9-]+): (.*)/) else { return nil }
    return HTTPField(received: String(match.1), value: String(match.2))
  }

  private mutating func setCommand(_ line: Substring) {
    var rest = Self.words(line)[...]
    while let match = rest.first?.wholeMatch(of: /([A-Z][A-Z0-9_]*)=(.*)/) {
      environment[String(match.1)] = String(match.2)
      rest = rest.dropFirst()
    }
    words = Array(rest.dropFirst())
  }

  private static func words(_ line: Substring) -> [String] {
    var words = [""]
    var quote: Character?
    for character in line {
      if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      } else if quote == nil, character == " " {
        words.append("")
      } else {
        words[words.count - 1].append(character)
      }
    }
    return words
  }
}

/// Answers the requests of a walk, and notes what differs from it.
final class Conversation: Sendable {
  fileprivate struct State {
    var open: [Walk.Exchange]
    var differences: [String] = []
  }

  private let state: Lock<State>

  init(_ walk: Walk) { state = Lock(State(open: walk.exchanges)) }

  /// What differs; empty if all requests came as expected, and no others.
  var differences: [String] {
    state.withLock { $0.differences + $0.open.map { "never requested: \($0.request)" } }
  }

  var transport: Transport {
    Transport { [self] request, _ in
      let exchange = state.withLock { $0.answer(request) }
      return HTTPResponse(
        status: exchange.status, headers: HTTPFields(exchange.responseHeaders),
        body: Array(exchange.response.utf8), url: request.url,
        arrivedAt: TransportConfiguration.timeOfDay())
    }
  }
}

extension Conversation.State {
  /// Requests for several pages may come at once, in any order.
  fileprivate mutating func answer(_ request: HTTPRequest) -> Walk.Exchange {
    let address = "\(request.method.rawValue) \(request.sentAddress)"
    let body = String(decoding: request.sentBody, as: UTF8.self)
    guard
      let index = open.firstIndex(where: { $0.request == address && ($0.body ?? body) == body })
    else {
      differences.append("unexpected request: \(address) \(body)")
      return Walk.Exchange(request: address, status: 500)
    }
    let exchange = open.remove(at: index)
    for field in exchange.headers where request.sentHeaders.first(field.name) != field.value {
      differences.append(
        "\(address): \(field.name) is \(request.sentHeaders.first(field.name) ?? "not sent")")
    }
    return exchange
  }
}

extension HTTPRequest {
  /// The URL with the credentials in its query.
  fileprivate var sentAddress: WebURL {
    var url = url
    for credential in sentCredentials {
      if case .query(let name) = credential.place {
        url.appendQueryItem(name: name, value: credential.secret.reveal())
      }
    }
    return url
  }
}

/// A clock on which every wait is over at once. A run must show no progress, which would advance it for ever.
struct HurriedClock: Clock {
  private let elapsed = Lock(Duration.zero)
  private let start = ContinuousClock.now

  var now: ContinuousClock.Instant { start + elapsed.withLock { $0 } }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    let end = start.duration(to: deadline)
    elapsed.withLock { $0 = max($0, end) }
    await Task.yield()
  }
}
