package import HTTPValues
import JSON
import Text

/// Removes secrets from text, in every form in which a service may repeat them: as sent, percent-encoded (as in URLs
/// and forms), in Base64 (including within a longer text), with JSON or HTML escapes, and, where the text was truncated
/// (`…`), the remaining part of them.
///
/// A secret shorter than 8 bytes is removed only where it is used as a credential (`name=value`,
/// `Name: value`, `"name": "value"`), because its text may occur by chance.
package struct Redactor: Sendable {
  /// Longest first, so that the longest word at a position is found.
  private let words: [Word]
  /// The words by their first byte.
  private var starts = [[Word]](repeating: [], count: 256)
  /// All pieces of words of the length `shortestPiece`.
  private var pieces: Set<ArraySlice<UInt8>> = []

  private struct Word: Hashable {
    let bytes: [UInt8]
    /// The length of the part before the secret, which is not removed.
    var label = 0
  }

  /// The minimum length of a piece; fewer bytes of a word reveal nothing.
  private static let shortestPiece = 4
  /// The replacement for a secret.
  package static let mark = "<secret>"
  private static let cut = Array("…".utf8)

  /// - Parameter placed: Credentials of requests; their secrets need not be in `secrets`.
  package init(_ secrets: [Secret] = [], _ placed: [PlacedCredential] = []) {
    let parts = Set((secrets + placed.map(\.secret)).flatMap(\.confidentialParts))
    let spellings = Set(parts.flatMap(SecretForms.forms)).map { Word(bytes: Array($0.utf8)) }
    words = (spellings + placed.flatMap(Self.labeled)).sorted { $0.bytes.count > $1.bytes.count }
    for word in words { starts[Int(word.bytes[0])].append(word) }
    for word in spellings {
      for start in word.bytes.indices.dropLast(Self.shortestPiece - 1) {
        pieces.insert(word.bytes[start...].prefix(Self.shortestPiece))
      }
    }
  }

  /// The spellings of a credential in a request.
  private static func labeled(_ credential: PlacedCredential) -> [Word] {
    let secret = credential.secret.reveal()
    let (labels, spelling) =
      switch credential.place {
      case .header(let name): ([name, name.lowercased()].flatMap { ["\($0): ", "\($0):"] }, secret)
      case .query(let name): (["\(PercentEncoding.encoded(name))="], PercentEncoding.encoded(secret))
      case .field(let name): (["\(PercentEncoding.encodedForm(name))="], PercentEncoding.encodedForm(secret))
      case .member(let name):
        (["", " "].map { "\(JSONText.quoted(name)):\($0)\"" }, JSONText.escaped(secret))
      }
    return labels.map { Word(bytes: Array(($0 + spelling).utf8), label: $0.utf8.count) }
  }

  package func redacted(_ text: String) -> String {
    if words.isEmpty { return text }
    let bytes = Array(text.utf8)
    var redacted: [UInt8] = []
    var end = 0
    for place in places(in: bytes).sorted(by: { $0.lowerBound < $1.lowerBound }) where place.upperBound > end
    {
      if place.lowerBound >= end { redacted += bytes[end..<place.lowerBound] + Self.mark.utf8 }
      end = place.upperBound
    }
    return end == 0 ? text : String(decoding: redacted + bytes[end...], as: UTF8.self)
  }

  /// The ranges that spell a secret. Double escapes, such as a URL in a JSON string, are found by decoding the
  /// text. O(text), unless the words contain repetitions.
  private func places(in text: [UInt8], depth: Int = 0) -> [Range<Int>] {
    let found =
      text.indices.compactMap { place in
        starts[Int(text[place])].first { text[place...].starts(with: $0.bytes) }
          .map { place + $0.label..<place + $0.bytes.count }
      } + remainders(in: text)
    let plain = EscapedText(text)
    guard plain.hasEscapes, depth < Self.maxEscapes else { return found }
    return found + places(in: plain.bytes, depth: depth + 1).map { plain.place(of: $0) }
  }

  private static let maxEscapes = 2
}

// MARK: Truncated texts

