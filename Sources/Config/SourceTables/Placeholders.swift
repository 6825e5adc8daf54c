import HTTPValues
private import JSON
import Search
import Text

/// The names that templates of a source may refer to, and sample values to check templates with.
struct Placeholders {
  let options: [SourceOption]
  var secrets: [NamedSecret] = []
  /// The names of the limits of a range, in templates for a part.
  var limits: [String] = []
  /// The names of the position of a page; nil outside of `[request]`.
  var positions: [String]?
  /// Whether the source has a page size.
  var hasPageSize = true
  /// Whether more names may be declared: the document is merged with another one that is not available, or the name
  /// of the parent's value is faulty.
  var isFragment = false

  /// The location of a template, which determines the allowed placeholders.
  enum Place {
    case address, parameter, header, body
    /// A body text that is a GraphQL document.
    case graphQL
  }

  /// Available in every source.
  static let fixed = ["query", "page_size", "app", "version", "homepage"]

  /// The first placeholder in a text that is sent as it is; nil if there is none.
  static func first(in text: String) -> String? {
    let names = (try? Template(text))?.placeholders.map(\.name) ?? []
    return names.first { fixed.contains($0) || RelativeDate($0) != nil || $0.hasPrefix("secret:") }
  }

  func option(_ name: String) -> SourceOption? { options.first { $0.name == name } }

  /// A template that contains only known placeholders that are allowed at this location.
  func template(_ text: String, in place: Place) throws(ValueFormatError) -> Template {
    let template: Template
    do {
      template =
        switch place {
        case .address, .parameter, .header: try Template(text)
        case .body: try Template(body: text)
        case .graphQL: try Template(body: text, isGraphQL: true)
        }
    } catch { throw ValueFormatError("\(error)") }
    for placeholder in template.placeholders {
      if let problem = problem(of: placeholder) ?? problem(of: placeholder, in: place) {
        throw ValueFormatError(problem)
      }
    }
    return template
  }

  private func problem(of placeholder: Template.Placeholder) -> String? {
    let name = placeholder.name
    let needsSize = name == "page_size" || positions?.dropFirst().contains(name) ?? false
    if needsSize, !hasPageSize, !isFragment {
      return "{\(name)} needs a number. Set pagination.size.default"
    }
    let secretNames = secrets.map { "secret:\($0.name)" }
    let names = Self.fixed + limits + (positions ?? []) + options.map(\.name) + secretNames
    if isFragment || names.contains(name) || RelativeDate(name) != nil { return nil }
    if let secret = placeholder.secretName, secretNames.isEmpty {
      return "unknown placeholder {\(name)}. Add [secrets.\(secret)] with from = [\"env:NAME\"]"
    }
    if name.hasPrefix("today-") || name.hasPrefix("now-") {
      return
        "unknown placeholder {\(name)}. A time before the start is {today-30d} or {now-12h}, in m, h, d or w"
    }
    let style = PaginationStyles.all.first { $0.placeholders.contains(name) }
    if let style, positions?.isEmpty ?? false {
      return
        "{\(name)} is the position of a page, which needs pagination.type = \"\(style.name)\" without param or into"
    }
    if let question = NearestName.question(name, among: names) {
      return "unknown placeholder {\(name)}. \(question)"
    }
    let known = (names + ["today", "now"]).joined(separator: ", ")
    return
      "unknown placeholder {\(name)}. To make it an option, add [options.\(TOMLText.key(name))]. Others are \(known)"
  }

