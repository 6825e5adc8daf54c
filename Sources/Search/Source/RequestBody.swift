/// The JSON body of a request (`[request.body]`). Values are inserted, never concatenated, so that input
/// cannot break out of its string.
package indirect enum RequestBody: Sendable, Hashable {
  /// A value that is sent unchanged.
  case token(JSONToken)
  case text(Template)
  case list([RequestBody])
  case table([Member])

  package struct Member: Sendable, Hashable {
    package var name: String
    package var value: RequestBody

    package init(name: String, value: RequestBody) {
      self.name = name
      self.value = value
    }
  }

  package static let empty = RequestBody.table([])

  /// The maximum number of members on the path to a value, so that recursion is bounded.
  static let deepest = 64

  /// The body merged with another: tables are merged member by member, anything else is replaced. Recursion
  /// is bounded by the depth of a document.
  func overlaid(by other: RequestBody) -> RequestBody {
    guard case .table(var members) = self, case .table(let others) = other else { return other }
    for member in others {
      if let index = members.firstIndex(where: { $0.name == member.name }) {
        members[index].value = members[index].value.overlaid(by: member.value)
      } else {
        members.append(member)
      }
    }
    return .table(members)
  }

  /// The body with a value set at a path; creates the tables on the way.
  ///
  /// - Parameter path: Member names from the root, at most `deepest`.
  func setting(_ value: JSONToken, at path: some Collection<String>) -> RequestBody {
    guard let name = path.first else { return .token(value) }
    var members: [Member] = if case .table(let members) = self { members } else { [] }
    let index = members.firstIndex { $0.name == name } ?? members.endIndex
    if index == members.endIndex { members.append(Member(name: name, value: .empty)) }
    members[index].value = members[index].value.setting(value, at: path.dropFirst())
    return .table(members)
  }
}

extension RequestBody {
  /// The texts with placeholders. Recursion is bounded by the depth of a document.
  var templates: [Template] {
    switch self {
    case .token: []
    case .text(let template): [template]
    case .list(let elements): elements.flatMap(\.templates)
    case .table(let members): members.flatMap(\.value.templates)
    }
  }

  /// The body as JSON; nil if all of it was dropped.
  ///
  /// An empty `{x?}` drops its member or element, and a table or list that becomes empty is dropped too. A
  /// text that consists of a single placeholder keeps the type of its value.
  func json(_ values: PlaceholderValues) -> String? {
    switch self {
    case .token(let token): return token.json
    case .text(let template):
      if let only = template.onlyPlaceholder, only.filter == nil,
        let token = values.token(only.name), token.text?.isEmpty != true
      {
        return token.json
      }
      return template.filled(values.callAsFunction).map(JSONText.quoted)
    case .list(let elements):
      let texts = elements.compactMap { $0.json(values) }
      return texts.isEmpty && !elements.isEmpty ? nil : "[\(texts.joined(separator: ","))]"
    case .table(let members):
      let texts = members.compactMap { member in
        member.value.json(values).map { "\(JSONText.quoted(member.name)):\($0)" }
      }
      return texts.isEmpty && !members.isEmpty ? nil : "{\(texts.joined(separator: ","))}"
    }
  }
}
