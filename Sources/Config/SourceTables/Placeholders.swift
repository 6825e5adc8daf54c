import Search

/// The names that templates of a source may refer to, and sample values to check templates with.
struct Placeholders {
  let options: [SourceOption]
  var secrets: [NamedSecret] = []
  /// Whether the source has a page size.
  var hasPageSize = true
  /// Whether the document is merged with another one that is not available, and may declare more names.
  var isPartial = false

  /// The location of a template, which determines the allowed placeholders.
  enum Place {
    case address, parameter, header, body
    /// A body text that is a GraphQL document.
    case graphQL
  }

  /// Available in every source.
  static let fixed = ["query", "page_size", "app", "version", "homepage"]

  func option(_ name: String) -> SourceOption? { options.first { $0.name == name } }

  /// A template that contains only known placeholders that are allowed at this location.
  func template(_ text: String, in place: Place) throws(ValueProblem) -> Template {
    let template: Template
    do {
      template =
        switch place {
        case .address, .parameter, .header: try Template(text)
        case .body: try Template(body: text)
        case .graphQL: try Template(body: text, isGraphQL: true)
        }
    } catch { throw ValueProblem("\(error)") }
    for placeholder in template.placeholders {
      if let problem = problem(of: placeholder) ?? problem(of: placeholder, in: place) {
        throw ValueProblem(problem)
      }
    }
    return template
  }

  private func problem(of placeholder: Template.Placeholder) -> String? {
    let name = placeholder.name
    if name == "page_size", !hasPageSize, !isPartial {
      return "{page_size} needs a number. Set pagination.size.default"
    }
    let secretNames = secrets.map { "secret:\($0.name)" }
    let names = Self.fixed + options.map(\.name) + secretNames
    if isPartial || names.contains(name) { return nil }
    if let secret = placeholder.secretName, secretNames.isEmpty {
      return "unknown placeholder {\(name)}. Add [secrets.\(secret)] with from = [\"env:NAME\"]"
    }
    return "unknown placeholder {\(name)}. \(Wording.suggestion(for: name, among: names))"
  }

  private func problem(of placeholder: Template.Placeholder, in place: Place) -> String? {
    let name = placeholder.name
    switch place {
    case .address where placeholder.secretName != nil:
      return "credentials are not allowed in an address, which is displayed. Use params.NAME = \"{\(name)}\""
    case .body where placeholder.secretName != nil, .graphQL where placeholder.secretName != nil:
      return "credentials are not allowed in a body, which is displayed. Use [auth], a header or a parameter"
    case .address where placeholder.isOptional:
      return "{\(name)?} would drop the whole address. Write {\(name)}"
    case .parameter where placeholder.keepsSlashes, .header where placeholder.keepsSlashes,
      .body where placeholder.keepsSlashes, .graphQL where placeholder.keepsSlashes:
      return "{+\(name)} is for paths and not allowed here. Write {\(name)}"
    default: return nil
    }
  }

  /// Expands the template with a value for each option and a letter for the query.
  func sample(_ template: Template) -> String {
    template.filled { name in
      if let value = option(name)?.defaultValue, !value.isEmpty { return value }
      return name == template.baseName ? "https://example.org" : "x"
    } ?? ""
  }
}
