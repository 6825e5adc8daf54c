import ArgumentParser
import Config

struct ShowConfig: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Every setting as it is in effect, as TOML.",
    discussion: """
        riffle config show --origin | grep -v default

      A setting without a value has no default of its own; config.example.toml says what counts then.
      """)

  @OptionGroup var options: ConfigOptions

  @Flag(help: "Say who sets each value: the file with its line, a variable, or the default.")
  var origin = false

  func run() throws {
    try options.perform { world, files in
      let layers = try options.layers(world, files)
      for note in layers.notes { Message(world).note(note) }
      let rows = layers.report.map { setting in
        [setting.value.map { "\(setting.key) = \($0)" } ?? "# \(setting.key)"]
          + (origin ? ["# \(setting.origin)"] : [])
      }
      try Descriptor.print(Columns.lines(rows).map { "\($0)\n" }.joined())
    }
  }
}
