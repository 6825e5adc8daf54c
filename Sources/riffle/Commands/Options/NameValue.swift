import ArgumentParser

/// A `name=value` argument.
struct NameValue: ExpressibleByArgument, Sendable {
  let name: String
  let value: String

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
    name = String(argument[..<equals])
    value = String(argument[argument.index(after: equals)...])
  }
}
