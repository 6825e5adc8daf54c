import Glibc

/// Reads a secret that the user types or pipes.
struct SecretInput {
  let dependencies: Dependencies

  /// The longest secret, in bytes.
  private static let longest = 16_384

  /// The first line of stdin, without surrounding blanks; from a terminal, after the question, without echo. Nil
  /// if the user cancels.
  func line(asking question: String) throws(CommandError) -> String? {
    var bytes: [UInt8]?
    if dependencies.isInputTerminal {
      do { try Descriptor(STDERR_FILENO).write(Array(question.utf8)) } catch {
        throw CommandError("cannot ask on stderr: \(error)", .output)
      }
      bytes = typedLine()
      try? Descriptor(STDERR_FILENO).write([UInt8(ascii: "\n")])
    } else {
      bytes = pipedLine()
    }
    guard let bytes else { return nil }
    if bytes.count > Self.longest {
      throw CommandError("the key is longer than \(Self.longest) bytes, so it was not kept", .usage)
    }
    let text = String(decoding: bytes, as: UTF8.self).drop { $0 == " " || $0 == "\t" }
    let end = text.lastIndex { $0 != " " && $0 != "\t" && $0 != "\r" }
    return end.map { String(text[...$0]) } ?? ""
  }

  private func pipedLine() -> [UInt8] {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while line.count <= Self.longest, read(STDIN_FILENO, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
      line.append(byte)
    }
    return line
  }

  /// The terminal shows nothing and sends no signals meanwhile, so that it is always restored.
  private func typedLine() -> [UInt8]? {
    var former = termios()
    guard tcgetattr(STDIN_FILENO, &former) == 0 else { return pipedLine() }
    var silent = former
    silent.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
    defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &former) }
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while line.count <= Self.longest, read(STDIN_FILENO, &byte, 1) == 1 {
      switch byte {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x04: return line
      // Ctrl-C and Ctrl-\.
      case 0x03, 0x1C: return nil
      case 0x08, 0x7F: _ = line.popLast()
      // Ctrl-U.
      case 0x15: line = []
      default: line.append(byte)
      }
    }
    return line
  }
}
