import Config
import Detection
import HTTPTransport
import HTTPValues
import Search

/// Confirms a described list by its first page, if that can be requested with what the user gave.
struct DescribedTrial: Sendable {
  let description: APIDescription
  let endpoint: DescribedEndpoint
  let id: String
  /// Of the description; nil for a file.
  let address: WebURL?
  /// A request with the headers that the user gave.
  let given: RequestExample
  /// The options that the user chose.
  var options: [String: String] = [:]

  /// Why no page confirms the list.
  struct Obstacle: Error {
    let reason: String
  }

  /// Why a page cannot be requested; nil if it can.
  ///
  /// - Parameter draft: The source of the list.
  func obstacle(to draft: Source) -> Obstacle? {
    guard endpoint.isSafe else { return Obstacle(reason: "the request may change something") }
    if let missing = draft.options.first(where: { $0.defaultValue == nil && options[$0.name] == nil }) {
      return Obstacle(
        reason: "it needs a value for \(missing.name). To confirm it, add --set \(missing.name)=…")
    }
    if draft.needsQuery { return Obstacle(reason: "it needs a query") }
    let needsSecret = !draft.secrets.isEmpty || draft.authorization.map { !$0.isOptional } ?? false
    if needsSecret, given.variables.isEmpty {
      return Obstacle(reason: "it needs a credential. To confirm it, add -H 'Name: $VARIABLE'")
    }
    guard let origin = draft.origin(options: options) else {
      return Obstacle(reason: "its address is not complete")
    }
    guard let address, address.origin != origin else { return nil }
    // The description is hostile input.
    if origin.hostClass != .global, origin.hostClass != address.origin.hostClass {
      return Obstacle(reason: "its server \(origin.host) is a private address")
    }
    return given.variables.isEmpty
      ? nil : Obstacle(reason: "the headers are for \(address.origin), and the list is on \(origin)")
  }

  /// Requests the first page of the list, and tries what its description says.
  ///
  /// - Parameter environment: The variables that the user named. No other one is read, because the names of variables
  ///   in a description are hostile input.
  func outcome(
    _ transport: Transport, timeout: Duration?, _ environment: [String: String] = [:]
  ) async throws -> SourceTrial.Outcome {
    let cache = ReplyCache()
    let first = try await reply(with: .onePage, transport, timeout, environment)
    // A service may require the position even on the first page.
    let isRefused = [400, 422].contains(first.reply.status) && endpoint.pagination.style != .none
    let (request, reply) =
      isRefused ? try await self.reply(with: endpoint.pagination, transport, timeout, environment) : first
    cache.remember(reply, to: request)
    let page = try DescribedPage(endpoint, reply, given: given)
    return try await SourceTrial(
      reply: reply, guess: page, id: id, title: description.title(of: endpoint),
      transport: cache.transport(over: transport), timeout: timeout, environment: environment,
      options: options
    ).outcome()
  }

  private func reply(
    with pagination: PaginationGuess, _ transport: Transport, _ timeout: Duration?,
    _ environment: [String: String]
  ) async throws -> (request: HTTPRequest, reply: HTTPReply) {
    let document = description.document(of: endpoint, id: id, pagination: pagination, given: given)
    let source = try SourceAddition.source(document)
    let context = try await SourceTrial.context(source, environment, options)
    let request = try source.request(
      for: PageRequest(first: source, Query("", options: options)), in: context)
    return (request, try await transport.reply(to: request, within: source.endpoint.timeout ?? timeout))
  }
}
