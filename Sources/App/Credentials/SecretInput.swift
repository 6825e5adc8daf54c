import Terminal

/// Reads a secret that the user types or pipes.
struct SecretInput {
  let dependencies: Dependencies

  /// The longest secret, in bytes.
  private static let longest = 16_384

  enum Answer: Equatable { case secret(String), canceled, interrupted(by: Int32) }

  /// The first line, without surrounding blanks: of stdin, or if that is a terminal, as typed after the question
  /// without being shown.
  func read(asking question: String) throws(CommandError) -> Answer {
    let bytes: [UInt8]
    if dependencies.input.isTerminal {
      do throws(SystemError) {
        switch try HiddenLine.read(asking: question, atMost: Self.longest + 1) {
        case .typed(let line): bytes = line
        case .canceled: return .canceled
        case .interrupted(let signal): return .interrupted(by: signal)
        }
      } catch { throw CommandError("cannot ask for the API key: \(error). Pipe it to this command", .failed) }
    } else {
      bytes = dependencies.input.line(upTo: Self.longest + 1)
    }
    if bytes.count > Self.longest {
      throw CommandError("the API key is longer than \(Self.longest) bytes, so it was not stored", .usage)
    }
    let text = String(decoding: bytes, as: UTF8.self).drop { $0 == " " || $0 == "\t" }
    let end = text.lastIndex { $0 != " " && $0 != "\t" && $0 != "\r" }
    return .secret(end.map { String(text[...$0]) } ?? "")
  }
}
