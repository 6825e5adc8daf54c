import Search

extension Endpoint {
  /// `[request]`.
  init?(_ reader: inout TableReader, placeholders: Placeholders) {
    reader.require("url", "the address to ask: \"https://api.example.org/search\"")
    let url = reader.parsed("url", placeholders.template)
    for problem in url.map({ AddressCheck(template: $0, placeholders: placeholders).problems }) ?? [] {
      reader.report(problem, for: "url")
    }
    let method = reader.choice("method", among: ["GET", "POST"]).flatMap(HTTPMethod.init)
    let parameters = Self.parameters(&reader, placeholders)
    let headers = Self.headers(&reader, placeholders)
    let timeout = reader.duration("timeout", in: .seconds(1) ... .seconds(3_600))
    reader.refuseForNow("body", "graphql", "variables", "safe", "user_agent", "when")
    guard let url else { return nil }
    self.init(
      method: method ?? .get, url: url, parameters: parameters, headers: headers, timeout: timeout)
  }

  private static func parameters(_ reader: inout TableReader, _ placeholders: Placeholders) -> [Field] {
    fields("params", &reader, placeholders) { name, template in
      template.names.isEmpty && LiteralSecret.isLikely(parameter: name) ? LiteralSecret.problem : nil
    }
  }

  private static func headers(_ reader: inout TableReader, _ placeholders: Placeholders) -> [Field] {
    fields("headers", &reader, placeholders) { name, template in
      if LiteralSecret.isLikely(header: name) { return LiteralSecret.problem }
      if reservedHeaders.contains(name.lowercased()) { return "riffle sets this header itself" }
      do { _ = try HTTPField(name: name, value: placeholders.sample(template)) } catch { return "\(error)" }
      return nil
    }
  }

  /// They belong to the connection, not to the source.
  static let reservedHeaders: Set = ["host", "content-length", "connection", "transfer-encoding"]

  private static func fields(
    _ key: String, _ reader: inout TableReader, _ placeholders: Placeholders,
    problem: (String, Template) -> String?
  ) -> [Field] {
    var fields: [Field] = []
    for entry in reader.members(key) {
      guard let text = entry.value.string else {
        reader.report(
          "expected a string, found \(entry.value.kindName)", forMember: entry, of: key)
        continue
      }
      do {
        let template = try placeholders.template(text)
        if let problem = problem(entry.key, template) { reader.report(problem, forMember: entry, of: key) }
        fields.append(Field(name: entry.key, value: template))
      } catch {
        reader.report(error.description, forMember: entry, of: key)
      }
    }
    return fields
  }
}
