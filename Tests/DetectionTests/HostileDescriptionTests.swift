import Config
import Detection
import JSON
import TestSupport
import Testing

/// Descriptions that are broken, cyclic, or very large.
@Suite struct HostileDescriptionTests {
  /// Whatever is read from a document can be written as sources that load.
  private func check(_ bytes: [UInt8]) throws -> Int {
    guard let document = try? JSONDocument(bytes, maxDepth: 512),
      let description = try? APIDescription(document)
    else { return 0 }
    for endpoint in description.endpoints {
      let text = description.document(of: endpoint, id: "x")
      #expect(throws: Never.self, "\(text)") { try SourceDecoder.source(TOMLDocument(text, file: "x.toml")) }
    }
    return description.endpoints.count
  }

  @Test(arguments: DescriptionVersion.allCases)
  func `A truncated or altered description is read as far as possible.`(version: DescriptionVersion)
    throws
  {
    var random = SeededGenerator(seed: 19)
    let values = [
      "null", "0", "-1e99", "true", "[]", "{}", "\"#\"", "\"{\"", "[[{}]]", "\"\\u0000\\n\"",
      "99999999999999999999",
    ]
    var read = 0
    for habit in DescriptionHabit.all {
      let text = Array(try version.document(habit, isInBody: Bool.random(using: &random)).utf8)
      let document = try JSONDocument(text)
      // Every value in turn is replaced by another, so that most documents stay valid JSON.
      var ranges: [Range<Int>] = []
      var open = [document.root]
      while let value = open.popLast() {
        ranges.append(value.byteRange)
        open += value.elements + value.members.map(\.value)
      }
      for _ in Seeds.first(2) {
        var changed = text
        let range = ranges[Int.random(in: 0..<ranges.count, using: &random)]
        let other =
          Bool.random(using: &random)
          ? Array(values[Int.random(in: 0..<values.count, using: &random)].utf8)
          : Array(text[ranges[Int.random(in: 0..<ranges.count, using: &random)]])
        changed.replaceSubrange(range, with: other)
        read += try check(changed)
        changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        read += try check(changed)
        read += try check(Array(changed.prefix(Int.random(in: 0..<changed.count, using: &random))))
      }
    }
    #expect(read > 60)
  }

  @Test func `Names with any characters make sources that load.`() throws {
    for name in [
      "a\\u0000b", "{", "}", "a b", "é", "\\\"", "..", "[x][y]", "query", "page_size", "#", "?", "{{x}}",
    ] {
      let text = """
        {"openapi":"3.0.0","info":{"title":"\(name)"},"servers":[{"url":"https://x.example"}],
         "components":{"securitySchemes":{"k":{"type":"apiKey","in":"query","name":"\(name)"}}},"security":[{"k":[]}],
         "paths":{"/a/{\(name)}/b":{"get":{"summary":"\(name)","parameters":[
           {"name":"\(name)","in":"query","required":true,"schema":{"enum":["\(name)",""],"default":"\(name)"}},
           {"name":"\(name)","in":"path","required":true,"schema":{"enum":["\(name)",".."],"default":".."}}],
         "responses":{"200":{"content":{"application/json":{"schema":{"type":"object","properties":{
           "\(name)":{"type":"array","items":{"type":"object","properties":{"\(name)":{"type":"string"}}}}}}}}}}},
         "post":{"requestBody":{"content":{"application/json":{"schema":{"required":["\(name)","token"],"properties":{
           "\(name)":{"type":"integer","enum":["\(name)",1e99]},"token":{"type":"string"},"limit":{"type":"integer"},
           "page":{"required":["\(name)"],"properties":{"\(name)":{"default":"\(name)"}}}}}}}},
           "responses":{"200":{"content":{"application/json":{"schema":{"type":"array","items":{"type":"object"}}}}}}}}}}
        """
      // A path cannot contain these.
      let isLeftOut = ["a\\u0000b", "#", "?"].contains(name)
      #expect(try check(Array(text.utf8)) == (isLeftOut ? 0 : 2), "\(name)")
    }
  }

