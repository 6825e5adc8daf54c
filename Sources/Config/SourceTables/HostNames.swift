import Search

extension TableReader {
  /// Hosts in lowercase, `cdn.example.org` or `cdn.example.org:8080`.
  mutating func hosts(_ key: String) -> [String] {
    strings(key).map { host in
      let url = try? WebURL("https://\(host.text)/")
      if url?.hasUserinfo ?? true || url?.path != "/" || url?.query != nil {
        report(
          "expected a host like \"cdn.example.org\" or \"cdn.example.org:8080\", found \(Wording.quoted(host.text))",
          for: key, at: host.position)
      }
      return host.text.lowercased()
    }
  }
}
