import Demo
import Foundation
import Glibc
import TestSupport
import Testing

/// Tests `riffle pick` with the session on a pseudo-terminal and stdout in a file.
@Suite(.takesTurns, .serialized, .timeLimit(.minutes(2))) struct PickProgramTests {
  /// - Returns: The output on stdout, and the exit of the program.
  private func pick(
    _ arguments: [String] = [], until text: String = "MODIFIER LETTER LEFT ARROWHEAD", keys: String,
    file: (String) -> String = { $0 }
  ) async throws -> (output: String, ending: PseudoTerminal.Ending?) {
    let server = try await DemoServer.start()
    let result = try await withFile("out", "") { path in
      let terminal = try Program.onTerminal(
        ["pick", "unicode", "arrow", "--set", "server=\(server.baseURL)"] + arguments,
        columns: 100, rows: 14, environment: ["HOME=/dev/null"], outputFile: file(path))
      #expect(terminal.shows(text))
      terminal.type(keys)
      let ending = terminal.ending()
      #expect(terminal.isAsFound)
      return (try String(contentsOfFile: path, encoding: .utf8), ending)
    }
    try await server.stop()
    return result
  }

  @Test func `Enter prints the selected row in the format that search uses.`() async throws {
    let (output, ending) = try await pick(keys: "j\r")
    #expect(output == "˃\tU+02C3\tMODIFIER LETTER RIGHT ARROWHEAD\tModifier Symbol\t1.1\t\n")
    #expect(ending == .exit(0))
  }

  @Test func `Marked rows are printed in table order, in the requested format.`()
    async throws
  {
    let (output, ending) = try await pick(["-c", "code_point,@link", "-f", "csv"], keys: "jjxggx\r")
    #expect(
      output == """
        code_point,@link
        U+02C2,https://util.unicode.org/UnicodeJsps/character.jsp?a=02C2
        U+02C4,https://util.unicode.org/UnicodeJsps/character.jsp?a=02C4

        """)
    #expect(ending == .exit(0))
  }

  @Test func `JSON Lines prints the service's own objects.`() async throws {
    let (output, _) = try await pick(["-f", "jsonl"], keys: "\r")
    #expect(
      output.hasPrefix(#"{"code_point":"U+02C2","character":"˂","name":"MODIFIER LETTER LEFT ARROWHEAD""#))
    #expect(output.hasSuffix("}\n"))
  }

  @Test(arguments: ["q", "␛", "\u{3}"]) func `Leaving without a choice prints nothing.`(key: String)
    async throws
  {
    let (output, ending) = try await pick(keys: key)
    #expect(output.isEmpty)
    #expect(ending == .exit(130))
  }

  @Test func `A full disk is an error.`() async throws {
    let (_, ending) = try await pick(keys: "\r", file: { _ in "/dev/full" })
    #expect(ending == .exit(74))
  }

  @Test func `Without a screen, pick refuses and recommends --plain and search.`() async throws {
    let result = try await Program.run(["pick", "unicode", "arrow"], environment: ["TERM": "dumb"])
    #expect(result.status == 64)
    #expect(
      result.errors
        == "riffle: pick needs a screen: TERM is empty or dumb. Add --plain, or use riffle search, which needs no terminal\n"
    )
  }
}
