/// Links of `Link` header fields (RFC 8288).
package enum LinkHeader {
  /// One link whose context is the reply itself.
  package struct Link: Sendable, Hashable {
    /// A URL or relative reference as it is written.
    package let target: String
    /// In lower case, in order.
    package let relations: [String]
    /// The other parameters by lower-case name; of equal names the first counts.
    package let parameters: [String: String]
  }

  /// The first link with that relation, in any case of letters; a link without a target is none, nor is one
  /// that says of itself that no results are there (`results="false"`, docs.sentry.io/api/pagination).
  package static func target(rel: String, in fields: [String]) -> String? {
    let link = links(in: fields).first { $0.relations.contains(rel.lowercased()) && !$0.target.isEmpty }
    return link?.parameters["results"]?.lowercased() == "false" ? nil : link?.target
  }

  /// All links in order. Malformed parts are skipped, and so are links that state another context
  /// (`anchor`). O(bytes).
  package static func links(in fields: [String]) -> [Link] {
    fields.flatMap { field in
      var parser = LinkFieldParser(field)
      return parser.links()
    }
  }
}
