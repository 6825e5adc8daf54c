import Config
import Detection
import HTTPTransport
import HTTPValues
import Search

/// Confirms a described list by its first page, if that can be requested with what the user gave.
struct EndpointTrial: Sendable {
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
  struct ObstacleError: Error {
    let reason: String
  }

  /// Why a page cannot be requested; nil if it can.
  ///
  /// - Parameter draft: The source of the list.
  func obstacle(to draft: Source) -> ObstacleError? {
    guard endpoint.isSafe else { return ObstacleError(reason: "the request may change something") }
    if let missing = draft.options.first(where: { $0.defaultValue == nil && options[$0.name] == nil }) {
      return ObstacleError(
        reason: "it needs a value for \(missing.name). To confirm it, add --set \(missing.name)=…")
    }
    if draft.needsQuery { return ObstacleError(reason: "it needs a query") }
    let needsSecret = !draft.secrets.isEmpty || draft.authorization.map { !$0.isOptional } ?? false
    if needsSecret, given.variables.isEmpty {
      return ObstacleError(reason: "it needs a credential. To confirm it, add -H 'Name: $VARIABLE'")
    }
    guard let origin = draft.origin(options: options) else {
      return ObstacleError(reason: "its URL is incomplete")
    }
    guard let address, address.origin != origin else { return nil }
    // The description is hostile input.
    if origin.hostClass != .global, origin.hostClass != address.origin.hostClass {
      return ObstacleError(reason: "its server \(origin.host) is a private address")
    }
    return given.variables.isEmpty
      ? nil : ObstacleError(reason: "the headers are for \(address.origin), and the list is on \(origin)")
  }

  /// Requests the first page of the list, and tries what its description says.
  ///
  /// - Parameter environment: The variables that the user named. No other one is read, because the names of variables
  ///   in a description are hostile input.
  func outcome(
    _ transport: Transport, timeout: Duration?, _ environment: [String: String] = [:],
    clock: any Clock<Duration> = ContinuousClock()
  ) async throws -> SourceTrial.Outcome {
    let requests = TrialRequests(clock: clock)
    let transport = requests.transport(over: transport)
    let first = try await response(with: .onePage, transport, timeout, environment)
    // A service may require the position even on the first page.
    let isRefused = [400, 422].contains(first.status) && endpoint.pagination.style != .none
    let response =
      isRefused ? try await self.response(with: endpoint.pagination, transport, timeout, environment) : first
    let page = try DescribedPage(endpoint, response, given: given)
    return try await SourceTrial(
      response: response, guess: page, id: id, title: description.title(of: endpoint),
      transport: transport, requests: requests, timeout: timeout, environment: environment,
      options: options
    ).outcome()
  }

  private func response(
    with pagination: PaginationGuess, _ transport: Transport, _ timeout: Duration?,
    _ environment: [String: String]
  ) async throws -> HTTPResponse {
    let document = description.document(of: endpoint, id: id, pagination: pagination, given: given)
    let source = try SourceAddition.source(document)
    let context = try await SourceTrial.context(source, environment, options)
    let request = try source.request(
      for: PageRequest(first: source, Query("", options: options)), in: context)
    return try await transport.response(to: request, within: source.endpoint.timeout ?? timeout)
  }
}
