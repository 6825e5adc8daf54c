import JSON

/// A parameter of an endpoint, or a field of its body.
struct EndpointParameter: Sendable {
  enum Location: String, Sendable {
    case path, query, header
    /// A field of the body. In Swagger 2.0, a body parameter is the whole body instead.
    case member = ""
  }

  /// The name of the parameter, or the path of the field in the body.
  let name: String
  /// The names of the fields from the root of the body; empty for other parameters.
  var members: [String] = []
  let location: Location
  let isRequired: Bool
  let schema: EndpointSchema
  let role: Role

  enum Role: Sendable, Hashable {
    /// The search text; a lower rank is more likely.
    case search(rank: Int)
    case pageSize, page, offset, cursor
    /// The key of the row after which the page begins.
    case lastKey
    case credential
    case other

    /// Whether it selects the requested page.
    var isPosition: Bool {
      switch self {
      case .pageSize, .page, .offset, .cursor, .lastKey: true
      case .search, .credential, .other: false
      }
    }
  }

  var word: String { ParameterRole.word(members.last ?? name) }
}

extension EndpointParameter {
  /// A field of a body.
  init(members: [String], isRequired: Bool, _ schema: EndpointSchema) {
    name = "\(JSONPath(steps: members.map { .member(JSONKey($0)) }))"
    self.members = members
    location = .member
    self.isRequired = isRequired
    self.schema = schema
    let last = members.last ?? ""
    let isSecret = isRequired && ParameterRole(name: last, value: "") == .credential
    let own = isSecret ? .credential : Role(name: last, schema)
    let parent = members.dropLast().last.map(ParameterRole.word)
    if let parent, own.isPosition || own == .other {
      // `filter.from` is no position, `paging.from` and `page.number` are.
      let whole = Role(name: members.suffix(2).joined(separator: "_"), schema)
      role = Self.pagingParents.contains(parent) ? own : whole.isPosition ? whole : .other
    } else {
      role = own
    }
  }

  private static let pagingParents: Set = [
    "paging", "pagination", "pager", "paginate", "page", "pageinfo", "pagerequest", "cursor", "options",
    "meta",
    "params", "query", "data", "body", "request", "search", "searchrequest",
  ]
}

extension EndpointParameter {
  /// Reads `parameters` of a path or an operation; an entry that is broken is skipped.
  init?(_ node: JSONNode, _ reader: inout SchemaReader) {
    guard let node = reader.node(node), let name = reader.text(node, "name"), !name.isEmpty,
      name.utf8.count <= 200, let location = reader.text(node, "in").flatMap(Location.init),
      location != .member
    else { return nil }
    self.name = name
    self.location = location
    isRequired =
      location == .path
      || reader.document.member(of: node, named: "required").flatMap(reader.document.bool) == true
    // Swagger 2.0 has the fields of the schema in the parameter itself.
    schema = reader.schema(reader.document.member(of: node, named: "schema") ?? node)
    role = location == .query ? Role(name: name, schema) : .other
  }
}

extension EndpointParameter.Role {
  /// Derives the role from the name, if the type fits.
  init(name: String, _ schema: EndpointSchema) {
    let word = ParameterRole.word(name)
    let mayBeNumber =
      schema.isNumber || schema.kind == .unknown || (schema.kind == .string && schema.format == nil)
    let isPlain = !schema.isTime && schema.values.isEmpty && schema.kind != .boolean
    if ParameterFamilies.lastKeys.contains(word), isPlain {
      self = .lastKey
    } else if ParameterFamilies.cursors.contains(word) || ParameterFamilies.describedCursors.contains(word)
      || word.hasSuffix("cursor") || word.hasSuffix("pagetoken"), isPlain
    {
      self = .cursor
    } else if mayBeNumber,
      ParameterFamilies.sizes.contains(word) || ParameterFamilies.describedSizes.contains(word)
        || word.hasSuffix("pagesize") || word.hasSuffix("perpage")
    {
      self = .pageSize
    } else if isPlain, mayBeNumber, ParameterFamilies.pages.contains(word) || word.hasSuffix("pagenumber") {
      self = .page
    } else if isPlain,
      ParameterFamilies.offsets.contains(word)
        && (schema.isNumber || word != "from" && word != "start" && word != "begin")
        || (word.hasSuffix("offset") && schema.kind != .array && word != "utcoffset"
          && word != "timezoneoffset")
    {
      self = .offset
    } else if case .search(let rank) = ParameterRole(name: name, value: ""), isPlain, !schema.isNumber,
      schema.kind != .array, schema.kind != .object
    {
      self = .search(rank: rank)
    } else {
      self = ParameterRole(name: name, value: "") == .credential ? .credential : .other
    }
  }
}
