import Search

extension Slot {
  /// `into = "query:x"`, or the shorthand `param = "x"`.
  static func position(_ reader: inout TableReader) -> Slot? {
    let parameter = reader.string("param").map { Slot.query($0) }
    let into = reader.parsed("into") { try Slot(parsing: $0) }
    if parameter != nil, into != nil { reader.report("param and into cannot be used together", for: "into") }
    return into ?? parameter
  }

  /// `param = "x"`, `body = "a.b"` or `header = "x"`.
  static func size(_ reader: inout TableReader) -> Slot? {
    let parameter = reader.string("param").map { Slot.query($0) }
    let body = reader.parsed("body") { try Slot(bodyPath: $0) }
    let header = reader.parsed("header") { try Slot(header: $0) }
    let present = ["param", "body", "header"].filter(reader.contains)
    if present.count > 1 {
      reader.report("\(present.joined(separator: " and ")) cannot be used together", for: present[1])
    }
    if body == .body([]) { reader.report("expected a member of the body, like \"a.b\"", for: "body") }
    return parameter ?? body ?? header
  }

  init(parsing text: String) throws(ValueProblem) {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    switch (parts.first, parts.count) {
    case ("query", 2): self = .query(parts[1])
    case ("header", 2): try self.init(header: parts[1])
    case ("body", 2): try self.init(bodyPath: parts[1])
    default:
      throw ValueProblem(
        "expected \"query:NAME\", \"body:PATH\" or \"header:NAME\", found \(Wording.quoted(text))")
    }
  }

  /// `a.b`, a path of members from the body's root; `$` is the body itself.
  private init(bodyPath text: String) throws(ValueProblem) {
    let path: JSONPath
    do { path = try JSONPath(text) } catch { throw ValueProblem("\(error)") }
    guard let names = path.memberNames else {
      throw ValueProblem("expected member names like \"a.b\", found \(Wording.quoted(text))")
    }
    self = .body(names)
  }

  /// A header that a source may set, so that no value from a reply can change the host or the connection.
  private init(header name: String) throws(ValueProblem) {
    if let problem = HeaderCheck.problem(name: name, value: "x") { throw ValueProblem(problem) }
    self = .header(name)
  }
}
