import Config
import Glibc
import HTTPTransport
import Text

/// Checks everything that riffle depends on, in the order of the report.
package struct Doctor {
  let dependencies: Dependencies
  let files: FileAccess
  /// The value of `--config`.
  let config: String?

  /// Prints the report.
  package static func run(_ dependencies: Dependencies, config: String?) throws(CommandError) -> RunEnd {
    let report = Doctor(dependencies: dependencies, files: .system(), config: config).report()
    try Descriptor.print(report.lines.map { "\($0)\n" }.joined())
    return .status(report.problemCount > 0 ? .failed : .done)
  }

  func report() -> DoctorReport {
    let (layers, problems) = self.layers()
    let settings = layers?.settings ?? Settings()
    let catalog = Catalog(
      builtIns: BuiltInSources.documents,
      folder: ConfigFile.sourcesFolder(environment: dependencies.environment),
      files: files, user: getuid(), overlays: layers?.overlays ?? [])
    let mistakes = problems + (layers.map(catalog.problems) ?? [])
    let environment = dependencies.environment
    let sources = SourceDoctor(catalog: catalog, environment: environment, files: files)
    let disk = FileDoctor(environment: environment, files: files, user: getuid(), named: config)
    return DoctorReport(subjects: [
      .init(
        title: "terminal", results: TerminalDoctor(dependencies: dependencies, settings: settings).results()),
      .init(title: "files", results: disk.results()),
      .init(title: "settings", results: results(mistakes, layers?.notes ?? [])),
      .init(title: "sources", results: sources.sources()),
      .init(title: "credentials", results: sources.credentials()),
      .init(
        title: "network", results: NetworkDoctor(dependencies: dependencies, settings: settings).results()),
      .init(
        title: "programs", results: ProgramDoctor(environment: environment, settings: settings).results()),
    ])
  }

  private func layers() -> (SettingsLayers?, [ConfigProblem]) {
    do throws(ConfigError) {
      return (
        try SettingsLayers(
          schema: .program, environment: dependencies.environment, path: config, files: files, user: getuid()),
        []
      )
    } catch {
      return (nil, error.problems)
    }
  }

  private func results(_ mistakes: [ConfigProblem], _ notes: [String]) -> [DoctorCheck] {
    let found: [DoctorCheck] =
      mistakes.map { .problem("\($0)", remedy: "fix it, then run riffle config check") }
      + notes.map { .note($0) }
    return found.isEmpty ? [.fine("no problems in the settings file and environment variables")] : found
  }
}

/// The result of one check.
struct DoctorCheck: Sendable, Hashable {
  enum Verdict: Sendable, Hashable {
    case fine
    /// For information; no action is needed.
    case note
    /// It works, but is unsafe.
    case warning(remedy: String)
    case problem(remedy: String)
  }

  let verdict: Verdict
  let text: String

  static func fine(_ text: String) -> DoctorCheck { DoctorCheck(verdict: .fine, text: text) }

  static func note(_ text: String) -> DoctorCheck { DoctorCheck(verdict: .note, text: text) }

  static func warning(_ text: String, remedy: String) -> DoctorCheck {
    DoctorCheck(verdict: .warning(remedy: remedy), text: text)
  }

  static func problem(_ text: String, remedy: String) -> DoctorCheck {
    DoctorCheck(verdict: .problem(remedy: remedy), text: text)
  }

  var isProblem: Bool { if case .problem = verdict { true } else { false } }
  var isWarning: Bool { if case .warning = verdict { true } else { false } }
}

/// The results of all checks, by subject.
struct DoctorReport: Sendable {
  struct Subject: Sendable {
    let title: String
    let results: [DoctorCheck]
  }

  let subjects: [Subject]

  var problemCount: Int { subjects.flatMap(\.results).count(where: \.isProblem) }

  /// The report: one finding per line, with its remedy below.
  var lines: [String] {
    subjects.flatMap { [$0.title] + $0.results.flatMap(\.lines) } + [conclusion]
  }

  private var conclusion: String {
    let warnings = subjects.flatMap(\.results).count(where: \.isWarning)
    let counts = [(problemCount, "problem"), (warnings, "warning")].filter { $0.0 > 0 }
    return counts.isEmpty
      ? "no problems" : counts.map { Digits.counted($0, $1) }.joined(separator: ", ")
  }
}

extension DoctorCheck {
  /// Text from files or the terminal is reduced to one line without control characters.
  fileprivate var lines: [String] {
    let text = Sanitized(text.replacing("\n", with: "; ")).string
    return switch verdict {
    case .fine: ["  ok       \(text)"]
    case .note: ["  note     \(text)"]
    case .warning(let remedy): ["  WARNING  \(text)", "           → \(Sanitized(remedy).string)"]
    case .problem(let remedy): ["  PROBLEM  \(text)", "           → \(Sanitized(remedy).string)"]
    }
  }
}

/// Checks how services are reached: proxies and trusted certificates.
struct NetworkDoctor {
  let dependencies: Dependencies
  let settings: Settings

  func results() -> [DoctorCheck] {
    ProxyChoice.all(environment: dependencies.environment).map(proxy) + exceptions + [roots]
  }

  private func proxy(_ choice: ProxyChoice) -> DoctorCheck {
    guard let variable = choice.variable else { return .fine("\(choice.scheme): no proxy") }
    if let server = choice.server {
      return .fine("\(choice.scheme): proxy \(server) (\(variable))")
    }
    return .problem(
      "\(choice.scheme): \(variable) cannot be used: \(choice.problem ?? "")",
      remedy: "set \(variable)=http://HOST:PORT, or unset it")
  }

  private var exceptions: [DoctorCheck] {
    let name = ["no_proxy", "NO_PROXY"].first { dependencies.environment[$0]?.isEmpty == false }
    return name.map { [.fine("no proxy for \(dependencies.environment[$0] ?? "") (\($0))")] } ?? []
  }

  private var roots: DoctorCheck {
    let remedy = "install ca-certificates, or set tls.ca_file to a PEM file"
    guard let roots = TrustedRoots(TransportConfiguration(dependencies, settings)) else {
      return .problem("certificates are not checked", remedy: "omit --insecure")
    }
    guard let file = roots.file else { return .problem("no root certificates found", remedy: remedy) }
    if let count = roots.count { return .fine("\(count) root certificates in \(file)") }
    return .problem("cannot read \(file) as a PEM file of root certificates", remedy: remedy)
  }
}

/// Checks the user's programs that the pager may start.
struct ProgramDoctor {
  let environment: [String: String]
  let settings: Settings

  func results() -> [DoctorCheck] { [opener, clipboard] }

  private var search: ExecutableSearch { ExecutableSearch(environment: environment) }

  private var opener: DoctorCheck {
    let program = settings.opener.command.first ?? ""
    if let path = search.path(of: program) { return .fine("links open with \(path)") }
    let text = "links cannot be opened: \(program) is not installed"
    if settings.opener.command == Settings().opener.command {
      return .note("\(text). Set opener.command in config.toml to use another program")
    }
    return .problem(text, remedy: "fix opener.command in config.toml")
  }

  private var clipboard: DoctorCheck {
    let path = Clipboard.programs(environment: environment).lazy.compactMap(search.path).first
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
