import Search

/// The keys shared by `[request]` and `[request.when.NAME]`: `params`, `headers` and `body`.
struct RequestParts {
  var parameters: [Endpoint.Field]
  var headers: [Endpoint.Field]
  var body: RequestBody?

  init(_ reader: inout TableReader, _ placeholders: Placeholders) {
    parameters = Self.parameters(&reader, placeholders)
    headers = Self.headers(&reader, placeholders)
    body = reader.value("body").flatMap { value in
      guard value.table != nil else {
        reader.report("expected a table, found \(value.kindName)", for: "body")
        return nil
      }
      return BodyDecoder(placeholders: placeholders).body(value, ["body"], &reader)
    }
  }

  /// A list produces several parameters with the same name.
  private static func parameters(
    _ reader: inout TableReader, _ placeholders: Placeholders
  ) -> [Endpoint.Field] {
    reader.members("params").flatMap { entry in
      let elements = if case .array(let elements) = entry.value.content { elements } else { [entry.value] }
      return elements.compactMap { value in
        field(["params", entry.key], value, .parameter, &reader, placeholders) { template in
          template.names.isEmpty && LiteralSecret.isLikely(parameter: entry.key) ? LiteralSecret.problem : nil
        }
      }
    }
  }

  private static func headers(
    _ reader: inout TableReader, _ placeholders: Placeholders
  ) -> [Endpoint.Field] {
    reader.members("headers").compactMap { entry in
      field(["headers", entry.key], entry.value, .header, &reader, placeholders) { template in
        problem(header: entry.key, template, placeholders)
      }
    }
  }

  private static func problem(
    header name: String, _ template: Template, _ placeholders: Placeholders
  ) -> String? {
    if LiteralSecret.isLikely(header: name), !template.hasSecrets { return LiteralSecret.problem }
    return HeaderCheck.problem(name: name, value: placeholders.sample(template))
  }

  /// A text, or a number or Boolean converted to text.
  private static func field(
    _ keys: [String], _ value: TOMLValue, _ place: Placeholders.Place, _ reader: inout TableReader,
    _ placeholders: Placeholders, problem: (Template) -> String?
  ) -> Endpoint.Field? {
    do throws(ValueProblem) {
      guard let text = value.scalarText else {
        throw ValueProblem("expected a string, a number or a boolean, found \(value.oddName)")
      }
      let template = try placeholders.template(text, in: place)
      if let problem = problem(template) { throw ValueProblem(problem) }
      return keys.last.map { Endpoint.Field(name: $0, value: template) }
    } catch {
      reader.report(error.description, inside: keys, at: value.position)
      return nil
    }
  }
}
