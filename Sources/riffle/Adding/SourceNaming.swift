import Config
import Search

/// Chooses an unused name for a new source.
struct SourceNaming {
  let configuration: Configuration

  /// The requested name, or one derived from the address.
  func name(_ wanted: String?, for address: WebURL) throws(CommandError) -> String {
    let free = SourceName.suggestions(for: address).first { owner(of: $0) == nil } ?? "source"
    guard let wanted else { return free }
    if let owner = owner(of: wanted) {
      throw CommandError("\(owner). Choose another --name, such as \(free)", .usage)
    }
    return wanted
  }

  /// What already uses the name; nil if it is free.
  func owner(of name: String) -> String? {
    if Riffle.commandNames.contains(name) { return "\(name) is a riffle command" }
    if let folder = configuration.sourcesFolder {
      let file = NewSourceFile(folder: folder, name: name)
      if file.isTaken { return "\(file.path) already exists" }
    }
    do throws(CatalogError) {
      return "source \(name) already exists (\(try configuration.catalog.entry(named: name).provenance))"
    } catch {
      if case .unknown = error { return nil }
      return "source \(name) already exists"
    }
  }
}
