import Config

extension Target {
  static let sources = Target(
    name: "sources", summary: "TOML and what a source may say: a source, or what is wrong and where"
  ) { bytes in
    let lineCount = bytes.lines.count
    do throws(ConfigError) {
      let document = try TOMLDocument(bytes, file: "x.toml")
      _ = try SourceDecoder.source(document)
    } catch {
      hold(!error.problems.isEmpty, "something is wrong with it")
      for problem in error.problems {
        guard case .position(let position) = problem.place else { continue }
        hold(1...(lineCount + 1) ~= position.line, "a problem is in the file: \(problem)")
      }
    }
  }
}
