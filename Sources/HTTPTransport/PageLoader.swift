package import Search

/// Fulfils page requests: asks the source's service and reads the reply. What it decides is decided by
/// `Source+Request` and `Source+Page`; it only carries out.
package struct PageLoader: Sendable {
  private let source: Source
  private let transport: Transport
  private let timeout: Duration?
  private let prepare: @Sendable () async -> Result<RunContext, PageError>

  /// - Parameters:
  ///   - timeout: the time for one whole exchange; nil for the transport's own.
  ///   - prepare: gives what the whole run sends (credential, page size). Called for every page; the maker
  ///     does the work once.
  package init(
    source: Source, transport: Transport, timeout: Duration? = nil,
    prepare: @escaping @Sendable () async -> Result<RunContext, PageError>
  ) {
    self.source = source
    self.transport = transport
    self.timeout = source.endpoint.timeout ?? timeout
    self.prepare = prepare
  }

  package func page(
    for request: PageRequest, makeContent: ContentMaker
  ) async -> Result<Page, PageError> {
    do throws(PageError) {
      let run = try await prepare().get()
      let message = try source.request(for: request, in: run)
      do throws(PageError) {
        let reply = try await reply(to: message)
        return .success(try source.page(from: reply, for: request, in: run, makeContent: makeContent))
      } catch {
        throw error.redacted(of: message.credentials)
      }
    } catch {
      return .failure(error)
    }
  }

  private func reply(to message: HTTPRequest) async throws(PageError) -> HTTPReply {
    do throws(TransportFailure) {
      return try await transport.reply(to: message, within: timeout)
    } catch {
      throw PageError(error, isSafe: message.isSafe)
    }
  }
}

extension PageError {
  /// A service may repeat a credential in its own words; nobody is shown it.
  fileprivate func redacted(of credentials: [PlacedCredential]) -> PageError {
    var error = self
    for credential in credentials {
      error.message = credential.redacted(in: error.message)
      error.remedy = error.remedy.map(credential.redacted)
    }
    return error
  }
}
