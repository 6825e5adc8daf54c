/// The errors of a reply in the form of GraphQL (October 2021 edition, section 7.1): an object of `data`, `errors`
/// and `extensions` and nothing else, so that they are known where a source says nothing of errors.
struct GraphQLErrors {
  /// The words of the first.
  let message: String
  /// Whether some of what was asked for came all the same.
  let hasData: Bool

  /// Nil for a reply without errors, or in another form.
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
