extension Source {
  /// The URL of a request with its placeholders filled in, without parameters.
  ///
  /// - Throws: If a value would change the path's structure, or the result is not a URL.
  func address(_ values: PlaceholderValues) throws(PageError) -> WebURL {
    try checkPath(values)
    do { return try WebURL(addressText { values($0) }) } catch {
      throw PageError(
        .invalidRequest, message: "invalid address of source \(id): \(error)",
        remedy: "correct request.url or the option in it")
    }
  }

  /// The origin of requests with these options; nil if an option is missing or its value is not a URL.
  ///
  /// - Parameter addresses: URLs for option values, as in `RunContext`.
  package func origin(options chosen: [String: String], addresses: [String: String] = [:]) -> Origin? {
    let text = addressText { name in
      guard let option = options.first(where: { $0.name == name }) else { return "x" }
      let value = chosen[name] ?? option.defaultValue ?? ""
      return addresses[value] ?? value
    }
    return (try? WebURL(text))?.origin
  }

  private func addressText(_ value: (String) -> String?) -> String {
    let text = endpoint.url.filled(value) { value, placeholder in
      if placeholder.name == endpoint.url.baseName {
        return value.hasSuffix("/") ? String(value.dropLast()) : value
      }
      return placeholder.keepsSlashes
        ? PercentEncoding.encodedPath(value) : PercentEncoding.encoded(value)
    }
    return text ?? ""
  }

  /// Throws if an empty value or a dot segment would change what the path refers to.
  private func checkPath(_ values: PlaceholderValues) throws(PageError) {
    let placeholders = endpoint.url.addressPlaceholders.filter { $0.part == .path }.map(\.placeholder)
    if placeholders.isEmpty { return }
    if let empty = placeholders.first(where: { values($0.name)?.isEmpty ?? true }) {
      throw PageError(
        .invalidRequest, message: "{\(empty.name)} is empty, but required in the path of source \(id)",
        remedy: empty.name == "query" ? "type a query" : "add --set \(empty.name)=…")
    }
    // A base URL may have a path; only the part after it is checked.
    let text = addressText { $0 == endpoint.url.baseName ? "" : values($0) }
    let segments = text.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
      .split(separator: UInt8(ascii: "/"))
    if segments.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }) {
      let names = placeholders.map { "{\($0.name)}" }.joined(separator: " and ")
      throw PageError(
        .invalidRequest, message: "\(names) would put . or .. into the path of source \(id)",
        remedy: "choose another value")
    }
  }
}
