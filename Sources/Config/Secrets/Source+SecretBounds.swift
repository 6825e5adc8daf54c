import Search

extension Source {
  /// Whether the source's secrets may be sent to an origin: the configured one, one selected by an option's
  /// declared values, or a host in `auth.hosts`.
  ///
  /// - Parameter chosen: The chosen options that result in this origin.
  func owns(_ origin: Origin, options chosen: [String: String]) -> Bool {
    origin == self.origin(options: [:]) || origin.isListed(in: authorization?.hosts ?? [])
      || isDeclared(chosen)
  }

  /// Whether the document itself lists every chosen value that affects scheme and host.
  private func isDeclared(_ chosen: [String: String]) -> Bool {
    let names = endpoint.url.addressPlaceholders.filter { $0.part != .path && $0.part != .query }
      .map(\.placeholder.name)
    return options.filter { names.contains($0.name) }.allSatisfy { option in
      guard let value = chosen[option.name] else { return option.defaultValue != nil }
      return option.values.contains(value) || value == option.defaultValue
    }
  }

  /// Whether requests require a secret.
  var needsSecrets: Bool {
    authorization.map { !$0.isOptional } ?? false || secrets.contains { !$0.isOptional }
  }
}
