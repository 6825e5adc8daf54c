import Search

/// A reply read from files, as if the source had received it.
struct SavedReply {
  let source: Source
  let request: PageRequest
  let run: RunContext
  let reply: HTTPReply

  /// - Parameters:
  ///   - head: A status line and header lines, each optional.
  ///   - page: The page number of the reply, from 1.
  init(body: [UInt8], head: [UInt8]?, of source: Source, page: Int) throws(CommandError) {
    let head = ReplyHead(String(decoding: head ?? [], as: UTF8.self))
    self.source = source.readingAllRows
    run = RunContext(pageSize: source.pagination.settings.size.standard, version: Version.number)
    request = PageRequest(query: Query("QUERY"), position: Self.position(of: page, in: source), generation: 0)
    do {
      let url = try source.request(for: request, in: run).url
      reply = HTTPReply(status: head.status, headers: head.fields, body: body, url: url)
    } catch {
      throw CommandError(error.fullMessage, .usage)
    }
  }

  private static func position(of page: Int, in source: Source) -> Position {
    var position = source.pagination.style.first
    position.ordinal = page - 1
    if case .number(let first) = position.value, source.pagination.name == "page" {
      position.value = .number(first + page - 1)
    }
    return position
  }

  /// What the source reads from the reply.
  func reading(dependencies: Dependencies) -> ReplyReading {
    var reply = reply
    reply.arrivedAt = dependencies.now()
    do {
      let page = try source.page(from: reply, for: request, in: run) { .document($0) }
      return ReplyReading(page, of: source, in: reply, dependencies: dependencies)
    } catch {
      return ReplyReading(error)
    }
  }
}

extension Source {
  /// The same source without client-side filtering, because the query of the saved request is unknown.
  fileprivate var readingAllRows: Source {
    var source = self
    source.input.filter = .server
    return source
  }
}

/// The head of a reply as saved by curl: a status line and header lines. If there are several heads
/// (redirects), the last one is used.
struct ReplyHead: Sendable, Hashable {
  private(set) var status = 200
  private(set) var fields: HTTPFields = []

  init(_ text: String) {
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("HTTP/") {
        let words = line.split(separator: " ")
        status = words.count > 1 ? Int(words[1]) ?? 200 : 200
        fields = []
      } else if let colon = line.firstIndex(of: ":") {
        let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        let end = value.lastIndex { $0 != " " && $0 != "\t" }
        fields.append(
          HTTPField(received: String(line[..<colon]), value: end.map { String(value[...$0]) } ?? ""))
      }
    }
  }
}
