import Config
import Demo
import Search

/// The slow part of a run's preparation, done once, beside the first drawing: resolves the credentials of
/// the source and starts the embedded server.
struct RunPreparation: Sendable {
  let entry: CatalogueEntry
  let resolver: SecretResolver
  let query: Query
  let pageSize: Int?
  let filter: RowFilter?
  let additions: RequestAdditions
  let isTrustedAnyway: Bool

  func context() async -> Result<RunContext, PageError> {
    do throws(PageError) {
      return .success(
        RunContext(
          pageSize: pageSize, credentials: try await credentials(), addresses: try await addresses(),
          filter: filter, version: Version.number))
    } catch {
      return .failure(error)
    }
  }

  /// The same with its credentials looked for again; nil when no program gives one, or none can be had.
  func renewed(_ old: RunContext) async -> RunContext? {
    let isFromProgram = entry.source.secretOrigins.contains { if case .command = $0 { true } else { false } }
    guard isFromProgram, let credentials = try? await credentials() else { return nil }
    var context = old
    context.credentials = credentials
    return context
  }

  /// A source that is not trusted stops before anything is drawn or sent (status 78).
  func checkTrust() throws(Complaint) {
    guard !entry.trust.isTrusted, !isTrustedAnyway, !entry.source.secretOrigins.isEmpty else { return }
    // Without trust the resolver refuses before it looks anywhere, so nothing is waited for.
    let problem = blocking { [self] in
      do throws(SecretProblem) {
        _ = try await resolver.credentials(for: entry, options: query.options)
        return SecretProblem?.none
      } catch {
        return error
      }
    }
    if let problem { throw Complaint("\(problem)", .configuration) }
  }

  private func credentials() async throws(PageError) -> Credentials {
    do throws(SecretProblem) {
      var credentials = try await resolver.credentials(
        for: entry, options: query.options, isTrustedAnyway: isTrustedAnyway)
      credentials.secrets.merge(additions.secrets) { $1 }
      return credentials
    } catch {
      throw PageError(.unauthorized, message: "\(error)")
    }
  }

  /// The name that stands for the embedded server in a source (RFC 6761: `.localhost` is this machine).
  private static let embedded = "http://riffle.localhost"

  /// The embedded server runs only for a source that asks for it; it lives as long as the process.
  private func addresses() async throws(PageError) -> [String: String] {
    let asksForServer = entry.source.options.contains { option in
      (query.options[option.name] ?? option.defaultValue) == Self.embedded
    }
    guard asksForServer else { return [:] }
    do {
      return [Self.embedded: try await DemoServer.start().baseURL]
    } catch {
      throw PageError(.unaskable, message: "the embedded server does not start: \(error)")
    }
  }
}
