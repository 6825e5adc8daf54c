import Credentials
import HTTPValues
import Search
import Text

/// A request as a curl command for a shell. Every word is quoted; a secret is replaced with an expansion that
/// reads it.
struct CurlPrinter {
  let request: HTTPRequest
  /// The credentials that the request was made with.
  let secrets: ShellCredentials

  var text: String {
    var lines = ["curl \(ShellWord(request.url.description))"] + parameters
    switch request.method {
    case .get: if hasBody { lines.append("-X GET") }
    case .head: lines.append("--head")
    case .post: lines.append("-X POST")
    }
    // curl reads `Name:` as "omit this header" and `Name;` as a header without a value.
    lines += request.sentHeaders.map {
      "-H \(secrets.word(for: $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)"))"
    }
    lines.append("--compressed")
    return (lines + bodyData).joined(separator: " \\\n  ") + "\n"
  }

  private var hasBody: Bool { !request.sentBody.isEmpty }

  /// The body. `--data-raw` is used because `--data` and `--data-binary` would read a file if it starts with @.
  private var bodyData: [String] {
    let text = String(decoding: request.sentBody, as: UTF8.self)
    if text.isEmpty { return [] }
    if request.sentCredentials.contains(where: { if case .field = $0.place { true } else { false } }) {
      return formData(text)
    }
    return ["--data-raw \(secrets.word(for: text, as: \.inJSON))"]
  }

  /// A form, in pieces that curl joins with `&`. It percent-encodes a value that a shell expands.
  private func formData(_ text: String) -> [String] {
    var pieces: [String] = []
    var plain: [Substring] = []
    func flush() {
      if !plain.isEmpty { pieces.append("--data-raw \(ShellWord(plain.joined(separator: "&")))") }
      plain = []
    }
    for item in text.split(separator: "&", omittingEmptySubsequences: false) {
      let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if pair.count == 2, secrets.occur(in: pair[1]) {
        flush()
        let value = PercentEncoding.decoded(pair[1], plusIsSpace: true)
        pieces.append("--data-urlencode \(secrets.word(for: "\(pair[0])=\(value)"))")
      } else {
        plain.append(item)
      }
    }
    flush()
    return pieces
  }

  /// Parameters whose value a shell expands: curl percent-encodes them. `--url-query` (curl 7.87) is used if
  /// the request has a body, because `--data-urlencode` would conflict with it.
  private var parameters: [String] {
    let hasBody = hasBody
    var names = Set(request.url.queryItems.map(\.name))
    let words = request.sentCredentials.compactMap { credential -> String? in
      guard case .query(let name) = credential.place, names.insert(name).inserted else { return nil }
      let word = secrets.word(for: "\(PercentEncoding.encoded(name))=\(credential.secret.reveal())")
      return "\(hasBody ? "--url-query" : "--data-urlencode") \(word)"
    }
    return words.isEmpty || hasBody ? words : ["--get"] + words
  }
}

/// Maps the credentials of a run to the shell words that read them, without resolving any: the first variable
/// set in the environment, else the first program or file; none if none is required and none is set.
///
/// The request is built with a random marker in place of each secret, and each marker is replaced with its
/// expansion when the request is printed. So only markers become expansions, whatever the query or the source
/// contains.
struct ShellCredentials: Sendable {
  private(set) var credentials = ResolvedCredentials()
  private var marks: [(mark: [UInt8], word: ShellWord)] = []
  private let nonce: UInt64

