import Config
import Glibc
import HTTPTransport
import HTTPValues
import Search
import Text

/// Checks everything that riffle depends on, in the order of the report.
package struct Doctor {
  let dependencies: Dependencies
  let files: FileAccess
  /// The value of `--config`.
  let config: String?
  /// Nil if the settings have mistakes.
  let layers: SettingsLayers?
  let catalog: Catalog
  /// The mistakes in the settings, and those in sources.
  let mistakes: (settings: [ConfigDiagnostic], sources: [ConfigDiagnostic])

  var settings: Settings { layers?.settings ?? Settings() }

  init(_ dependencies: Dependencies, config: String?) {
    self.dependencies = dependencies
    self.config = config
    files = .system()
    var found: [ConfigDiagnostic] = []
    do { layers = try SettingsLayers(dependencies, file: config, files: files) } catch {
      layers = nil
      found = error.problems
    }
    catalog = Catalog(dependencies, layers, files: files)
    mistakes = (found + (layers.map(catalog.problems) ?? []), catalog.all().problems)
  }

  /// - Parameters:
  ///   - source: The only source to check; nil for everything.
  ///   - isForIssue: Whether to write what a maintainer needs, without checks of one source.
  package static func run(
    _ dependencies: Dependencies, config: String?, source: String? = nil, isForIssue: Bool = false
  ) throws(CommandError) -> RunEnd {
    let doctor = Doctor(dependencies, config: config)
    let report = try source.map(doctor.report) ?? doctor.report()
    let lines =
      isForIssue ? IssueReport(doctor: doctor, report: report).lines() : report.lines(dependencies.colors)
    try dependencies.print(lines.map { "\($0)\n" }.joined())
    return .status(report.problemCount > 0 ? .failed : .done)
  }

  func report() -> DoctorReport {
    let sources = SourceDoctor(catalog: catalog, dependencies: dependencies, files: files)
    return DoctorReport(subjects: [
      ("terminal", TerminalDoctor(dependencies: dependencies, settings: settings).results()),
      ("settings", fileChecks() + settingsChecks()),
      ("sources and credentials", sources.sources() + sources.credentials()),
      ("network", networkChecks(settings)), ("programs", [opener(settings), clipboard]),
    ])
  }

  /// The report on one source and its parents.
  func report(on name: String) throws(CommandError) -> DoctorReport {
    let configuration = try Configuration(dependencies, file: config)
    let entry = try configuration.entry(name)
    let lineage = try configuration.lineage(of: entry, options: [:])
    let sources = SourceDoctor(catalog: configuration.catalog, dependencies: dependencies, files: files)
    return DoctorReport(subjects: [
      ("source", lineage.flatMap(sources.checks)),
      ("credentials", sources.credentials(of: lineage)),
      ("network", networkChecks(configuration.settings)),
    ])
  }

  var environment: [String: String] { dependencies.environment }

  private func settingsChecks() -> [DoctorCheck] {
    mistakes.settings.map { .problem("\($0)", remedy: "fix it, then run riffle config check") }
      + (layers?.notes ?? []).map { .note($0) }
  }
}

/// The result of one check.
enum DoctorCheck: Sendable, Hashable {
  case fine(String)
  /// For information; no action is needed.
  case note(String)
  /// It works, but is unsafe.
  case warning(String, remedy: String)
  case problem(String, remedy: String)

  var isFine: Bool { if case .fine = self { true } else { false } }
  var isNote: Bool { if case .note = self { true } else { false } }
  var isProblem: Bool { if case .problem = self { true } else { false } }
  var isWarning: Bool { if case .warning = self { true } else { false } }

  /// The finding, without its remedy.
  var text: String {
    switch self {
    case .fine(let text), .note(let text), .warning(let text, _), .problem(let text, _): text
    }
  }

  /// Text from files or the terminal is reduced to one line without control characters.
  fileprivate func lines(_ colors: CommandColors) -> [String] {
    func line(_ mark: String, _ role: Role, _ text: String) -> String {
      "  \(colors.output(role, mark)) \(Sanitized(text.replacing("\n", with: "; ")).string)"
    }
    return switch self {
    case .fine(let text): [line("ok      ", .success, text)]
    case .note(let text): [line("note    ", .dim, text)]
    case .warning(let text, let remedy):
      [line("WARNING ", .warning, text), line("         →", .dim, remedy)]
    case .problem(let text, let remedy):
      [line("PROBLEM ", .error, text), line("         →", .dim, remedy)]
    }
  }
}

