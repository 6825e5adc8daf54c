import ArgumentParser
import Config

/// `riffle config show`.
struct ShowConfig: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print all settings in effect, as TOML.",
    discussion: """
        riffle config show --origin | grep -v default

      A setting without a default is printed as a comment; config.example.toml says what applies when it is unset.
      """)

  @OptionGroup var options: ConfigOptions

  @Flag(help: "Print where each value was set: file and line, variable, or default.")
  var origin = false

  func run() throws {
    try options.perform { dependencies, files in
      let layers = try options.layers(dependencies, files)
      for note in layers.notes { Message(dependencies).note(note) }
      let rows = layers.report.map { setting in
        [setting.value.map { "\(setting.key) = \($0)" } ?? "# \(setting.key)"]
          + (origin ? ["# \(setting.origin)"] : [])
      }
      try Descriptor.print(ColumnList.lines(rows).map { "\($0)\n" }.joined())
    }
  }
}
