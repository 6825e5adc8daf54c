import Config
import Pager
import Search
import Terminal
import Text

extension PreparedRun {
  /// What decides a session of this run.
  func sessionRules() -> Session.Rules {
    let search = settings.search
    // A century stands for "as long as it takes".
    let longestWait = search.maxWait.map { $0 / .seconds(1) } ?? 100 * 365 * 86_400
    var rules = Session.Rules(source, pageSize: pageSize, credentials: credentialNames)
    rules.retry = RetryPolicy(attempts: search.retries ?? 3, longestWait: longestWait)
    switch mode {
    case .interactive:
      rules.maxRows = settings.pager.maxRows
      rules.asksForTotal = source.rows.totalRequest != nil
    case .oneShot(_, let maxPages, _, _):
      rules.maxEmptyPages = source.pagination.settings.maxEmptyPages ?? 100
      rules.concurrency = min(source.limits.concurrency, search.concurrency)
      rules.maxPages = maxPages
      rules.retry.attempts = search.retries ?? 5
      rules.awaitsWriting = true
      // A script that asks for nothing still asks.
      rules.minLength = 0
    }
    return rules
  }

  /// What decides the pager of this run.
  ///
  /// - Parameter terminal: with the user's settings.
  /// - Throws: when the keys of the user and those of the source do not go together.
  func pagerRules(
    _ purpose: PagerRules.Purpose, zone: LocalZone, on terminal: TerminalOptions
  ) throws(Complaint) -> PagerRules {
    let own = SourceActions.actions(options: source.options, rowActions: source.actions)
    let keyMap: KeyMap
    do { keyMap = try KeyMap(Actions.all + own, bindings: KeyBindings(settings.keys)) } catch {
      throw Complaint("source \(source.id): \(error)", .configuration)
    }
    var rules = PagerRules(
      title: source.title, purpose: purpose, input: source.input, options: source.options,
      reachableRows: reachableRows, zone: zone, keyMap: keyMap)
    rules.asksForDetail = source.detail.request != nil
    rules.apply(settings, on: terminal)
    return rules
  }

  /// How many rows the service's cap lets a run have; nil without one.
  var reachableRows: Int? { source.pagination.reach(pageSize: pageSize, with: credentialNames)?.rows }
}

extension Source {
  /// The credentials the environment holds: known before any is resolved, so that a cap that counts only
  /// without them can be left out.
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