/// The results of all checks, by subject.
struct DoctorReport: Sendable {
  let subjects: [(title: String, results: [DoctorCheck])]

  var problemCount: Int { subjects.flatMap(\.results).count(where: \.isProblem) }

  /// The report: one finding per line, with its remedy below.
  func lines(_ colors: CommandColors) -> [String] {
    let warnings = subjects.flatMap(\.results).count(where: \.isWarning)
    let counts = [(problemCount, "problem"), (warnings, "warning")].filter { $0.0 > 0 }
    let conclusion = counts.map { Digits.counted($0, $1) }.joined(separator: ", ")
    return subjects.flatMap { [colors.output(.header, $0.title)] + $0.results.flatMap { $0.lines(colors) } }
      + [counts.isEmpty ? "no problems" : conclusion]
  }
}

extension Doctor {
  /// Checks how services are reached: proxies and trusted certificates.
  fileprivate func networkChecks(_ settings: Settings) -> [DoctorCheck] {
    let exceptions = ["no_proxy", "NO_PROXY"].first { environment[$0]?.isEmpty == false }
      .map { DoctorCheck.fine("no proxy for \(environment[$0] ?? "") (\($0))") }
    let proxies = [proxy(for: .http), proxy(for: .https)]
    let none = [WebURL.Scheme.http, .https].map { DoctorCheck.fine("\($0.rawValue): no proxy") }
    return (proxies == none ? [.fine("no proxy")] : proxies)
      + [exceptions, roots(settings)].compactMap(\.self)
  }

  private func proxy(for scheme: WebURL.Scheme) -> DoctorCheck {
    do throws(ProxyVariableError) {
      let found = try ProxyVariables(environment).server(for: scheme)
      let proxy = found.map { "proxy \($0.server) (\($0.variable))" }
      return .fine("\(scheme.rawValue): \(proxy ?? "no proxy")")
    } catch {
      return .problem(
        "\(scheme.rawValue): \(error.variable) cannot be used: \(error.error)",
        remedy: "set \(error.variable)=http://HOST:PORT, or unset it")
    }
  }

  private func roots(_ settings: Settings) -> DoctorCheck {
    do throws(RootsError) {
      guard let roots = try TrustedRoots(TransportConfiguration(dependencies, settings)) else {
        return .problem("certificates are not checked", remedy: "omit --insecure")
      }
      if let file = roots.file { return .fine("\(roots.count) root certificates in \(file)") }
    } catch { return .problem("\(error)", remedy: PageError.rootsRemedy(error.setting)) }
    return .problem("no root certificates found", remedy: PageError.rootsRemedy(nil))
  }

  private var search: ExecutableSearch { ExecutableSearch(environment: environment) }

  /// The program that the pager starts for a link.
  private func opener(_ settings: Settings) -> DoctorCheck {
    let program = settings.opener.command.first ?? ""
    if let path = search.path(of: program) { return .fine("links open with \(path)") }
    let text = "links: \(program) is not installed"
    if settings.opener.command == Settings().opener.command {
      return .note("\(text). Set opener.command in config.toml")
    }
    return .problem(text, remedy: "fix opener.command in config.toml")
  }

  private var clipboard: DoctorCheck {
    let path = Clipboard.programs(environment: environment).lazy.compactMap { search.path(of: $0[0]) }.first
    if let path { return .fine("copying: by \(path), or through the terminal if it supports OSC 52") }
    return .note("copying: through the terminal (OSC 52); no wl-copy, xclip or xsel found")
  }
}

/// Finds executables as a shell does.
struct ExecutableSearch: Sendable {
  let environment: [String: String]

  /// The path of a program; nil if it is not found.
  func path(of program: String) -> String? {
    if program.contains("/") { return access(program, X_OK) == 0 ? program : nil }
    let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    return folders.lazy.map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
  }
}
