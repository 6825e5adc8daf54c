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
    var wait: Duration = .zero
    var text = ""
    var token = JSONToken(1)

    func check() throws(JSONCodingError) {
      for (_, count) in counts { try count.check("counts") }
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
    kind: .long, counts: ["b": 2, "a": 1], numbers: [0, .max], bytes: [255], wait: .milliseconds(125),
    text: "\"\n\u{1F600}", token: JSONToken(literal: "1e400"))

  private static let picture =
    #"{"shapes":[{"none":{}},{"side":-3},{"label":{}},{"label":"a"},{"box":{"width":1}},"#
    + #"{"box":{"width":1,"height":2}},{"place":{"row":3,"at":4}}],"kind":"very-long","counts":{"a":1,"b":2},"#
    + #""numbers":[0,18446744073709551615],"bytes":[255],"wait":0.125,"text":"\"\n😀","token":1e400}"#

  @Test func `A value is written as its members, a case as an object, and read back.`() throws {
    #expect(JSONEncoding.text(of: Self.sample) == Self.picture)
    #expect(try read(Self.picture) == Self.sample)
    #expect(try read(JSONEncoding.text(of: Sample())) == Sample())
  }

  @Test(arguments: [
    ("[]", "[] is not an object"), ("{}", #""shapes" is missing"#),
    (picture.replacing(#"{"none":{}}"#, with: "7"), "shapes: 7 is not an object"),
    (picture.replacing(#"{"none":{}}"#, with: "{}"), "shapes: {} is not a name or an object with one member"),
    (picture.replacing("none", with: "nothing"), #"shapes: "nothing" is not known to this version"#),
    (picture.replacing(#""width":1,"height":2"#, with: #""height":2"#), #"shapes.box: "width" is missing"#),
    (picture.replacing(#"{"row":3"#, with: #"{"row":"3""#), #"shapes.place.row: "3" is not a whole number"#),
    (picture.replacing("-3", with: "0.5"), "shapes.side: 0.5 is not a whole number"),
    (picture.replacing("very-long", with: "long"), #"kind: "long" is not known to this version"#),
    (picture.replacing(#""b":2"#, with: #""b":-1"#), "counts: -1 is out of range"),
    (picture.replacing("[255]", with: "[256]"), "bytes: 256 is not a whole number"),
    (picture.replacing("[0,", with: "[-1,"), "numbers: -1 is not a whole number"),
    (picture.replacing("0.125", with: "1e300"), "wait: 1e+300 is out of range"),
    (picture.replacing("0.125", with: "1e14"), "wait: 1e14 is not a duration"),
    (picture.replacing(#""kind":"very-long""#, with: #""kind":[]"#), "kind: [] is not a string"),
  ]) func `What is not written is refused with its place.`(text: String, problem: String) {
    #expect(refusal(of: text) == problem)
  }

  @Test func `Texts and the names of a dictionary are redacted.`() {
    let encoding = JSONEncoding { $0.replacing("hunter22", with: "<secret>") }
    let sample = Sample(shapes: [.label("a hunter22")], counts: ["hunter22": 1], text: "hunter22")
    let text = String(decoding: encoding.bytes(of: sample), as: UTF8.self)
    #expect(!text.contains("hunter22"))
    #expect(text.contains(#"{"label":"a <secret>"}"#))
    #expect(text.contains(#""counts":{"<secret>":1}"#))
  }

  @Test func `An object with very many members is read in linear time.`() throws {
    let counts = Dictionary(uniqueKeysWithValues: (0..<50_000).map { ("name \($0)", $0) })
    let text = JSONEncoding.text(of: Sample(counts: counts))
    let start = ContinuousClock.now
    #expect(try read(text).counts == counts)
    #expect(ContinuousClock.now - start < .seconds(20))
  }
}
