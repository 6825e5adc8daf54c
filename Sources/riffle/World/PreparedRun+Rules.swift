import Config
import Pager
import Search

extension PreparedRun {
  /// What decides a session of this run.
  func sessionRules() -> Session.Rules {
    let pagination = source.pagination
    let search = settings.search
    // A century stands for "as long as it takes".
    let longestWait = search.maxWait.map { $0 / .seconds(1) } ?? 100 * 365 * 86_400
    var rules = Session.Rules(
      first: pagination.style.first, stride: pagination.style.stride,
      lastOrdinal: pagination.lastOrdinal(pageSize: pageSize),
      minInterval: source.limits.minInterval / .seconds(1),
      retry: RetryPolicy(attempts: search.retries ?? 3, longestWait: longestWait),
      minLength: source.input.minLength)
    switch mode {
    case .interactive:
      rules.maxEmptyPages = pagination.settings.maxEmptyPages ?? 3
      rules.maxRows = settings.pager.maxRows
    case .oneShot(_, let maxPages):
      rules.maxEmptyPages = pagination.settings.maxEmptyPages ?? 100
      rules.concurrency = min(source.limits.concurrency, search.concurrency)
      rules.maxPages = maxPages
      rules.retry.attempts = search.retries ?? 5
      rules.awaitsWriting = true
      // A script that asks for nothing still asks.
      rules.minLength = 0
    }
    return rules
  }

  func pagerRules(utcOffset: Int) -> PagerRules {
    PagerRules(
      title: source.title, input: source.input,
      reachableRows: source.pagination.reachableRows(pageSize: pageSize), prefetch: settings.pager.prefetch,
      utcOffset: utcOffset)
  }

  private var pageSize: Int { PageSizeChoice(source, mode, asked: settings.search.pageSize).size ?? 30 }
}