  private func problem(of placeholder: Template.Placeholder, in place: Place) -> String? {
    let name = placeholder.name
    switch place {
    case .address where placeholder.secretName != nil:
      return "credentials are not allowed in a URL, which is displayed. Use params.NAME = \"{\(name)}\""
    case .graphQL where placeholder.secretName != nil:
      return "credentials are not allowed in a GraphQL document. Use variables, a header or [auth]"
    case .address where placeholder.isOptional:
      return "{\(name)?} would drop the whole URL. Write {\(name)}"
    case .address: return nil
    case .parameter, .header, .body, .graphQL:
      return placeholder.keepsSlashes ? "{+\(name)} is for paths and not allowed here. Write {\(name)}" : nil
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

/// Checks that `request.url` always yields an address, and never one whose host could be chosen freely.
struct AddressCheck {
  let template: Template
  let placeholders: Placeholders

  /// Empty if it is valid.
  var problems: [String] {
    if !baseProblems.isEmpty { return baseProblems }
    let found = template.addressPlaceholders.flatMap { problems(of: $0, in: $1) }
    return found.isEmpty ? sampleProblems : found
  }

  /// Problems with the option that contains scheme and host.
  private var baseProblems: [String] {
    guard let name = template.baseName else { return [] }
    guard let base = placeholders.option(name) else {
      return placeholders.isFragment
        ? [] : ["{\(name)} cannot be the scheme and host. Use an option for them"]
    }
    if template.pieces.count > 1, !template.pieces[1].beginsPath {
      return ["{\(name)} is the scheme and host, so a / must follow it"]
    }
    return base.declaredValues.filter { BaseAddress.problem(of: $0) != nil }
      .map { "option \(name): \(Wording.quoted($0)) is not a base URL like \"https://example.org\"" }
  }

  private func problems(of placeholder: Template.Placeholder, in part: AddressPart) -> [String] {
    let option = placeholders.option(placeholder.name)
    switch part {
    case .scheme: return ["{\(placeholder.name)} cannot be the scheme alone"]
    case .host where option != nil || !placeholders.isFragment: return hostProblems(placeholder.name, option)
    case .path:
      return (option?.declaredValues ?? []).filter { ["", ".", ".."].contains($0) }
        .map { "option \(placeholder.name): \(Wording.quoted($0)) is not allowed in a path" }
    case .base, .host, .query: return []
    }
  }

  private func hostProblems(_ name: String, _ option: SourceOption?) -> [String] {
    if let problem = SourceOption.hostProblem(name, option) { return [problem] }
    guard let option else { return [] }
    if let charset = option.charset, let legal = Self.hostCharacters, !charset.isSubset(of: legal) {
      return ["option \(name): a host can contain only letters, digits, - and ., not all of \(charset)"]
    }
    return option.declaredValues.filter { $0.isEmpty || Self.hostCharacters?.covers($0) != true }
      .map { "option \(name): \(Wording.quoted($0)) cannot be part of a host" }
  }

  /// Whether a parameter with a value has a name that only a secret has. Ambiguous names are allowed here.
  private var hasLiteralSecret: Bool {
    guard template.text.utf8.contains(UInt8(ascii: "?")) else { return false }
    let filled = template.filled { $0 == template.baseName ? "https://example.org" : "" }
    let items = filled.flatMap { try? WebURL($0) }?.queryItems ?? []
    return items.contains { SecretName.isLikely(member: $0.name) && $0.value?.isEmpty == false }
  }

  private static let hostCharacters = try? Charset("a-zA-Z0-9.-")

  private var sampleProblems: [String] {
    let sample = placeholders.sample(template)
    if template.text.utf8.contains(UInt8(ascii: "#")) {
      return ["a request URL cannot have a fragment (#)"]
    }
    do {
      let url = try WebURL(sample)
      if url.hasUserinfo { return ["user names and passwords are not allowed in a URL. Use [auth]"] }
      return hasLiteralSecret ? [LiteralSecret.problem] : []
    } catch { return ["\(error)"] }
  }
}

extension SourceOption {
  /// An option in a host must have a list of values or a character set, so that no arbitrary host can be
  /// chosen.
  static func hostProblem(_ name: String, _ option: SourceOption?) -> String? {
    if let option, option.isClosed || option.charset != nil { return nil }
    return "{\(name)} is part of the host and needs an option with values or a charset"
  }

  fileprivate var declaredValues: [String] {
    values + [defaultValue].compactMap(\.self).filter { !values.contains($0) }
  }
}

extension Template.Piece {
  fileprivate var beginsPath: Bool {
    if case .literal(let text) = self { text.hasPrefix("/") || text.hasPrefix("?") } else { false }
  }
}

/// What the tables of a source may refer to, as far as it is read.
struct SourceScope {
  var placeholders = Placeholders(options: [])
  var columns: [Column] = []
  /// Whether each row has an object around it, whose values `^` reads; nil as long as the rows are not known.
  var hasEnclosing: Bool?
  /// The origin of its requests; nil if it depends on an option.
  private(set) var origin: Origin?

  /// The names of the placeholders in `[request]`.
  var requestNames: Set<String> = []

  var options: [SourceOption] { placeholders.options }

  mutating func setOrigin(of endpoint: Endpoint) {
    origin = Self.origin(of: placeholders.sample(endpoint.url))
  }

  /// Why this source may not request an address; nil if it may.
  func problem(of address: String) -> String? {
    guard let origin, let other = Self.origin(of: address), other != origin else { return nil }
    return "leads to \(other), but request.url has the origin \(origin)"
  }

  /// Why `^` has no value in an expression; nil if it may have one.
  func enclosingProblem(of expression: ValueExpression) -> String? {
    let paths = expression.paths.filter(\.readsEnclosing)
    if let path = paths.first, hasEnclosing == false {
      return
        "\(path) has no value: the rows are in no other objects. Use ^ with a rows.path like \"groups[*].items[*]\""
    }
    return paths.first { $0.steps.count > 2 }.map {
      "\($0) has no value: ^ has only the plain values of the object around a row"
    }
  }

  /// Like `problem(of:)`, for an address computed from a row.
  func problem(of expression: ValueExpression) -> String? {
    for template in expression.templates {
      guard template.isAddress else { return "expected a URL that starts with http:// or https://" }
      let sample = template.filled(
        option: { placeholders.option($0)?.defaultValue ?? "x" }, value: { _ in "x" })
      if let problem = sample.flatMap(problem(of:)) { return problem }
    }
    return nil
  }

  private static func origin(of address: String) -> Origin? { (try? WebURL(address))?.origin }
}

/// Warns if the query is inserted without a filter between quotes of the service's query language, where a
/// quote in the query would end the text.
enum QuotedQuery {
  static func notes(on source: Source) -> [String] {
    let endpoint = source.endpoint
    var places = [("[request] url", endpoint.url)]
    places += texts(in: endpoint.parameters, endpoint.headers, endpoint.body, "request")
    for part in endpoint.additions {
      places += texts(in: part.parameters, part.headers, part.body, "request.when.\(part.name)")
    }
    return places.filter { $0.1.hasQuotedQuery }.map { place, _ in
      """
      source \(source.id): \(place): {query} is inside quotes, so a quote in the query would end the string. \
      Write {query|sql} (doubles ') or {query|json}
      """
    }
  }

  private static func texts(
    in parameters: [Endpoint.Field], _ headers: [Endpoint.Field], _ body: RequestBody?, _ table: String
  ) -> [(String, Template)] {
    parameters.map { ("[\(table).params] \($0.name)", $0.value) }
      + headers.map { ("[\(table).headers] \($0.name)", $0.value) }
      + (body.map { texts(in: $0, "[\(table)] body") } ?? [])
  }

  private static func texts(in body: RequestBody, _ place: String) -> [(String, Template)] {
    switch body {
    case .token: []
    case .text(let template): [(place, template)]
    case .list(let elements): elements.flatMap { texts(in: $0, place) }
    case .table(let members): members.flatMap { texts(in: $0.value, "\(place).\($0.name)") }
    }
  }
}

extension Template {
  /// Whether `{query}` without a filter is between an opening and a closing `'` or `"`. O(length).
  fileprivate var hasQuotedQuery: Bool {
    "'\"".utf8.contains { quote in
      var isOpen = false
      var hasQueryInside = false
      for piece in pieces {
        switch piece {
        case .literal(let text):
          for byte in text.utf8 where byte == quote {
            if hasQueryInside { return true }
            isOpen.toggle()
          }
        case .placeholder(let placeholder):
          if isOpen, placeholder.name == "query", placeholder.filter == nil { hasQueryInside = true }
        }
      }
      return false
    }
  }
}
