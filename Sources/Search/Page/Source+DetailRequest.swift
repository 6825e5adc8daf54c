extension Source {
  /// The request for a more complete form of the first row (`[detail.request]`); nil if the source has none,
  /// or the row has no URL.
  ///
  /// - Throws: As `request(for:in:)`, and if the URL is not on the origin of the source.
  package func detailRequest(
    for rows: DocumentRows, of query: Query, in run: RunContext
  ) throws(PageError) -> HTTPRequest? {
    guard let detail = detail.request, let row = rows.nodes.first,
      let address = rows.reply.text(of: detail.url, at: row), let home = origin(for: query, in: run)
    else { return nil }
    guard var url = try? rows.reply.url.resolving(address), url.origin == home else {
      throw PageError(
        .invalidRequest, message: "invalid address in detail.request of source \(id): \(address)",
        remedy: "use an address of \(home)")
    }
    for parameter in detail.parameters {
      let value = parameter.value.filled(
        option: { rows.reply.options[$0] },
        value: {
          $0.firstNode(in: rows.reply.document, from: row).flatMap { rows.reply.document.text(of: $0) }
        })
      if let value { url.setQueryItem(name: parameter.name, value: value) }
    }
    var requesting = endpoint
    requesting.method = .get
    requesting.body = nil
    requesting.isSafe = true
    guard var request = try self.requesting(requesting)?.request(for: firstPage(of: query), in: run) else {
      return nil
    }
    request.url = url
    return request
  }

  /// The row in the reply to `detailRequest`.
  package func detailRow(
    in reply: HTTPReply, of query: Query, in run: RunContext
  ) throws(PageError) -> DocumentRows {
    let (document, values) = read(reply, of: query, in: run)
    let verdict = ReplyVerdict.of(reply, values, source: self, isFirst: true)
    if case .failure(let kind, let canRepeat, let rule) = verdict {
      throw errors(in: reply, values, of: query, in: run).error(kind, canRepeat, rule)
    }
    guard let values else { throw unreadable(reply, document) }
    return DocumentRows(reply: values, nodes: [values.document.rootNode])
  }
}
