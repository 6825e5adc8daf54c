import Config
import Detection
import HTTPValues
import JSON
import Search
import Text

/// Thrown if a page is not a list, but the description of an API (OpenAPI, Swagger).
struct FoundDescription: Error {
  let reply: HTTPReply

  /// Nil if the reply does not look like one.
  init?(_ reply: HTTPReply) {
    let beginning = String(decoding: reply.body.prefix(65_536), as: UTF8.self)
    guard HTTPStatus.isSuccess(reply.status),
      beginning.contains(/["']?(?:openapi|swagger)["']?\s*:/),
      let root = try? SourceAddition.document(reply.body).root,
      root["paths"]?.kind == .object, root["openapi"] != nil || root["swagger"] != nil
    else { return nil }
    self.reply = reply
  }
}

extension SourceAddition {
  /// Schemas nest deeper than rows.
  static let descriptionDepth = 512

  /// Adds one of the lists of an API description; without a choice, all are printed.
  ///
  /// - Parameters:
  ///   - place: The file or the address of the description.
  ///   - endpoint: The path of the list.
  func add(
    from bytes: [UInt8], of place: String, at address: WebURL?, endpoint: String?, name: String?
  ) throws(CommandError) {
    let description = try Self.description(bytes, place, address)
    let endpoints = description.endpoints
    guard !endpoints.isEmpty else {
      let example = description.omissions.first.map { ", like \($0.method) \($0.path): \($0.reason)" } ?? ""
      throw CommandError("\(place) describes no list\(example)", .failed)
    }
    guard let endpoint = endpoint ?? (endpoints.count == 1 ? endpoints.first?.name : nil) else {
      let rows = description.rows.map { [$0.path, $0.style, $0.rows, $0.summary] }
      try Descriptor.print(ColumnList.lines(rows).map { $0 + "\n" }.joined())
      return message.note(
        "\(Digits.counted(endpoints.count, "list")); \(Digits.counted(description.omissions.count, "other endpoint")) left out. Add one with --endpoint PATH"
      )
    }
    guard let chosen = endpoints.first(where: { [$0.name, $0.path].contains(endpoint) }) else {
      let omission = description.omissions.first { $0.path == endpoint }
      let advice =
        omission.map { "it is left out: \($0.reason)" }
        ?? NearestName.question(endpoint, among: endpoints.map(\.name))
        ?? "To see the lists, omit --endpoint"
      throw CommandError("\(place) has no list \(JSONText.quoted(endpoint)): \(advice)", .usage)
    }
    try add(chosen, of: description, name: name)
  }

  private func add(
    _ endpoint: DescribedEndpoint, of description: APIDescription, name: String?
  ) throws(CommandError) {
    let draft = try Self.source(description.document(of: endpoint, id: "source"))
    let home = (draft.origin(options: [:]).map { "\($0)" } ?? "https://source.example") + endpoint.path
    guard let address = try? WebURL(home) else { throw CommandError("invalid address \(home)", .failed) }
    let id = try configuration.unusedName(name, for: address, isReplacing: isReplacing)
    let document = description.document(of: endpoint, id: id)
    try Descriptor.print(document)
    message.plain(
      "from the description, not from a page: a list of \(endpoint.rowsPath), \(endpoint.pagination)")
    let needed = draft.options.filter { $0.defaultValue == nil }.map { " --set \($0.name)=…" }.joined()
    _ = try keep(
      document, as: id, name: name,
      "To see what a page has for each key, run: riffle sources check \(id) --live\(needed)")
  }

  private static func source(_ document: String) throws(CommandError) -> Source {
    do { return try SourceDecoder.source(TOMLDocument(document, file: "source.toml")) } catch {
      throw CommandError("the described list makes no source: \(error)", .failed)
    }
  }

  /// The value of a document in JSON or YAML.
  fileprivate static func document(_ bytes: [UInt8]) throws -> JSONDocument {
    let isJSON = bytes.first { !" \t\r\n\u{FEFF}".utf8.contains($0) } == UInt8(ascii: "{")
    let json = isJSON ? bytes : try YAMLDocument.json(String(decoding: bytes, as: UTF8.self))
    return try JSONDocument(json, maxDepth: descriptionDepth)
  }

  private static func description(
    _ bytes: [UInt8], _ place: String, _ address: WebURL?
  ) throws(CommandError) -> APIDescription {
    let document: JSONDocument
    do { document = try Self.document(bytes) } catch {
      throw CommandError("\(place) is neither JSON nor YAML: \(error)", .usage)
    }
    do { return try APIDescription(document, at: address) } catch {
      throw CommandError("\(place): \(error)", .usage)
    }
  }
}
