/// The request of a source, guessed from one URL: which parameter is the search text, which is the page size,
/// and which are the position in the list.
package struct RequestGuess: Sendable, Hashable {
  package struct Parameter: Sendable, Hashable {
    package let name: String
    /// As a template: `{query}`, or the text with its braces doubled.
    package let template: String
  }

  /// A parameter for the position in the list; it is not part of the source.
  struct Place<Value: Sendable & Hashable>: Sendable, Hashable {
    let name: String
    let value: Value
  }

  /// The URL with the parameters that a table cannot represent: repeated ones, and those without a value.
  package let url: String
  package let parameters: [Parameter]
  /// The search text in the URL; nil if no parameter is a search text.
  package let searchText: String?
  let pageSize: Place<Int>?
  let page: Place<Int>?
  let offset: Place<Int>?
  let cursor: Place<String>?

  /// - Throws: If the URL contains a credential.
  package init(_ address: WebURL) throws(DetectionFailure) {
    let items = address.queryItems.map {
      Item(name: $0.name, value: $0.value, role: ParameterRole(name: $0.name, value: $0.value ?? ""))
    }
    let secrets = Self.credentials(in: address)
    guard secrets.isEmpty, !address.hasUserinfo else {
      throw .credential(parameters: secrets, hasUserinfo: address.hasUserinfo)
    }
    let search = items.filter { $0.searchRank != nil }.min { $0.searchRank ?? 0 < $1.searchRank ?? 0 }
    searchText = search.map { $0.value ?? "" }
    pageSize = items.firstPlace { if case .pageSize(let size) = $0.role { size } else { nil } }
    page = items.firstPlace { if case .page(let number) = $0.role { number } else { nil } }
    offset = items.firstPlace { if case .offset(let number) = $0.role { number } else { nil } }
    cursor = items.firstPlace { $0.role == .cursor ? $0.value ?? "" : nil }
    (url, parameters) = Self.split(address, items, searchName: search?.name)
  }

  /// The names of the parameters that contain credentials.
  static func credentials(in address: WebURL) -> [String] {
    address.queryItems.filter { ParameterRole(name: $0.name, value: $0.value ?? "") == .credential }.map(
      \.name)
  }

  fileprivate struct Item {
    let name: String
    let value: String?
    let role: ParameterRole

    var searchRank: Int? { if case .search(let rank) = role { rank } else { nil } }

    /// Whether the source sets the parameter itself for each page.
    var isPlaced: Bool {
      switch role {
      case .pageSize, .page, .offset, .cursor: true
      case .search, .credential, .literal: false
      }
    }
  }

  /// The parameters that a table can represent, and the URL without them.
  private static func split(
    _ address: WebURL, _ items: [Item], searchName: String?
  ) -> (url: String, parameters: [Parameter]) {
    var url = address
    var parameters: [Parameter] = []
    for item in items where !parameters.contains(where: { $0.name == item.name }) {
      let isSingle = items.count { $0.name == item.name } == 1
      if item.isPlaced {
        url.removeQueryItems(named: item.name)
      } else if item.name == searchName {
        url.removeQueryItems(named: item.name)
        parameters.append(Parameter(name: item.name, template: "{query}"))
      } else if let value = item.value, isSingle, !item.name.isEmpty {
        url.removeQueryItems(named: item.name)
        parameters.append(Parameter(name: item.name, template: value.withDoubledBraces))
      }
    }
    return (url.description.withDoubledBraces, parameters)
  }
}

extension [RequestGuess.Item] {
  fileprivate func firstPlace<Value>(_ value: (Element) -> Value?) -> RequestGuess.Place<Value>? {
    for item in self {
      if let value = value(item) { return RequestGuess.Place(name: item.name, value: value) }
    }
    return nil
  }
}

extension String {
  fileprivate var withDoubledBraces: String {
    replacing("{", with: "{{").replacing("}", with: "}}")
  }
}
