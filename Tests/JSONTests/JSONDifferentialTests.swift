import JSON
import TestSupport
import Testing

@Suite struct JSONDifferentialTests {
  private static let corpus = [
    #"{"items":[{"id":1,"name":"x y","tags":["a","b"],"ok":true},{"id":2.50,"name":null,"ok":false}],"n":2}"#,
    #" { "a" : [ 1 , -2 , 3e5 , 4.25E-2 , 0 , -0.5 ] , "b" : { } , "c" : [ ] , "d" : [ [ ] , { "e" : "" } ] } "#,
    "[\n\t\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u3042\",\r\n\"日本語 é 😀\", {\"k\\u0065y\": {\"k\": [null, true]}}\n]",
    "[\"0123456\",\"01234567\",\"012345678\",\"0123456789abcdef\",\"0123456789abcde\\n\",12345678901234567]",
    "\"just a string\"", "-12.5e+3", "true",
  ].map { Array($0.utf8) }

  @Test func `The reader and Foundation accept and refuse the same mutated texts.`() throws {
    var generator = SeededGenerator(seed: 20_240_607)
    var accepted = 0
    for round in Seeds.first(5_000) {
      let bytes = mutated(Self.corpus[Int(round) % Self.corpus.count], using: &generator)
      guard isComparable(bytes) else { continue }
      let value = try? JSONDocument(bytes).root
      let other = foundationValue(bytes)
      let text = String(decoding: bytes, as: UTF8.self)
      #expect((value == nil) == (other == nil), "seed round \(round): \(text)")
      guard let value, let other else { continue }
      accepted += 1
      #expect(agrees(value, with: other), "seed round \(round): \(text)")
    }
    #expect(accepted > 250)
  }

  @Test func `A mutated text never crashes the reader, and an accepted text can be read again.`() throws {
    var generator = SeededGenerator(seed: 7)
    for round in Seeds.first(5_000) {
      var bytes = mutated(Self.corpus[Int(round) % Self.corpus.count], using: &generator)
      if !bytes.isEmpty {
        bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      guard let document = try? JSONDocument(bytes) else { continue }
      let compact = document.compactBytes(of: document.rootNode)
      let again = try JSONDocument(compact)
      #expect(again.firstMalformedByte == nil)
      #expect(again.compactBytes(of: again.rootNode) == compact)
    }
  }

  /// The bytes after one to three random insertions, removals, replacements or swaps.
  private func mutated(_ bytes: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
    let alphabet = Array(#"{}[]:,"\ 0123456789.-+eEtrufalsn/bx"#.utf8) + [0x0A, 0x09, 0x00, 0x1F, 0x7F]
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      guard let place = bytes.indices.randomElement(using: &generator) else { break }
      let byte = alphabet[Int.random(in: alphabet.indices, using: &generator)]
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: bytes.insert(byte, at: place)
      case 1: bytes.remove(at: place)
      case 2: bytes[place] = byte
      case 3: bytes.swapAt(place, Int.random(in: bytes.indices, using: &generator))
      default:
        bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...20, using: &generator)))
      }
    }
    return bytes
  }

  /// Whether the reader and Foundation should agree on a text. Foundation refuses what the reader accepts
  /// on purpose: malformed UTF-8, unpaired surrogates and numbers with a large exponent. It accepts what is
  /// not JSON: a comma before a closing bracket, and text with NUL, for which it guesses another encoding.
  private func isComparable(_ bytes: [UInt8]) -> Bool {
    guard let text = String(validating: bytes, as: UTF8.self) else { return false }
    let compact = text.lowercased().filter { !$0.isWhitespace }
    return !compact.contains(#"\ud"#) && !compact.contains(/,[\]}]/) && !bytes.contains(0)
      && !compact.contains(/e[-+]?[0-9]{3}/)
  }
}
