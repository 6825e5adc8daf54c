extension WebURL {
  /// A decoded query parameter. The value is nil without `=`.
  package struct QueryItem: Sendable, Hashable {
    package let name: String
    package let value: String?
  }

  /// The parameters in order, decoded as in a form (`+` is a space).
  package var queryItems: [QueryItem] {
    pieces.filter { !$0.isEmpty }.map { piece in
      let value = piece.firstIndex(of: "=").map { piece[piece.index(after: $0)...] }
      return QueryItem(
        name: Self.name(of: piece), value: value.map { PercentEncoding.decoded($0, plusIsSpace: true) })
    }
  }

  /// Appends a parameter; the bytes before it are unchanged.
  package mutating func appendQueryItem(name: String, value: String) {
    let item = Self.piece(name, value)
    query = query.map { $0.isEmpty || $0.hasSuffix("&") ? $0 + item : "\($0)&\(item)" } ?? item
  }

  /// Sets the value of the first parameter with this name in place, and removes the others; appends the
  /// parameter if there is none. The bytes of other parameters are unchanged.
  package mutating func setQueryItem(name: String, value: String) {
    guard let place = pieces.firstIndex(where: { Self.name(of: $0) == name }) else {
      return appendQueryItem(name: name, value: value)
    }
    let others = pieces[(place + 1)...].filter { Self.name(of: $0) != name }
    query = (pieces[..<place] + [Self.piece(name, value)[...]] + others).joined(separator: "&")
  }

  /// Removes all parameters with this name; the bytes of the others are unchanged.
  package mutating func removeQueryItems(named name: String) {
    let kept = pieces.filter { Self.name(of: $0) != name }
    guard kept.count < pieces.count else { return }
    query = kept.isEmpty ? nil : kept.joined(separator: "&")
  }

  /// The query split at `&`. It is ASCII, so its characters are its bytes.
  private var pieces: [Substring] {
    query?.split(separator: "&", omittingEmptySubsequences: false) ?? []
  }

  private static func piece(_ name: String, _ value: String) -> String {
    "\(PercentEncoding.encoded(name))=\(PercentEncoding.encoded(value))"
  }

  private static func name(of piece: Substring) -> String {
    PercentEncoding.decoded(piece.prefix { $0 != "=" }, plusIsSpace: true)
  }
}
