import Config
import Foundation
import JSON
import Output
import Pager
import Search

/// The tabs of the last session, for `--restore`: what was asked and how it was arranged, without rows.
struct SavedTabs: Codable {
  struct Tab: Codable {
    /// As for the command line: a name, the path of a file, or `@NAME`.
    var source: String
    var query = ""
    var options: [String: String] = [:]
    var filter = ""
    /// In the syntax of `--sort` and `--columns`.
    var sort: String?
    var columns: String?
  }

  var tabs: [Tab] = []
  /// The index of the tab that was shown.
  var current = 0

  /// `$XDG_STATE_HOME/riffle/tabs.json`, else the same below `~/.local/state`; nil without a home.
  static func path(environment: [String: String]) -> String? {
    StateFolder.path(environment: environment).map { "\($0)/tabs.json" }
  }

  /// Nil if there are none, or the file cannot be read.
  init?(_ dependencies: Dependencies) {
    let texts = dependencies.found("tabs") {
      guard let path = Self.path(environment: dependencies.environment),
        let file = try? FileAccess.system(limit: 1 << 20).read(path)
      else { return [] }
      return [String(decoding: file.bytes, as: UTF8.self)]
    }
    guard let text = texts.first, let saved = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)),
      !saved.tabs.isEmpty
    else { return nil }
    self = saved
  }

  init(_ tabs: [Tab], current: Int) { (self.tabs, self.current) = (tabs, current) }

  /// Failures are ignored: nothing the user asked for depends on it.
  func write(environment: [String: String]) {
    guard !tabs.isEmpty, let path = Self.path(environment: environment),
      let bytes = try? JSONEncoder().encode(self)
    else { return }
    let files = FileAccess.system()
    // Creates the folder, too.
    try? files.create(path, [])
    try? files.replace(path, Array(bytes))
  }
}

extension SavedTabs.Tab {
  init(_ session: PagerSession, _ state: PagerState, workingFolder: String) {
    let name = session.request.search?.word ?? session.request.options.source ?? session.run.source.id
    let isRelative = name.contains("/") && !name.hasPrefix("/") && !name.hasPrefix("~")
    self.init(source: isRelative ? "\(workingFolder)/\(name)" : name)
    if session.request.search == nil {
      (query, options) = (state.session.query.text, state.session.query.options)
    }
    let rules = state.arrangement
    filter = rules.filter
    sort = rules.sort.map { "\($0.column):\($0.isDescending ? "desc" : "asc")" }
    columns = rules.columns.isEmpty ? nil : rules.columns.joined(separator: ",")
  }
}
