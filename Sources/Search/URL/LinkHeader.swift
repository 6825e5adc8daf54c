/// Links of `Link` header fields (RFC 8288).
package enum LinkHeader {
  /// A link whose context is the reply itself.
  package struct Link: Sendable, Hashable {
    /// A URL or relative reference, as written.
    package let target: String
    /// In lower case, in order.
    package let relations: [String]
    /// The other parameters by lower-case name; the first of several with the same name counts.
    package let parameters: [String: String]
  }

  /// The first link with this relation, ignoring case. Links without a target are skipped, and so are those
  /// that state that they have no results (`results="false"`, docs.sentry.io/api/pagination).
  package static func target(rel: String, in fields: [String]) -> String? {
    let link = links(in: fields).first { $0.relations.contains(rel.lowercased()) && !$0.target.isEmpty }
    return link?.parameters["results"]?.lowercased() == "false" ? nil : link?.target
  }

  /// All links in order. Malformed parts are skipped, and so are links with another context (`anchor`).
  /// O(bytes).
  package static func links(in fields: [String]) -> [Link] {
    fields.flatMap { field in
      var parser = LinkFieldParser(field)
      return parser.links()
    }
  }
}
