/// A word of a shell line as sh, bash and zsh read it. Every text of it stands in single quotes, so that a shell runs
/// nothing of it; only what reads a secret stands outside them: `"$NAME"`, `"$('gh' 'auth' 'token' | head -n 1)"`.
struct ShellWord: Sendable, Hashable {
  private enum Piece: Sendable, Hashable {
    case text(String)
    /// As it is typed.
    case expansion(String)
  }

  private var pieces: [Piece]

  /// The text as it is; a NUL, which no word can hold, is left out.
  init(_ text: String) { pieces = text.isEmpty ? [] : [.text(text)] }

  private init(expansion: String) { pieces = [.expansion("\"\(expansion)\"")] }

  /// The value of an environment variable, whatever its name is.
  static func variable(_ name: String) -> ShellWord {
    let isIdentifier =
      name.utf8.first.map { !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0) } ?? false
      && name.utf8.allSatisfy(\.isIdentifierByte)
    return ShellWord(expansion: isIdentifier ? "$\(name)" : "$(printenv -- \(ShellWord(name)))")
  }

  /// The first line that a program prints.
  static func firstLine(of words: [String]) -> ShellWord {
    let command = words.map { ShellWord($0).description }.joined(separator: " ")
    return ShellWord(expansion: "$(\(command) | head -n 1)")
  }

  /// The first line of a file; `~/` is the home of the user who runs the line.
  static func firstLine(ofFile path: String) -> ShellWord {
    let word = path.hasPrefix("~/") ? variable("HOME") + ShellWord(String(path.dropFirst())) : ShellWord(path)
    return ShellWord(expansion: "$(head -n 1 -- \(word))")
  }

  /// User name and password as the `Authorization` header has them (RFC 7617).
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
  /// As it is typed.
  var description: String {
    let source = pieces.map { piece in
      switch piece {
      case .text(let text): Self.quoted(text)
      case .expansion(let source): source
      }
    }.joined()
    return source.isEmpty ? "''" : source
  }

  /// A control character or an invisible one is written by its bytes: typed into a terminal, as a paste types it, `^C`
  /// would drop the line before it and leave the rest to be run.
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

  /// A line feed is typed as it is: within quotes it ends no command.
  private static func isTyped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control: scalar == "\n"
    case .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    default: true
    }
  }

  /// The bytes of the scalar as `printf` of POSIX reads them.
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
