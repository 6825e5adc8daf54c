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

  /// - Parameter source: The only source to check; nil for everything.
  package static func run(
    _ dependencies: Dependencies, config: String?, source: String? = nil
  ) throws(CommandError) -> RunEnd {
    let doctor = Doctor(dependencies: dependencies, files: .system(), config: config)
    let report = try source.map(doctor.report) ?? doctor.report()
    try dependencies.print(report.lines(dependencies.colors).map { "\($0)\n" }.joined())
    return .status(report.problemCount > 0 ? .failed : .done)
  }

  func report() -> DoctorReport {
    var layers: SettingsLayers?
    var mistakes: [ConfigDiagnostic] = []
    do { layers = try SettingsLayers(dependencies, file: config, files: files) } catch {
      mistakes = error.problems
    }
    let settings = layers?.settings ?? Settings()
    let catalog = Catalog(dependencies, layers, files: files)
    mistakes += layers.map(catalog.problems) ?? []
    let sources = SourceDoctor(catalog: catalog, dependencies: dependencies, files: files)
    return DoctorReport(subjects: [
      ("terminal", TerminalDoctor(dependencies: dependencies, settings: settings).results()),
      ("files", fileChecks()), ("settings", checks(mistakes, layers?.notes ?? [])),
      ("sources", sources.sources()), ("credentials", sources.credentials()),
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

  private func checks(_ mistakes: [ConfigDiagnostic], _ notes: [String]) -> [DoctorCheck] {
    let found: [DoctorCheck] =
      mistakes.map { .problem("\($0)", remedy: "fix it, then run riffle config check") }
      + notes.map { .note($0) }
    return found.isEmpty ? [.fine("no problems in the settings file and environment variables")] : found
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
  var isProblem: Bool { if case .problem = self { true } else { false } }
  var isWarning: Bool { if case .warning = self { true } else { false } }

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
    return [proxy(for: .http), proxy(for: .https), exceptions, roots(settings)].compactMap(\.self)
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
    let text = "links cannot be opened: \(program) is not installed"
    if settings.opener.command == Settings().opener.command {
      return .note("\(text). Set opener.command in config.toml to use another program")
    }
    return .problem(text, remedy: "fix opener.command in config.toml")
  }

  private var clipboard: DoctorCheck {
    let path = Clipboard.programs(environment: environment).lazy.compactMap { search.path(of: $0[0]) }.first
    if let path { return .fine("text is copied with \(path), or by the terminal if it supports OSC 52") }
    return .note("no clipboard program found (wl-copy, xclip, xsel): text is copied by the terminal (OSC 52)")
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
