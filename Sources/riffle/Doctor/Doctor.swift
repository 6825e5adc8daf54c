import Config
import Glibc

/// Checks everything that riffle depends on, in the order of the report.
struct Doctor {
  let dependencies: Dependencies
  let files: FileAccess
  /// The value of `--config`.
  let config: String?

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
