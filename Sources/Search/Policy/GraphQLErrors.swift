/// The errors of a reply in the GraphQL response format (October 2021 edition, section 7.1): an object with
/// only `data`, `errors`, and `extensions`. The strict format lets errors be recognized without any rules in
/// the source.
struct GraphQLErrors {
  /// The message of the first error.
  let message: String
  /// Whether the reply has data in addition to the errors.
  let hasData: Bool

  /// Nil for a reply without errors, or in another format.
  init?(_ document: JSONDocument) {
    let root = document.root
    guard 1...3 ~= root.count, root.members.allSatisfy({ Self.names.contains($0.name) }),
      let message = root["errors"]?[0]?["message"]?.string
    else { return nil }
    self.message = message
    hasData = root["data"].map { !$0.isNull } ?? false
  }

  private static let names: Set = ["data", "errors", "extensions"]
}
