extension WebURL {
  /// Resolves a reference against this URL (RFC 3986, section 5.2, strict).
  ///
  /// `?page=2`, `/next`, `../a`, `//host/path`, and absolute URLs are all references; an empty one is this
  /// URL. `hasUserinfo` carries over to the result only if the reference keeps the host.
  package func resolving(_ reference: String) throws(WebURLError) -> WebURL {
    let parts = try URLReference(reference)
    guard parts.scheme == nil else { return try WebURL(reference) }
    if let authority = parts.authority {
      return try WebURL(scheme: scheme, authority: authority, parts, in: reference)
    }
    guard !parts.path.isEmpty else { return WebURL(self, path: path, query: parts.query ?? query) }
    return WebURL(self, path: Self.withoutDotSegments(merged(parts.path)), query: parts.query)
  }

  /// Section 5.2.3: a relative path replaces everything after the last slash.
  private func merged(_ reference: String) -> String {
    guard !reference.utf8.starts(with: "/".utf8) else { return reference }
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? "/"
    return folder + reference
  }

  /// Section 5.2.4, with an empty path as `/` (section 6.2.3). The path must be empty or begin with `/`.
  static func withoutDotSegments(_ path: String) -> String {
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for segment in segments where segment != "." {
      if segment == ".." { _ = kept.popLast() } else { kept.append(segment) }
    }
    if segments.last == "." || segments.last == ".." { kept.append("") }
    return "/" + kept.joined(separator: "/")
  }
}
