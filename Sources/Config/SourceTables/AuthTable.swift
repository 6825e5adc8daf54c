import Search

extension Authorization {
  /// `[auth]`; nil for `type = "none"`.
  init?(_ reader: inout TableReader) {
    reader.require("type", "one of none, bearer, header, query")
    let type = reader.choice("type", among: ["none", "bearer", "header", "query"], later: ["basic"])
    let isOptional = reader.bool("optional") ?? false
    let from = Self.origins(&reader)
    let scheme = type.flatMap { Self.scheme($0, &reader) }
    reader.refuseForNow("user_from", "hosts")
    guard let scheme else { return nil }
    reader.require("from", "where the secret comes from: [\"env:NAME\"]")
    self.init(scheme: scheme, from: from, isOptional: isOptional)
  }

  private static func scheme(_ type: String, _ reader: inout TableReader) -> Scheme? {
    let meaningless = "has no meaning with type = \"\(type)\""
    switch type {
    case "bearer":
      reader.refuse(["header", "prefix", "param"], meaningless)
      return .header(name: "Authorization", prefix: "Bearer ")
    case "header":
      reader.refuse(["param"], meaningless)
      reader.require("header", "the name of the header field that carries the secret")
      let prefix = reader.string("prefix") ?? ""
      return reader.parsed("header") { try HTTPField(name: $0, value: "\(prefix)x").name }
        .map { .header(name: $0, prefix: prefix) }
    case "query":
      reader.refuse(["header", "prefix"], meaningless)
      reader.require("param", "the name of the query parameter that carries the secret")
      return reader.string("param").map { .query(name: $0) }
    default:
      reader.refuse(["header", "prefix", "param", "from"], meaningless)
      return nil
    }
  }

  private static func origins(_ reader: inout TableReader) -> [SecretOrigin] {
    reader.strings("from").compactMap { text in
      guard let origin = SecretOrigin(parsing: text.text) else {
        reader.report(LiteralSecret.problem, for: "from", at: text.position)
        return nil
      }
      // Nothing is read from the working directory unless it is named on the command line.
      if case .file(let path) = origin, !path.hasPrefix("/"), !path.hasPrefix("~/") {
        reader.report(
          "expected an absolute path or ~/…, found \(Wording.quoted(text.text))", for: "from",
          at: text.position)
      }
      return origin
    }
  }
}

extension SecretOrigin {
  /// Reads `env:NAME`, `file:PATH` or `cmd:PROGRAM ARGUMENT…` (words parted by blanks, no shell).
  init?(parsing text: String) {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let rest = String(text[text.index(after: colon)...])
    guard rest.contains(where: { $0 != " " }) else { return nil }
    switch text[..<colon] {
    case "env": self = .environment(rest)
    case "file": self = .file(rest)
    case "cmd": self = .command(rest.split(separator: " ").map(String.init))
    default: return nil
    }
  }
}
