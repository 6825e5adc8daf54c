/// A word of a command line for sh, bash and zsh. Text is single-quoted, so that the shell expands nothing in
/// it; only expansions that read a secret are outside the quotes: `"$NAME"`,
/// `"$('gh' 'auth' 'token' | head -n 1)"`.
struct ShellWord: Sendable, Hashable {
  private enum Piece: Sendable, Hashable {
    case text(String)
    /// Shell code, not quoted.
    case expansion(String)
  }

  private var pieces: [Piece]

  /// A literal text. NUL is dropped, because no shell word can contain it.
  init(_ text: String) { pieces = text.isEmpty ? [] : [.text(text)] }

  private init(expansion: String) { pieces = [.expansion("\"\(expansion)\"")] }

  /// The value of an environment variable with any name.
  static func variable(_ name: String) -> ShellWord {
    let isIdentifier =
      name.utf8.first.map { !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0) } ?? false
      && name.utf8.allSatisfy(\.isIdentifierByte)
    return ShellWord(expansion: isIdentifier ? "$\(name)" : "$(printenv -- \(ShellWord(name)))")
  }

  /// The first line of a program's output.
  static func firstLine(of words: [String]) -> ShellWord {
    let command = words.map { ShellWord($0).description }.joined(separator: " ")
    return ShellWord(expansion: "$(\(command) | head -n 1)")
  }

  /// The first line of a file. `~/` refers to the home of the user who runs the command.
  static func firstLine(ofFile path: String) -> ShellWord {
    let word = path.hasPrefix("~/") ? variable("HOME") + ShellWord(String(path.dropFirst())) : ShellWord(path)
    return ShellWord(expansion: "$(head -n 1 -- \(word))")
  }

  /// The Base64 of user name and password for an `Authorization` header (RFC 7617).
  static func base64(user: ShellWord, password: ShellWord) -> ShellWord {
    ShellWord(expansion: "$(printf %s \(user + ShellWord(":") + password) | base64 -w0)")
  }

  static func + (a: ShellWord, b: ShellWord) -> ShellWord {
    var word = a
    for piece in b.pieces {
      if case .text(let next) = piece, case .text(let last)? = word.pieces.last {
        word.pieces[word.pieces.count - 1] = .text(last + next)
      } else {
        word.pieces.append(piece)
      }
    }
    return word
  }
}

extension ShellWord: CustomStringConvertible {
  /// The word as typed in a shell.
  var description: String {
    let source = pieces.map { piece in
      switch piece {
      case .text(let text): Self.quoted(text)
      case .expansion(let source): source
      }
    }.joined()
    return source.isEmpty ? "''" : source
  }

  /// Quotes a text. Control and invisible characters are written as octal bytes: pasted into a terminal, a
  /// literal `^C` would discard the line before it and execute the rest.
  private static func quoted(_ text: String) -> String {
    var source = ""
    var isQuoted = false
    func close() {
      if isQuoted { source += "'" }
      isQuoted = false
    }
    for scalar in text.unicodeScalars where scalar != "\0" {
      if scalar == "'" {
        close()
        source += #"\'"#
      } else if isTyped(scalar) {
        if !isQuoted { source += "'" }
        isQuoted = true
        source.unicodeScalars.append(scalar)
      } else {
        close()
        source += "\"$(printf '\(octal(scalar))')\""
      }
    }
    close()
    return source
  }

  /// Whether the scalar is written literally. A line feed within quotes does not end the command.
  private static func isTyped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control: scalar == "\n"
    case .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    default: true
    }
  }

  /// The scalar's UTF-8 bytes as octal escapes of POSIX `printf`.
  private static func octal(_ scalar: Unicode.Scalar) -> String {
    String(scalar).utf8.map { byte in
      let digits = String(byte, radix: 8)
      return "\\\(String(repeating: "0", count: 3 - digits.count))\(digits)"
    }.joined()
  }
}

extension UInt8 {
  fileprivate var isIdentifierByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