extension Redactor {
  /// The ranges of the parts of words that were left by truncation.
  private func remainders(in text: [UInt8]) -> [Range<Int>] {
    let cuts = text.indices.filter { text[$0] == Self.cut[0] && text[$0...].starts(with: Self.cut) }
    if cuts.isEmpty { return [] }
    return zip([0] + cuts.map { $0 + Self.cut.count }, cuts + [text.count]).flatMap { start, end in
      remainders(in: text[start..<end], isCutBefore: start > 0, isCutAfter: end < text.count)
    }
  }

  private func remainders(in piece: ArraySlice<UInt8>, isCutBefore: Bool, isCutAfter: Bool) -> [Range<Int>] {
    let isEnd = isCutBefore && pieces.contains(piece.prefix(Self.shortestPiece))
    let isBeginning = isCutAfter && pieces.contains(piece.suffix(Self.shortestPiece))
    if isEnd, isBeginning, spelled.contains(where: { $0.firstRange(of: piece) != nil }) {
      return [piece.indices]
    }
    let head = isEnd ? longest { piece.starts(with: $0.suffix($1)) } : 0
    let rest = piece.dropFirst(head)
    let tail = isBeginning ? longest { rest.suffix($1).elementsEqual($0.prefix($1)) } : 0
    return [piece.prefix(head).indices, rest.suffix(tail).indices].filter { !$0.isEmpty }
  }

  /// The words without those that begin with a label.
  private var spelled: [[UInt8]] { words.filter { $0.label == 0 }.map(\.bytes) }

  /// The length of the longest part of a word for which the condition holds.
  private func longest(where holds: (_ word: [UInt8], _ length: Int) -> Bool) -> Int {
    spelled.compactMap { word in
      stride(from: word.count, through: Self.shortestPiece, by: -1).first { holds(word, $0) }
    }.max() ?? 0
  }
}

/// The spellings in which a service may repeat a secret.
private enum SecretForms {
  /// The minimum length in bytes of a secret that is searched for.
  private static let shortest = 8

  static func forms(of word: String) -> [String] {
    guard word.utf8.count >= shortest else { return [] }
    let quoted = JSONText.escaped(word)
    let percent = PercentEncoding.encoded(word)
    let base64 = Base64.encoded(word)
    return [
      // Host names are written in lower case.
      word, word.lowercased(), quoted, quoted.replacing("/", with: "\\/"), percent,
      lowercasedEscapes(percent), percent.replacing("%20", with: "+"), word.replacing(" ", with: "+"), base64,
      String(base64.prefix { $0 != "=" }), urlSafe(base64), PercentEncoding.encoded(base64),
    ] + withinBase64(word)
  }

  /// The alphabet for URLs (RFC 4648, section 5).
  private static func urlSafe(_ base64: String) -> String {
    base64.replacing("+", with: "-").replacing("/", with: "_")
  }

  /// The digits that a word produces in the Base64 of any text that contains it, for each of the three
  /// alignments. The digits at both ends are left out, because they depend on the adjacent bytes.
  private static func withinBase64(_ word: String) -> [String] {
    (0..<3).flatMap { offset in
      let whole = Base64.encoded(String(repeating: "-", count: offset) + word)
      let first = (offset * 8 + 5) / 6
      let last = (offset + word.utf8.count) * 8 / 6
      let digits = String(whole.prefix(last).dropFirst(first))
      return [digits, urlSafe(digits)]
    }
  }

  /// `%2f` for `%2F`.
  private static func lowercasedEscapes(_ text: String) -> String {
    text.split(separator: "%", omittingEmptySubsequences: false).enumerated()
      .map { $0 == 0 ? String($1) : $1.prefix(2).lowercased() + $1.dropFirst(2) }
      .joined(separator: "%")
  }
}

/// A text with its escapes decoded once (percent-encoding, JSON escapes, and HTML character references) and
/// the original position of each byte.
private struct EscapedText {
  private(set) var bytes: [UInt8] = []
  /// The offset at which each byte's spelling begins, followed by the end of the text.
  private var starts: [Int] = []
  let hasEscapes: Bool

