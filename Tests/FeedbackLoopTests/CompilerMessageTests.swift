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

  /// Tests the compiler's messages about mistakes in the use of the library. Skipped where the compiler or the built
  /// module is not found.
  @Suite(.enabled(if: Built.modules != nil && Built.compiler != nil))
  struct CompilerMessageTests {
    /// Each line with a mistake ends with a comment: the message that the compiler must give for it.
    private static let mistakes = #"""
      import FeedbackLoop

      struct State: Sendable {
        struct Job: Sendable, Hashable, Identifiable { let id: Int }
        var request: String?
        var page = 1
        var jobs: [Job] = []
      }
      enum Event: Sendable { case loaded(String), failed }
      func load(_ text: String) async -> String { text }
      func fetch(_ text: String) async throws -> String { text }

      let single: Feedback<State, Event> = .react(to: \.request, name: "page") { text in
        let answer = await load(text)
        return .opened(answer)  // type 'Event?' has no member 'opened'
      }
      let closure: Feedback<State, Event> = .react(to: { $0.page > 1 ? $0.request : nil }) { text in
        let answer = await load(text)
        return .opened(answer)  // type 'Event?' has no member 'opened'
      }
      let emitting: Feedback<State, Event> = .react(to: \.request) { text, emit in
        let answer = await load(text)
        emit(.opened(answer))  // type 'Event' has no member 'opened'
      }
      let failing: Feedback<State, Event> = .react(
        to: \.request,
        effect: { text in
          let answer = try await fetch(text)
          return .opened(answer)  // type 'Event' has no member 'opened'
        }, failure: { _, _ in .failed })
      let both: Feedback<State, Event> = .react(
        to: \.request,
        effect: { text, emit in
          let answer = try await fetch(text)
          emit(.opened(answer))  // type 'Event' has no member 'opened'
        }, failure: { _, _ in .failed })
      let unknown: Feedback<State, Event> = .react(to: \.request) { text in
        let answer = await load(text)
        return .loaded(answer.uppercase)  // value of type 'String' has no member 'uppercase'
      }
      let each: Feedback<State, Event> = .react(toEach: \.jobs) { job in
        let answer = await load("\(job.id)")
        return .opened(answer)  // type 'Event?' has no member 'opened'
      }
      let condition: Feedback<State, Event> = .whenBecomesTrue({ $0.page > 1 }) {
        let answer = await load("")
        return .opened(answer)  // type 'Event?' has no member 'opened'
      }
      let throwing: Feedback<State, Event> = .react(to: \.request) { text in  // invalid conversion from throwing function
        let answer = try await fetch(text)
        return .loaded(answer)
      }
      let always: Feedback<State, Event> = .react(to: \.page) { page in  // requires that 'Int' conform to 'OptionalQuery'
        let answer = await load("\(page)")
        return .loaded(answer)
      }
      """#

    /// The errors of the compiler for a program, with their lines.
    private static func errors(in program: String) throws -> [Int: String] {
      let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).swift")
      try program.write(to: file, atomically: true, encoding: .utf8)
      defer { try? FileManager.default.removeItem(at: file) }
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
      var errors: [Int: String] = [:]
      for line in text.split(separator: "\n") {
        let fields = line.split(separator: ":", maxSplits: 4)
        guard fields.count == 5, fields[3] == " error", let number = Int(fields[1]) else { continue }
        errors[number, default: ""] += fields[4]
      }
      return errors
    }

    @Test func `The compiler names a mistake in an effect of several statements`() throws {
      let errors = try Self.errors(in: Self.mistakes)
      let lines = Self.mistakes.split(separator: "\n", omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated() {
        let parts = line.split(separator: "  // ")
        let (expected, found) = (parts.count == 2 ? String(parts[1]) : nil, errors[index + 1])
        #expect(
          expected.map { found?.contains($0) == true } ?? (found == nil),
          "\(line): \(found ?? "no error")")
      }
    }
  }
#endif