  @Test func `Reference cycles and deep nesting terminate.`() throws {
    let cyclic = ##"""
      {"openapi":"3.0.0","components":{"schemas":{
        "A":{"allOf":[{"$ref":"#/components/schemas/B"},{"$ref":"#/components/schemas/A"}],"properties":{"a":{"$ref":"#/components/schemas/A"}}},
        "B":{"oneOf":[{"$ref":"#/components/schemas/A"}],"properties":{"items":{"type":"array","items":{"$ref":"#/components/schemas/B"}}}}}},
       "paths":{"/a":{"get":{"responses":{"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/A"}}}}}}}}}
      """##
    #expect(try check(Array(cyclic.utf8)) == 1)
    let deep = String(repeating: #"{"allOf":["#, count: 200) + "{}" + String(repeating: "]}", count: 200)
    let text = #"{"swagger":"2.0","paths":{"/a":{"get":{"responses":{"200":{"schema":\#(deep)}}}}}}"#
    #expect(try check(Array(text.utf8)) == 0)
  }

  @Test func `Schemas that refer to each other in all ways need bounded work.`() throws {
    let parts = (0..<100).map { ##"{"$ref":"#/components/schemas/S\##($0)"}"## }.joined(separator: ",")
    let schemas = (0..<300).map { number in
      #""S\#(number)":{"allOf":[\#(parts)],"properties":{\#((0..<50).map { "\"p\(number)_\($0)\":{\"type\":\"string\"}" }.joined(separator: ","))}}"#
    }
    let paths = (0..<300).map {
      ##""/a\##($0)":{"get":{"responses":{"200":{"content":{"application/json":{"schema":{"type":"array","items":{"$ref":"#/components/schemas/S\##($0)"}}}}}}}}"##
    }
    let text =
      #"{"openapi":"3.0.0","components":{"schemas":{\#(schemas.joined(separator: ","))}},"paths":{\#(paths.joined(separator: ","))}}"#
    let start = ContinuousClock.now
    let description = try described(text)
    #expect(description.endpoints.count + description.omissions.count == 300)
    // Far above what it takes, and far below what unbounded work would take.
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  @Test func `A description of 3 MB has all its lists.`() throws {
    let text = LargeDescription.text(endpoints: 700)
    #expect(text.utf8.count > 3_000_000)
    let description = try described(text)
    #expect(description.endpoints.count == 700)
    #expect(description.omissions.isEmpty)
  }
}

/// A generated description in which every endpoint has schemas of its own.
enum LargeDescription {
  static func text(endpoints: Int) -> String {
    let schemas = (0..<endpoints).map { number in
      let fields = (0..<48).map {
        #""field_\#($0)":{"type":"string","description":"The field with the number \#($0) of a row"}"#
      }
      return ##"""
        "Row\##(number)":{"type":"object","properties":{"id":{"type":"integer"},\##(fields.joined(separator: ",")),
        "next":{"$ref":"#/components/schemas/Row\##((number + 1) % endpoints)"}}},
        "Page\##(number)":{"allOf":[{"type":"object","properties":{"total":{"type":"integer"},"rows":
        {"type":"array","items":{"$ref":"#/components/schemas/Row\##(number)"}}}}]}
        """##
    }
    let paths = (0..<endpoints).map { number in
      ##"""
      "/rows/\##(number)":{"get":{"summary":"Rows \##(number)","parameters":[
      {"name":"page","in":"query","schema":{"type":"integer"}},{"name":"per_page","in":"query","schema":{"type":"integer"}}],
      "responses":{"200":{"description":"","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Page\##(number)"}}}}}}}
      """##
    }
    return """
      {"openapi":"3.0.0","servers":[{"url":"https://x.example"}],
      "paths":{\(paths.joined(separator: ","))},"components":{"schemas":{\(schemas.joined(separator: ","))}}}
      """
  }
}
