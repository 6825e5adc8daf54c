import Search

/// Reads the JSON body of a request from TOML, in document order. Recursion is bounded by the depth of a
/// document.
struct BodyDecoder {
  let placeholders: Placeholders

  /// - Parameter keys: The path to the value, for messages.
  func body(_ value: TOMLValue, _ keys: [String], _ reader: inout TableReader) -> RequestBody? {
    switch value.content {
    case .integer(let number): return .token(JSONToken(number))
    case .float(let number) where number.isFinite: return .token(JSONToken(literal: String(number)))
    case .bool(let flag): return .token(JSONToken(flag))
    case .string(let text): return self.text(text, at: value.position, keys, &reader)
    case .array(let elements): return .list(elements.compactMap { body($0, keys, &reader) })
    case .table(let table):
      return .table(
        table.entries.compactMap { entry in
          body(entry.value, keys + [entry.key], &reader)
            .map { RequestBody.Member(name: entry.key, value: $0) }
        })
    case .float, .date:
      reader.report(
        "JSON cannot represent \(value.oddName). Write it as a string", inside: keys, at: value.position)
      return nil
    }
  }

  private func text(
    _ text: String, at position: FilePosition, _ keys: [String], _ reader: inout TableReader
  ) -> RequestBody? {
    do throws(ValueProblem) {
      let isGraphQL = keys == ["body", "query"] && GraphQLDocument(text).isLikely
      let template = try placeholders.template(text, in: isGraphQL ? .graphQL : .body)
      if template.names.isEmpty, !text.isEmpty, let name = keys.last, LiteralSecret.isLikely(member: name) {
        throw ValueProblem(LiteralSecret.problem)
      }
      return .text(template)
    } catch {
      reader.report(error.description, inside: keys, at: position)
      return nil
    }
  }
}

extension GraphQLDocument {
  /// `graphql` and `variables`: the GraphQL document is literal text, never a template.
  static func operation(
    _ reader: inout TableReader, _ placeholders: Placeholders
  ) -> (document: GraphQLDocument, body: RequestBody)? {
    let text = reader.string("graphql")
    var members = text.map { [RequestBody.Member(name: "query", value: .token(JSONToken($0)))] } ?? []
    if let variables = reader.value("variables") {
      if text == nil { reader.report("not allowed without graphql", for: "variables") }
      if variables.table == nil {
        reader.report("expected a table, found \(variables.kindName)", for: "variables")
      }
      BodyDecoder(placeholders: placeholders).body(variables, ["variables"], &reader)
        .map { members.append(RequestBody.Member(name: "variables", value: $0)) }
    }
    return text.map { (GraphQLDocument($0), .table(members)) }
  }
}
