import Demo
import JSON
import NIOHTTP1

extension Route {
  /// Some blocks of Unicode, in numbered pages: the parents of `blockCharacters`.
  static let blocks = Route(["/blocks"]) { request throws(DemoError) in
    let number = try PageNumber(request)
    let words = (request["q"] ?? "").lowercased().split(separator: " ")
    let found = UnicodeBlock.all.filter { block in words.allSatisfy { block.name.lowercased().contains($0) } }
    let start = min(number.start, found.count)
    let items = Array(found[start..<min(start + number.size, found.count)])
    var response = Response(json: ["total_count": found.count, "items": items] as JSONObject)
    response.headers.add(name: "X-Total-Count", value: String(found.count))
    return response
  }

  /// The characters of one block, as `/characters` lists them all.
  static let blockCharacters = UnicodeBlock.all.map { block in
    Route(["/blocks/\(block.id)/characters"]) { request throws(DemoError) in
      if let refusal = block.refusal { throw refusal }
      var search = try CharacterSearch(request)
      search.scalars.removeAll { !(block.first...block.last).contains($0.value) }
      return try Response(page: PageNumber(request), of: search, request)
    }
  }
}

/// A range of code points with a name (Unicode Standard, section 3.4).
struct UnicodeBlock: Sendable {
  let name: String
  let first: UInt32
  let last: UInt32
  /// Why its characters cannot be listed; nil if they can.
  var refusal: DemoError?

  init(_ name: String, _ first: UInt32, _ last: UInt32, refusal: DemoError? = nil) {
    self.name = name
    self.first = first
    self.last = last
    self.refusal = refusal
  }

  /// `"greek-and-coptic"`.
  var id: String { name.lowercased().replacing(" ", with: "-") }

  /// Surrogates are not characters, so two blocks refuse to list them, in two ways. The catalog leaves out
  /// private use, so that block is empty.
  static let all = [
    UnicodeBlock("Basic Latin", 0x0000, 0x007F),
    UnicodeBlock("Greek and Coptic", 0x0370, 0x03FF),
    UnicodeBlock("Cyrillic", 0x0400, 0x04FF),
    UnicodeBlock("Hebrew", 0x0590, 0x05FF),
    UnicodeBlock("General Punctuation", 0x2000, 0x206F),
    UnicodeBlock("Currency Symbols", 0x20A0, 0x20CF),
    UnicodeBlock("Letterlike Symbols", 0x2100, 0x214F),
    UnicodeBlock("Arrows", 0x2190, 0x21FF),
    UnicodeBlock("Mathematical Operators", 0x2200, 0x22FF),
    UnicodeBlock("Box Drawing", 0x2500, 0x257F),
    UnicodeBlock("Geometric Shapes", 0x25A0, 0x25FF),
    UnicodeBlock("Dingbats", 0x2700, 0x27BF),
    UnicodeBlock(
      "High Surrogates", 0xD800, 0xDB7F, refusal: DemoError(403, "the surrogates of this block are reserved")),
    UnicodeBlock(
      "Low Surrogates", 0xDC00, 0xDFFF,
      refusal: DemoError(404, "this block has no characters, only surrogates")
    ),
    UnicodeBlock("Private Use Area", 0xE000, 0xF8FF),
    UnicodeBlock("Emoticons", 0x1F600, 0x1F64F),
  ]
}

extension UnicodeBlock: JSONConvertible {
  package var json: String {
    let row: JSONObject = [
      "id": id, "name": name, "first": "U+" + first.codePointDigits, "last": "U+" + last.codePointDigits,
      "reserved": refusal != nil,
    ]
    return row.json
  }
}
