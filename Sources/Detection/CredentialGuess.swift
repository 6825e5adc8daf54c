import Search
import Text

/// The secrets of a request: one value is the credential of the source, others are named secrets.
struct CredentialGuess {
  private let example: RequestExample
  private let place: Place?

  private enum Place {
    case user(RequestExample.BasicUser)
    /// A header with the prefix of the secret.
    case header(String, prefix: String, variable: String)
    case parameter(String, variable: String)
  }

  init(_ example: RequestExample) {
    self.example = example
    let fields = example.headers.filter { $0.name.lowercased() == "authorization" } + example.headers
    let header = fields.lazy.compactMap { field in
      field.value.prefixAndVariable.map { Place.header(field.name, prefix: $0.prefix, variable: $0.variable) }
    }.first
    let parameter = example.parameters.lazy.compactMap { field -> Place? in
      guard let (prefix, variable) = field.value.prefixAndVariable, prefix.isEmpty else { return nil }
      return .parameter(field.name, variable: variable)
    }.first
    place = example.user.map { .user($0) } ?? header ?? parameter
  }

  /// The headers other than the credential.
  var headers: [Named<WrittenText>] {
    guard case .header(let name, _, _) = place else { return example.headers }
    return example.headers.filter { $0.name != name }
  }

  /// The confidential parameters other than the credential.
  var parameters: [Named<WrittenText>] {
    guard case .parameter(let name, _) = place else { return example.parameters }
    return example.parameters.filter { $0.name != name }
  }

  /// `[auth]` and `[secrets]`; nil if nothing is confidential.
  var tables: String? {
    var tables = [authorization].compactMap { $0?.joined(separator: "\n") }
    let texts = (headers + parameters).map(\.value)
    var known: Set<String> = []
    for name in texts.flatMap(\.variables) + (example.body?.variables ?? []) where known.insert(name).inserted
    {
      tables.append("[secrets.\(WrittenText.secretName(name))]\n\(Self.from("from", name))")
    }
    return tables.isEmpty ? nil : tables.joined(separator: "\n\n") + "\n"
  }

  private var authorization: [String]? {
    switch place {
    case .user(let user): Self.basic(user)
    case .header(let name, "Bearer ", let variable) where name.lowercased() == "authorization":
      ["[auth]", "type = \"bearer\"", Self.from("from", variable)]
    case .header(let name, let prefix, let variable):
      ["[auth]", "type = \"header\""] + texts(["header": name, "prefix": prefix.isEmpty ? nil : prefix])
        + [Self.from("from", variable)]
    case .parameter(let name, let variable):
      ["[auth]", "type = \"query\""] + texts(["param": name]) + [Self.from("from", variable)]
    case nil: nil
    }
  }

  private static func basic(_ user: RequestExample.BasicUser) -> [String] {
    var lines = ["[auth]", "type = \"basic\""]
    if let password = user.password.plain {
      return lines + ["as = \"user\"", "password = \(TOMLText.string(password))"]
        + user.name.variables.prefix(1).map { from("from", $0) }
    }
    if let name = user.name.plain {
      lines.append("user = \(TOMLText.string(name))")
    } else {
      lines += user.name.variables.prefix(1).map { from("user_from", $0) }
    }
    return lines + user.password.variables.prefix(1).map { from("from", $0) }
  }

  private static func from(_ key: String, _ variable: String) -> String {
    "\(key) = [\(TOMLText.string("env:\(variable)"))]"
  }
}

extension RequestGuess {
  var credentials: CredentialGuess { CredentialGuess(example) }
}

extension WrittenText {
  /// The text as a template of a source, in which variables are named secrets.
  var template: String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text.withDoubledBraces
      case .variable(let name): "{secret:\(Self.secretName(name))}"
      }
    }.joined()
  }

  static func secretName(_ variable: String) -> String { variable.lowercased() }

  /// The prefix and the variable of a text that ends in its only variable.
  fileprivate var prefixAndVariable: (prefix: String, variable: String)? {
    switch (pieces.count, pieces.first, pieces.last) {
    case (1, _, .variable(let name)?): ("", name)
    case (2, .text(let prefix)?, .variable(let name)?): (prefix, name)
    default: nil
    }
  }
}
