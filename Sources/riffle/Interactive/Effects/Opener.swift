import Pager
import Search

/// Opens an address with the user's program.
struct Opener: Sendable {
  /// The program and its arguments; `{url}` is replaced with the address.
  let command: [String]

  func open(_ address: String) async -> EffectOutcome {
    // A program could interpret anything else as an option.
    guard let url = WebURL.link(address) else {
      return .failed("cannot open \(address): not an http or https URL")
    }
    let words = command.map { $0.replacing("{url}", with: url) }
    let program = words.first ?? ""
    do {
      try await ChildProgram.start(words)
      return .done("opened \(url)")
    } catch ChildProgram.Failure.notInstalled {
      return .failed("cannot run \(program): not installed")
    } catch ChildProgram.Failure.notStarted(let reason) {
      return .failed("cannot run \(program): \(reason)")
    } catch ChildProgram.Failure.ended(let status) {
      return .failed("\(program) failed with status \(status)")
    } catch {
      return .failed("\(program) failed: \(error)")
    }
  }
}
