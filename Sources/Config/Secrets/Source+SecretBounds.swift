import Search

extension Source {
  /// Whether its secrets may go to an origin: the one it is configured for, one that an option's declared
  /// values lead to, or a host in `auth.hosts`.
  ///
  /// - Parameter chosen: the options that lead there.
  func owns(_ origin: Origin, options chosen: [String: String]) -> Bool {
    origin == self.origin(options: [:]) || origin.isListed(in: authorization?.hosts ?? [])
      || isDeclared(chosen)
  }

  /// Whether the document itself states every value that takes part in scheme and host.
  private func isDeclared(_ chosen: [String: String]) -> Bool {
    let names = endpoint.url.addressPlaceholders.filter { $0.part != .path && $0.part != .query }
      .map(\.placeholder.name)
    return options.filter { names.contains($0.name) }.allSatisfy { option in
      guard let value = chosen[option.name] else { return option.defaultValue != nil }
      return option.values.contains(value) || value == option.defaultValue
    }
  }

  /// Whether nothing can be asked without one of them.
  var needsSecrets: Bool {
    authorization.map { !$0.isOptional } ?? false || secrets.contains { !$0.isOptional }
  }
}
