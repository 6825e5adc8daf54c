import Config
import Glibc
import Pager
import Search

/// The queries of previous sessions, one JSON object per line: `{"source": "github", "query": "swift tui"}`.
struct HistoryFile: Sendable {
  /// Nil disables the history.
  let path: String?
  let source: String
  /// The number of queries kept, across all sources.
  let size: Int

  /// `$XDG_STATE_HOME/riffle/history.jsonl`, else the same below `~/.local/state`.
  static func path(environment: [String: String]) -> String? {
    if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") {
      return "\(folder)/riffle/history.jsonl"
    }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return "\(home)/.local/state/riffle/history.jsonl"
  }

  /// The queries of this source, the latest last. When the file has grown to twice its size, the older half
  /// is deleted. Write errors are ignored.
  func queries() -> [String] {
    var lines = lines()
    if let path, lines.count >= 2 * size {
      lines = lines.suffix(size)
      if case .success(let file) = PrivateFile.replace(
        path, with: Array(lines.map { "\($0)\n" }.joined().utf8))
      {
        close(file.number)
      }
    }
    return lines.compactMap { line in
      guard let document = try? JSONDocument(Array(line.utf8)), document.root["source"]?.string == source
      else {
        return nil
      }
      return document.root["query"]?.string
    }
  }

  /// Appends a query without reading the others.
  func append(_ query: String) -> EffectOutcome {
    guard let path else { return .done(nil) }
    add("{\"source\": \(JSONText.quoted(source)), \"query\": \(JSONText.quoted(query))}", to: path)
    return .done(nil)
  }

  private func lines() -> [Substring] {
    guard let path, let file = try? FileAccess.system(limit: Self.mostBytes).read(path) else { return [] }
    return String(decoding: file.bytes, as: UTF8.self).split(separator: "\n")
  }

  private static let mostBytes = 16 << 20

  /// Appends the line with a single write, because two sessions may append at the same time.
  private func add(_ line: String, to path: String) {
    // Creates the file and its folder if they are missing.
    try? FileAccess.system().create(path, [])
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = Descriptor(descriptor).write(Array("\(line)\n".utf8))
    close(descriptor)
  }
}