  /// - Parameters:
  ///   - additions: Secrets from the command line, by placeholder name.
  ///   - path: The file in the state folder that keeps the credential; nil if it is not known.
  ///   - nonce: A random number unique to this run, so that no other text can match a marker.
  init(
    of source: Source, _ additions: [String: ShellWord] = [:], in environment: [String: String],
    nonce: UInt64,
    storedIn path: String? = nil
  ) {
    self.nonce = nonce
    let stored = path.map { ShellWord.firstLine(ofFile: $0) } ?? .variable("TOKEN")
    func word(_ places: [SecretOrigin], _ isOptional: Bool) -> ShellWord? {
      Self.word(places, isOptional, environment, stored)
    }
    if let authorization = source.authorization, authorization.issuer != nil {
      credentials.authorization = PlacedCredential(
        place: authorization.place,
        secret: marked(authorization.credential(of: [TokenGrant.token: stored])), provenance: "")
    } else if let authorization = source.authorization,
      word(authorization.from, authorization.isOptional) != nil
    {
      let words = authorization.origins.compactMapValues { word($0, false) }
      credentials.authorization = PlacedCredential(
        place: authorization.place, secret: marked(authorization.credential(of: words)), provenance: "")
    }
    let secrets = source.secrets.map { ($0.name, word($0.from, $0.isOptional)) }
    for case (let name, let word?) in secrets + additions.sorted(by: { $0.key < $1.key }) {
      credentials.secrets[name] = ResolvedCredentials.Finding(secret: marked(word), provenance: "")
    }
  }

  /// A marker of letters and digits, which no header, filter or encoding changes.
  private mutating func marked(_ word: ShellWord) -> Secret {
    let mark = "riffle\(nonce)secret\(marks.count)mark"
    marks.append((Array(mark.utf8), word))
    return Secret(mark)
  }

  /// Quotes a text of the request as a shell word, replacing each marker with the expansion that reads its
  /// secret.
  ///
  /// - Parameter spelling: How a secret is written in this text.
  func word(for text: String, as spelling: (ShellWord) -> ShellWord = { $0 }) -> ShellWord {
    word(for: Array(text.utf8)[...], as: spelling)
  }

  private func word(for text: ArraySlice<UInt8>, as spelling: (ShellWord) -> ShellWord) -> ShellWord {
    for (mark, word) in marks {
      guard let place = text.firstRange(of: mark) else { continue }
      return self.word(for: text[..<place.lowerBound], as: spelling) + spelling(word)
        + self.word(for: text[place.upperBound...], as: spelling)
    }
    return ShellWord(String(decoding: text, as: UTF8.self))
  }

  /// Whether a text contains a marker.
  func occur(in text: some StringProtocol) -> Bool {
    let bytes = Array(text.utf8)
    return marks.contains { bytes.firstRange(of: $0.mark) != nil }
  }

  private static func word(
    _ places: [SecretOrigin], _ isOptional: Bool, _ environment: [String: String], _ stored: ShellWord
  ) -> ShellWord? {
    let place = places.first { $0.isSet(in: environment) } ?? places.first { !$0.isVariable }
    guard let place = place ?? (isOptional ? nil : places.first) else { return nil }
    return switch place {
    case .environment(let name): .variable(name)
    case .command(let words): .firstLine(of: words)
    case .file(let path): .firstLine(ofFile: path)
    case .store: stored
    }
  }
}

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
    let isIdentifier = name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil
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

  /// The word as the inside of a JSON string. A secret contains no control characters.
  var inJSON: ShellWord { ShellWord(expansion: #"$(printf %s \#(self) | sed 's/["\\]/\\&/g')"#) }

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

extension ShellWord: CredentialText {
  init(literal: String) { self.init(literal) }

  var base64: ShellWord { ShellWord(expansion: "$(printf %s \(self) | base64 -w0)") }
}

/// A command line for messages.
package enum ShellCommand {
  /// The words, quoted only where a shell needs it.
  package static func line(_ words: some Sequence<String>) -> String {
    words.map { word in
      word.wholeMatch(of: /[A-Za-z0-9_@%+=:,.\/-]+/) == nil ? ShellWord(word).description : word
    }
    .joined(separator: " ")
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
    String(scalar).utf8.map { "\\\($0.padded(to: 3, radix: 8))" }.joined()
  }
}
