private import Text

/// Why a source cannot be guessed; each case includes what was found.
package enum DetectionFailure: Error, Sendable, Hashable {
  /// The URL contains a credential, which is never written to a file.
  case credential(parameters: [String], hasUserinfo: Bool)
  /// The service returned an error status.
  case status(Int, contentType: String?, beginning: String)
  /// The service requires a credential; `scheme` is set if the service named one.
  case unauthorized(Int, scheme: ChallengeScheme?, contentType: String?, beginning: String)
  /// The service limits the request rate; `wait` is the requested delay in seconds.
  case rateLimited(Int, wait: Double?)
  /// The reply is not JSON.
  case notJSON(reason: String, isMarkup: Bool, contentType: String?)
  /// The reply contains nothing that looks like rows; `keys` are its first keys.
  case noRows(kind: String, keys: [String])
  /// The reply has a list for rows, but it is empty.
  case emptyRows(path: String)
}

extension DetectionFailure: CustomStringConvertible {
  /// What was found, and what to do.
  package var description: String {
    switch self {
    case .credential(let parameters, let hasUserinfo):
      let what = hasUserinfo ? "a user name or password" : parameters.joined(separator: ", ")
      return """
        the URL contains a credential (\(what)), and credentials are never written to a file. Remove it and \
        try again, or fill in the source on stdout, and name where the credential comes from in [auth]
        """
    case .status(let status, let contentType, let beginning),
      .unauthorized(let status, _, let contentType, let beginning):
      let phrase = HTTPStatus.phrase(status).map { " \($0)" } ?? ""
      return "the service returned \(status)\(phrase) (\(Self.type(contentType)))"
        + (beginning.isEmpty ? "" : ": \(beginning)") + ". \(Self.advice(for: status))"
    case .rateLimited(let status, let wait):
      let phrase = HTTPStatus.phrase(status).map { " \($0)" } ?? ""
      let advice =
        wait.map { "Try again in \(DurationText.words(seconds: $0.rounded(.up)))" } ?? "Try again later"
      return "the service returned \(status)\(phrase): rate limited. \(advice)"
    case .notJSON(let reason, let isMarkup, let contentType):
      return isMarkup
        ? "the reply is HTML or XML, not JSON (\(Self.type(contentType))): probably a web page or a sign-in page. "
          + "Use the URL of the API"
        : "the reply is not JSON (\(Self.type(contentType))): \(reason)"
    case .noRows(let kind, let keys):
      let seen = keys.isEmpty ? "" : " with the keys \(keys.joined(separator: ", "))"
      return "no rows found in the reply, \(kind)\(seen). Set rows.path to where they are"
    case .emptyRows(let path):
      return """
        \(path) has no rows to detect columns from. Use a URL that returns some, or fill in the source on \
        stdout
        """
    }
  }

  private static func advice(for status: Int) -> String {
    switch status {
    case 401, 403: "Fill in [auth] in the source on stdout"
    case 408, 500...: "Try again later, or fill in the source on stdout"
    default: "Correct the URL, or fill in the source on stdout"
    }
  }

  private static func type(_ contentType: String?) -> String { contentType ?? "no content type" }
}

/// The authentication schemes of HTTP challenges (RFC 9110 section 11.6.1) that a source supports.
package enum ChallengeScheme: String, Sendable, Hashable {
  case basic, bearer

  /// The first challenge of a reply that a source can answer; nil if there is none.
  init?(_ headers: HTTPFields) {
    let names = headers.all("WWW-Authenticate").flatMap(Self.names)
    guard let scheme = names.lazy.compactMap({ ChallengeScheme(rawValue: $0.lowercased()) }).first else {
      return nil
    }
    self = scheme
  }

  /// The scheme names of one field: the text between commas outside quotes, where it begins with a word that
  /// is not a parameter.
  private static func names(in field: String) -> [String] {
    var parts = [""]
    var (isQuoted, isEscaped) = (false, false)
    for character in field {
      if character == ",", !isQuoted {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
      if character == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = isQuoted && character == "\\" && !isEscaped
    }
    return parts.compactMap { part in
      let word = part.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
      return word.isEmpty || word.contains("=") ? nil : String(word)
    }
  }
}
