import Config
import Glibc
import Search
import Text

/// What a maintainer needs to know for an issue. It has names that riffle knows, numbers and positions, but no text of
/// files, sources or variables, in which a secret may be, except for the few variables that name the terminal.
struct IssueReport {
  let doctor: Doctor
  let report: DoctorReport

  private var environment: [String: String] { doctor.environment }

  func lines() -> [String] {
    let sections: [(title: String, lines: [String])] = [
      ("system", [system, distribution].compactMap(\.self)), ("environment", variables),
      ("settings that differ from the defaults", settings), ("sources", sources), ("checks", checks),
    ]
    return [Version.text]
      + sections.flatMap { ["", $0.title] + ($0.lines.isEmpty ? ["none"] : $0.lines).map { "  \($0)" } }
  }

  // MARK: The machine

  private var system: String {
    var names = utsname()
    guard uname(&names) == 0 else { return "unknown" }
    func text<Bytes>(_ bytes: Bytes) -> String {
      withUnsafeBytes(of: bytes) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    return "\(text(names.sysname)) \(text(names.release)) \(text(names.machine))"
  }

  /// `Debian GNU/Linux 12 (bookworm)`, from os-release(5).
  private var distribution: String? {
    guard let file = try? doctor.files.read("/etc/os-release") else { return nil }
    return String(decoding: file.bytes, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("PRETTY_NAME=") }.map { String($0.dropFirst(12)).replacing("\"", with: "") }
  }

  /// Variables that name the terminal and the language, with their values; of others only that they are set.
  private var variables: [String] {
    let shown = ["TERM", "COLORTERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "LC_ALL", "LC_CTYPE", "LANG"]
    let named = [
      "NO_COLOR", "TMUX", "STY", "SSH_CONNECTION", "DISPLAY", "WAYLAND_DISPLAY", "VISUAL", "EDITOR",
      "XDG_CONFIG_HOME",
      "XDG_STATE_HOME", "XDG_CACHE_HOME", "SSL_CERT_FILE", "SSL_CERT_DIR", "http_proxy", "HTTP_PROXY",
      "https_proxy",
      "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY", "RIFFLE_CONFIG",
    ]
    func isSet(_ name: String) -> Bool { environment[name]?.isEmpty == false }
    let set = named.filter(isSet)
    return shown.filter(isSet).map { "\($0)=\(environment[$0] ?? "")" }
      + (set.isEmpty ? [] : ["also set: \(set.joined(separator: ", "))"])
  }

  // MARK: Settings and sources

  private var settings: [String] {
    guard let layers = doctor.layers else { return ["unknown: the settings have mistakes"] }
    let changed = SettingsSchema.program.settings.filter { layers.origin(of: $0) != .standard }.map {
      setting in
      "\(setting.key) \(value(of: setting, in: layers.settings)) (\(place(of: layers.origin(of: setting))))"
    }
    let counts = [("actions", layers.settings.actions.count), ("searches", layers.searches.count)]
    return changed + counts.filter { $0.1 > 0 }.map { "[\($0)]: \($1)" }
  }

  /// A value from a closed set; of any other value only that it is set.
  private func value(of setting: Setting, in settings: Settings) -> String {
    switch setting.kind {
    case .integer, .bool, .choice, .duration, .style, .keys:
      setting.value(in: settings).map { "= \($0.toml)" } ?? "is unset"
    case .path, .command: "is set"
    case .source: builtIn(settings.search.source).map { "= \($0)" } ?? "is set"
    }
  }

  private func place(of origin: SettingOrigin) -> String {
    if case .file(let position) = origin { "line \(position.line) of the settings file" } else { "\(origin)" }
  }

  private var sources: [String] {
    let own = doctor.catalog.all().entries.filter { $0.provenance != .builtIn }.enumerated().map {
      number, entry in
      let source = entry.source
      let credential = source.authorization.map { ", auth \($0.scheme.name)" } ?? ""
      let parent = source.parent == nil ? "" : ", nested"
      return "your own \(number + 1): pagination \(source.pagination.name)\(credential)\(parent)"
    }
    let changed = Set((doctor.layers?.overlays ?? []).compactMap { builtIn($0.name) }).sorted()
    return own + (changed.isEmpty ? [] : ["changed by settings: \(changed.joined(separator: ", "))"])
  }

  /// The name if a built-in source has it.
  private func builtIn(_ name: String?) -> String? {
    BuiltInSources.documents.first { $0.name == name }?.name
  }

  // MARK: Checks

  /// The results of each subject, by number, and the positions of mistakes.
  private var checks: [String] {
    let subjects = report.subjects
    let counts = subjects.map { subject in
      let marks = [
        (subject.results.count(where: \.isFine), "ok"), (subject.results.count(where: \.isNote), "note"),
        (subject.results.count(where: \.isWarning), "warning"),
        (subject.results.count(where: \.isProblem), "problem"),
      ].filter { $0.0 > 0 }
      let words = marks.map { $0.1 == "ok" ? "\($0.0) ok" : Digits.counted($0.0, $0.1) }
      return "\(subject.title): \(words.joined(separator: ", "))"
    }
    let mistakes = (doctor.mistakes.settings + doctor.mistakes.sources).map {
      "mistake in \(place(of: $0.place))"
    }
    let terminal = subjects.first { $0.title == "terminal" }?.results ?? []
    return counts + mistakes + terminal.map { Sanitized("terminal: \($0.text)").string }
  }

  private func place(of place: ConfigDiagnostic.Place) -> String {
    switch place {
    case .position(let position):
      "\(HomePath.shortened(position.file, home: environment["HOME"])):\(position.line):\(position.column)"
    case .named(let name): HomePath.shortened(name, home: environment["HOME"])
    case .unreadable(let file): HomePath.shortened(file, home: environment["HOME"])
    }
  }
}
