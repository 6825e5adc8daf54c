#if os(Linux) || os(macOS)
  import Foundation
  import Testing

  private enum Built {
    /// The folder of the built module, next to the program that runs the tests.
    static let modules: URL? = {
      let programs = [CommandLine.arguments[0], Bundle.main.executablePath ?? ""]
      let folders = programs.flatMap { program in
        let folder = URL(filePath: program).deletingLastPathComponent()
        return [folder.appending(path: "Modules"), folder]
      }
      return folders.first {
        FileManager.default.fileExists(atPath: $0.appending(path: "FeedbackLoop.swiftmodule").path)
      }
    }()

    static let compiler: URL? = {
      let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
      return folders.map { URL(filePath: String($0)).appending(path: "swiftc") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }()
  }

  /// What the compiler says about mistakes in the use of the library. Skipped where the compiler or the built module is
  /// not found.
  @Suite(.enabled(if: Built.modules != nil && Built.compiler != nil))
  struct CompilerMessageTests {
    /// The messages of the compiler about a file, with their lines.
    private static func errors(in file: URL) throws -> [(line: Int, message: String)] {
      let process = Process()
      process.executableURL = Built.compiler
      process.arguments = [
        "-typecheck", "-swift-version", "6", "-diagnostic-style", "llvm", "-I", Built.modules?.path ?? "",
        file.path,
      ]
      let output = Pipe()
      process.standardError = output
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return text.split(separator: "\n").compactMap { line in
        let fields = line.split(separator: ":", maxSplits: 4)
        guard fields.count == 5, fields[0].hasSuffix(file.lastPathComponent), fields[3] == " error" else {
          return nil
        }
        return Int(fields[1]).map { ($0, String(fields[4])) }
      }
    }

    @Test func `The compiler says what to write instead of each mistake`() throws {
      let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "Messages/Mistakes.swift")
      let source = try String(contentsOf: file, encoding: .utf8).split(
        separator: "\n", omittingEmptySubsequences: false)
      let errors = try Self.errors(in: file)
      var mistakes: [(line: Int, expected: String)] = []
      for (index, line) in source.enumerated() where line.hasPrefix("// expected: ") {
        mistakes.append((index + 1, String(line.dropFirst("// expected: ".count))))
      }
      #expect(!mistakes.isEmpty)
      for (index, mistake) in mistakes.enumerated() {
        let end = index + 1 < mistakes.count ? mistakes[index + 1].line : Int.max
        let found = errors.filter { (mistake.line..<end).contains($0.line) }.map(\.message)
        #expect(
          found.count == 1 && found[0].contains(mistake.expected),
          "line \(mistake.line + 1): expected \(mistake.expected), found \(found)")
      }
    }
  }
#endif
