import Config
import Glibc

/// Checks everything that riffle depends on, in the order of the report.
struct Doctor {
  let world: World
  let files: FileAccess
  /// The value of `--config`.
  let config: String?

  func examination() -> Examination {
    let (layers, complaints) = self.layers()
    let settings = layers?.settings ?? Settings()
    let catalogue = Catalogue(
      builtIns: BuiltInSources.documents, folder: ConfigFile.sourcesFolder(environment: world.environment),
      files: files, user: getuid(), overlays: layers?.overlays ?? [])
    let mistakes = complaints + (layers.map(catalogue.problems) ?? [])
    let environment = world.environment
    let sources = SourceDoctor(catalogue: catalogue, environment: environment, files: files)
    let disk = FileDoctor(environment: environment, files: files, user: getuid(), named: config)
    return Examination(subjects: [
      .init(title: "terminal", findings: TerminalDoctor(world: world, settings: settings).findings()),
      .init(title: "files", findings: disk.findings()),
      .init(title: "settings", findings: findings(mistakes, layers?.notes ?? [])),
      .init(title: "sources", findings: sources.sources()),
      .init(title: "credentials", findings: sources.credentials()),
      .init(title: "network", findings: NetworkDoctor(world: world, settings: settings).findings()),
      .init(
        title: "programs", findings: ProgramDoctor(environment: environment, settings: settings).findings()),
    ])
  }

  private func layers() -> (SettingsLayers?, [ConfigProblem]) {
    do throws(ConfigError) {
      return (
        try SettingsLayers(
          schema: .program, environment: world.environment, path: config, files: files, user: getuid()), []
      )
    } catch {
      return (nil, error.problems)
    }
  }

  private func findings(_ mistakes: [ConfigProblem], _ notes: [String]) -> [Finding] {
    let found: [Finding] =
      mistakes.map { .problem("\($0)", remedy: "fix it, then run riffle config check") }
      + notes.map { .note($0) }
    return found.isEmpty ? [.fine("no problems in the settings file and environment variables")] : found
  }
}
