import JSON
import Testing

/// Tests the JSON form of `Codable` values, and that anything else is refused with its place.
@Suite struct JSONCodingTests {
  private enum Shape: Codable, Equatable {
    case none
    case side(Int)
    case label(String?)
    case box(width: Int, height: Int?)
    case place(Int, at: Int)

    private enum PlaceCodingKeys: String, CodingKey { case _0 = "row", at }
  }

  private enum Kind: String, Codable { case long = "very-long", short }

  private struct Sample: JSONChecked, Equatable {
    var shapes: [Shape] = []
    var kind: Kind?
    var counts: [String: Int] = [:]
    var numbers: [UInt64] = []
    var bytes: [UInt8] = []
    var wait = 0.0
    var text = ""
    var token = JSONToken(1)

    func check() throws(JSONCodingError) {
      for (_, count) in counts { try count.check("counts") }
      try wait.check("wait")
    }
  }

  private func read(_ text: String) throws -> Sample { try JSONDocument(Array(text.utf8)).root.decoded() }

  private func refusal(of text: String) -> String? {
    do { _ = try read(text) } catch { return "\(error)" }
    return nil
  }

  private static let sample = Sample(
    shapes: [
      .none, .side(-3), .label(nil), .label("a"), .box(width: 1, height: nil), .box(width: 1, height: 2),
      .place(3, at: 4),
    ],
    kind: .long, counts: ["b": 2, "a": 1], numbers: [0, .max], bytes: [255], wait: 0.1,
    text: "\"\n/\0\u{1F600}", token: JSONToken(literal: "1e400"))

  private static let picture =
    #"{"bytes":[255],"counts":{"a":1,"b":2},"kind":"very-long","numbers":[0,18446744073709551615],"#
    + #""shapes":[{"none":{}},{"side":{"_0":-3}},{"label":{}},{"label":{"_0":"a"}},{"box":{"width":1}},"#
    + #"{"box":{"height":2,"width":1}},{"place":{"at":4,"row":3}}],"text":"\"\n/\u0000😀","token":"1e400","wait":0.1}"#

  @Test func `A value is written as its members by name, a case as an object, and read back.`() throws {
    #expect(JSONCoding.text(of: Self.sample) == Self.picture)
    #expect(try read(Self.picture) == Self.sample)
    #expect(try read(JSONCoding.text(of: Sample())) == Sample())
  }

  /// Foundation does not say which number or string.
  private static let unfit = "a number is out of range or not whole, or a string is not Unicode text"

  @Test(arguments: [
    ("[]", "[] is not an object"), ("{}", #""shapes" is missing"#),
    (picture.replacing(#""kind":"very-long""#, with: #""kind":"\ud800""#), unfit),
    (picture.replacing(#"{"none":{}}"#, with: "7"), "shapes: 7 is not an object"),
    (picture.replacing(#"{"none":{}}"#, with: "{}"), "shapes: {} is not a name or an object with one member"),
    (picture.replacing("none", with: "nothing"), #"shapes: "nothing" is not known to this version"#),
    (picture.replacing(#""height":2,"width":1"#, with: #""height":2"#), #"shapes.box: "width" is missing"#),
    (picture.replacing(#""row":3"#, with: #""row":"3""#), #"shapes.place.row: "3" is not a whole number"#),
    (picture.replacing("-3", with: "0.5"), unfit),
    (picture.replacing("very-long", with: "long"), #"kind: "long" is not known to this version"#),
    (picture.replacing(#""b":2"#, with: #""b":-1"#), "counts: -1 is out of range"),
    (picture.replacing("[255]", with: "[256]"), unfit),
    (picture.replacing("[0,", with: "[-1,"), unfit),
    (picture.replacing("0.1", with: "1e300"), "wait: 1e+300 is out of range"),
    (picture.replacing("0.1", with: "1e999"), unfit),
    (picture.replacing("0.1", with: #""inf""#), #"wait: "inf" is not a number"#),
    (picture.replacing("0.1", with: "null"), "wait: null is not a number"),
    (picture.replacing(#""1e400""#, with: #""1e""#), #"token: "1e" is not JSON"#),
    (picture.replacing("[255]", with: "{}"), "bytes: {} is not a list"),
    (picture.replacing(#""kind":"very-long""#, with: #""kind":[]"#), "kind: [] is not a string"),
  ]) func `Input that the writer never produces is rejected with its location.`(text: String, problem: String)
  {
    #expect(refusal(of: text) == problem)
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan])
  func `A number that JSON has no form for is refused when it is read.`(number: Double) {
    #expect(refusal(of: JSONCoding.text(of: Sample(wait: number)))?.hasSuffix("is not a number") == true)
  }

  @Test(arguments: [0.1, 1 / 3, 1_790_000_000.123_456_7, .leastNonzeroMagnitude, -0.0, 1e15])
  func `A number is read back exactly.`(number: Double) throws {
    #expect(try read(JSONCoding.text(of: Sample(wait: number))).wait == number)
  }

  @Test func `Parts of a document are replaced, and the rest stays as written.`() throws {
    let text = #"{"a" : [1, "b", {"b":2.50}], "c":"b"}"#
    let document = try JSONDocument(Array(text.utf8))
    let replaced = document.replacing { node in
      switch (document.string(of: node), document.kind(of: node)) {
      case ("b", _): Array("null".utf8)
      case ("c", _): Array(#""d""#.utf8)
      default: nil
      }
    }
    #expect(String(decoding: replaced, as: UTF8.self) == #"{"a" : [1, null, {null:2.50}], "d":null}"#)
  }

  @Test func `An object with very many members is read in linear time.`() throws {
    let counts = Dictionary(uniqueKeysWithValues: (0..<50_000).map { ("name \($0)", $0) })
    let text = JSONCoding.text(of: Sample(counts: counts))
    let start = ContinuousClock.now
    #expect(try read(text).counts == counts)
    #expect(ContinuousClock.now - start < .seconds(20))
  }
}
