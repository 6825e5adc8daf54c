import HTTPTransport
import Search
import Synchronization

/// Caches the replies of this run by address, so that trying several guesses requests each page only once.
final class ReplyCache: Sendable {
  private let replies = Mutex<[Address: HTTPReply]>([:])

  /// An address, compared regardless of the order of its parameters.
  private struct Address: Hashable {
    let place: String
    let parameters: [WebURL.QueryItem: Int]

    init(_ url: WebURL) {
      place = "\(url.origin)\(url.path)"
      parameters = url.queryItems.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
  }

  func remember(_ reply: HTTPReply, to url: WebURL) {
    replies.withLock { $0[Address(url)] = reply }
  }

  /// A transport that requests only addresses that are not cached.
  func transport(over transport: Transport) -> Transport {
    Transport { request, total throws(TransportFailure) in
      if let reply = self.replies.withLock({ $0[Address(request.url)] }) { return reply }
      let reply = try await transport.reply(to: request, within: total)
      self.remember(reply, to: request.url)
      return reply
    }
  }
}
