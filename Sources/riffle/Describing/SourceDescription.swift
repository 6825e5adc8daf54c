import Config
import Search

/// Describes a source to the user: its interpretation as comments, followed by its document.
struct SourceDescription {
  let entry: CatalogEntry

  init(_ entry: CatalogEntry) { self.entry = entry }

  var text: String {
    let comments =
      ["source \(entry.source.id), \(entry.provenance)", trust] + credentials + [request] + options
    return (comments.compactMap { $0 }.map(TOMLText.comment) + ["", entry.tree.document]).joined(
      separator: "\n")
  }

  private var trust: String? {
    guard !entry.source.credentialUses.isEmpty else { return nil }
    return switch entry.trust {
    case .trusted: "trusted: can use its credentials"
    case .untrusted(let reason):
      "not trusted: it \(reason). To allow its credentials, use --trust for one run, or riffle sources add"
    }
  }

  private var credentials: [String] {
    let uses = entry.source.credentialUses
    return uses.isEmpty ? ["sends no credentials"] : uses.map { "sends \($0)" }
  }

  /// The first request for a query, or what is missing to make one.
  private var request: String {
    let source = entry.source
    let run = RunContext(pageSize: source.pagination.settings.size.standard, version: Version.number)
    let first = PageRequest(query: Query("QUERY"), position: source.pagination.style.first, generation: 0)
    do {
      let request = try source.request(for: first, in: run)
      return "first request: \(request.method.rawValue) \(request.url)"
    } catch {
      return "no first request: \(error.fullMessage)"
    }
  }

  private var options: [String] {
    entry.source.options.map { option in
      let value = option.defaultValue.map { $0.isEmpty ? "none" : $0 } ?? "required"
      let others = option.values.filter { !$0.isEmpty && $0 != option.defaultValue }
      let choice = others.isEmpty ? "" : " (or \(others.joined(separator: ", ")))"
      return "option \(option.name): \(value)\(choice)"
    }
  }
}
