import Config
import Demo
import Search

/// The slow part of preparing a run, done once, concurrently with the first frame: resolves the credentials
/// of the source and starts the embedded server.
struct RunSetup: Sendable {
  let entry: CatalogEntry
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

  /// The context with its credentials resolved again; nil if no program provides them, or they are
  /// unavailable.
  func renewed(_ old: RunContext) async -> RunContext? {
    let isFromProgram = entry.source.secretOrigins.contains { if case .command = $0 { true } else { false } }
    guard isFromProgram, let credentials = try? await credentials() else { return nil }
    var context = old
    context.credentials = credentials
    return context
  }

  /// Fails for an untrusted source before anything is drawn or sent (status 78).
  func checkTrust() throws(CommandError) {
    guard !entry.trust.isTrusted, !isTrustedAnyway, !entry.source.secretOrigins.isEmpty else { return }
    // For an untrusted source the resolver fails immediately, so this does not block.
    let problem = blocking { [self] in
      do throws(SecretProblem) {
        _ = try await resolver.credentials(for: entry, options: query.options)
        return SecretProblem?.none
      } catch {
        return error
      }
    }
    if let problem { throw CommandError("\(problem)", .configuration) }
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

  /// The host name that stands for the embedded server in a source (RFC 6761: `.localhost` is this machine).
  private static let embedded = "http://riffle.localhost"

  /// The embedded server runs only if the source refers to it, for the lifetime of the process.
  private func addresses() async throws(PageError) -> [String: String] {
    let needsServer = entry.source.options.contains { option in
      (query.options[option.name] ?? option.defaultValue) == Self.embedded
    }
    guard needsServer else { return [:] }
    do {
      return [Self.embedded: try await DemoServer.start().baseURL]
    } catch {
      throw PageError(.invalidRequest, message: "cannot start the embedded server: \(error)")
    }
  }
}