  /// Decodes a text. O(bytes).
  init(_ text: [UInt8]) {
    hasEscapes = text.contains {
      $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "&")
    }
    guard hasEscapes else { return }
    var place = 0
    while place < text.count {
      let (meaning, length) = Self.escape(text[place...]) ?? ([text[place]], 1)
      bytes += meaning
      starts += meaning.map { _ in place }
      place += length
    }
    starts.append(text.count)
  }

  /// The range of the original spelling of some bytes.
  func place(of range: Range<Int>) -> Range<Int> { starts[range.lowerBound]..<starts[range.upperBound] }

  private static func escape(_ text: ArraySlice<UInt8>) -> (meaning: [UInt8], length: Int)? {
    switch text.first {
    case UInt8(ascii: "%"): hexadecimal(text.dropFirst().prefix(2), digits: 2).map { ([UInt8($0)], 3) }
    case UInt8(ascii: "\\"): quoted(text.dropFirst())
    case UInt8(ascii: "&"): reference(text)
    default: nil
    }
  }

  private static func quoted(_ rest: ArraySlice<UInt8>) -> (meaning: [UInt8], length: Int)? {
    switch rest.first {
    case UInt8(ascii: "/"), UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "'"):
      rest.first.map { ([$0], 2) }
    case UInt8(ascii: "u"): hexadecimal(rest.dropFirst().prefix(4), digits: 4).flatMap(utf8).map { ($0, 6) }
    case UInt8(ascii: "x"): hexadecimal(rest.dropFirst().prefix(2), digits: 2).flatMap(utf8).map { ($0, 4) }
    default: nil
    }
  }

  private static func reference(_ text: ArraySlice<UInt8>) -> (meaning: [UInt8], length: Int)? {
    let longest = 10
    guard let end = text.prefix(longest).firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let decoded = Array(HTMLText.decoded(String(decoding: text[...end], as: UTF8.self)).utf8)
    let length = end + 1 - text.startIndex
    return decoded.count < length && !decoded.isEmpty ? (decoded, length) : nil
  }

  private static func utf8(_ code: UInt32) -> [UInt8]? { Unicode.Scalar(code).map { Array(String($0).utf8) } }

  private static func hexadecimal(_ digits: ArraySlice<UInt8>, digits count: Int) -> UInt32? {
    guard digits.count == count else { return nil }
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}

// MARK: Responses

/// A service may repeat a secret in a message or in a link. Rows are left unchanged.
extension Redactor {
  package func redacted(_ error: PageError) -> PageError {
    var error = error
    error.message = redacted(error.message)
    error.serviceMessage = error.serviceMessage.map(redacted)
    let commandLineRemedy = error.commandLineRemedy.map(redacted)
    error.remedy = error.remedy.map(redacted)
    error.commandLineRemedy = commandLineRemedy
    return error
  }

  package func redacted(_ page: Page) -> Page {
    if words.isEmpty { return page }
    var page = page
    page.notes = page.notes.map(redacted)
    page.doubt = page.doubt.map(redacted)
    let versions = [page.validators?.entityTag, page.validators?.lastModified].compactMap(\.self)
    if versions.contains(where: repeatsSecret) { page.validators = nil }
    if case .next(let next, _) = page.continuation { page.storedNext = kept(next) }
    if case .end(.refusedNext(let why)) = page.continuation {
      page.continuation = .end(.refusedNext(redacted(why)))
    }
    return page
  }

  /// The position to store instead of one that contains a secret, without the parameters that do; the request
  /// adds the source's own again. Nil if there is none.
  private func kept(_ position: Position) -> Position? {
    guard position.texts.contains(where: repeatsSecret) else { return position }
    guard case .link(var url) = position.value else { return nil }
    for item in url.queryItems where repeatsSecret(item.value ?? "") {
      url.removeQueryItems(named: item.name)
    }
    var position = position
    position.value = .link(url)
    return position.texts.contains(where: repeatsSecret) ? nil : position
  }

  private func repeatsSecret(_ text: String) -> Bool { redacted(text) != text }
}
