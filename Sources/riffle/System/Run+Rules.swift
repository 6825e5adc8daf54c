import Config
import Pager
import Search
import Terminal
import Text

extension Run {
  /// The rules of the session of this run.
  func sessionRules() -> Session.Rules {
    let search = settings.search
    // A century stands for "no limit".
    let longestWait = search.maxWait.map { $0 / .seconds(1) } ?? 100 * 365 * 86_400
    var rules = Session.Rules(source, pageSize: pageSize, credentials: credentialNames)
    rules.retry = RetryPolicy(attempts: search.retries ?? 3, longestWait: longestWait)
    switch mode {
    case .interactive:
      rules.maxRows = settings.pager.maxRows
      rules.requestsTotal = source.rows.totalRequest != nil
    case .oneShot(_, let maxPages, _, _):
      rules.maxEmptyPages = source.pagination.settings.maxEmptyPages ?? 100
      rules.concurrency = min(source.limits.concurrency, search.concurrency)
      rules.maxPages = maxPages
      rules.retry.attempts = search.retries ?? 5
      rules.awaitsWriting = true
      // A script may send an empty query.
      rules.minLength = 0
    }
    return rules
  }

  /// The rules of the pager of this run.
  ///
  /// - Parameter terminal: The terminal's options, including the user's settings.
  /// - Throws: If key bindings of the user and of the source conflict.
  func pagerRules(
    _ purpose: PagerRules.Purpose, zone: LocalZone, on terminal: TerminalOptions
  ) throws(CommandError) -> PagerRules {
    let own = SourceActions.actions(options: source.options, rowActions: source.actions)
    let keyMap: KeyMap
    do { keyMap = try KeyMap(Actions.all + own, bindings: KeyBindings(settings.keys)) } catch {
      throw CommandError("source \(source.id): \(error)", .configuration)
    }
    var rules = PagerRules(
      title: source.title, purpose: purpose, input: source.input, options: source.options,
      reachableRows: reachableRows, zone: zone, keyMap: keyMap)
    rules.requestsDetail = source.detail.request != nil
    rules.apply(settings, on: terminal)
    return rules
  }

  /// The maximum number of rows a run can load under the service's cap; nil if it has no cap.
  var reachableRows: Int? { source.pagination.pagingCap(pageSize: pageSize, with: credentialNames)?.rows }
}

extension Source {
  /// The credentials available in the environment, determined before any is resolved, so that a cap that
  /// applies only to unauthorized requests can be ignored.
  func credentialNames(in environment: [String: String]) -> Set<CredentialName> {
    func isSet(_ origins: [SecretOrigin]) -> Bool {
      origins.contains { origin in
        if case .environment(let name) = origin { environment[name]?.isEmpty == false } else { false }
      }
    }
    var names = Set(secrets.filter { isSet($0.from) }.map { CredentialName.secret($0.name) })
    if isSet(authorization?.from ?? []) { names.insert(.authorization) }
    return names
  }
}
