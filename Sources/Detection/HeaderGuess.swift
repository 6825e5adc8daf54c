import Text

/// A header of the request that a source is guessed from. If it is confidential, the source reads the secret in it
/// from an environment variable, and contains nothing of it.
package struct HeaderGuess: Sendable, Hashable {
  package let name: String
  /// The text before the secret; the whole value if there is none.
  let prefix: String
  /// The text after the secret.
  let suffix: String
  /// The variable that the secret is read from; nil for a header that is not confidential.
  package let variable: String?
  /// Whether the secret was written in place of a variable, so that the variable is not set yet.
  package let isLiteral: Bool

  /// - Parameters:
  ///   - name: The name of the header.
  ///   - value: As written, with `$NAME` for a variable. Only the first one is read from a variable.
  ///   - variable: The variable for a value that is a secret itself; nil if the value is none.
  package init(_ name: String, _ value: String, orVariable variable: String?) {
    self.name = name
    if let match = value.firstMatch(of: /\$([A-Za-z0-9_]+)/) {
      prefix = String(value[..<match.range.lowerBound])
      suffix = String(value[match.range.upperBound...])
      self.variable = String(match.1)
      isLiteral = false
    } else if let variable {
      // A scheme, such as Bearer or Token.
      let scheme = value.split(separator: " ", maxSplits: 1).first.map { "\($0) " } ?? ""
      prefix = value.contains(" ") ? scheme : ""
      suffix = ""
      self.variable = variable
      isLiteral = true
    } else {
      (prefix, suffix, self.variable, isLiteral) = (value, "", nil, false)
    }
  }
}

extension [HeaderGuess] {
  /// The header whose secret is the credential of the source; others are named secrets.
  private var credential: HeaderGuess? { first { $0.variable != nil && $0.suffix.isEmpty } }

  /// `headers` of `[request]`; nil if there are none besides the credential.
  var requestLine: String? {
    let fields = filter { $0 != credential }.map { header in
      let secret = header.variable.map { "{secret:\(header.secretName($0))}" } ?? ""
      let value = header.prefix.withDoubledBraces + secret + header.suffix.withDoubledBraces
      return "\(TOMLText.key(header.name)) = \(TOMLText.string(value))"
    }
    return fields.isEmpty ? nil : "headers = { \(fields.joined(separator: ", ")) }"
  }

  /// `[auth]` and `[secrets]`; nil if nothing is confidential.
  var credentialTables: String? {
    var tables: [String] = []
    if let credential, let variable = credential.variable {
      let isBearer = credential.name.lowercased() == "authorization" && credential.prefix == "Bearer "
      var lines = ["[auth]", "type = \"\(isBearer ? "bearer" : "header")\""]
      if !isBearer {
        lines.append("header = \(TOMLText.string(credential.name))")
        if !credential.prefix.isEmpty { lines.append("prefix = \(TOMLText.string(credential.prefix))") }
      }
      lines.append("from = [\(TOMLText.string("env:\(variable)"))]")
      tables.append(lines.joined(separator: "\n") + "\n")
    }
    for header in self where header != credential {
      guard let variable = header.variable else { continue }
      let name = TOMLText.key(header.secretName(variable))
      tables.append("[secrets.\(name)]\nfrom = [\(TOMLText.string("env:\(variable)"))]\n")
    }
    return tables.isEmpty ? nil : tables.joined(separator: "\n")
  }
}

extension HeaderGuess {
  fileprivate func secretName(_ variable: String) -> String { variable.lowercased() }
}
