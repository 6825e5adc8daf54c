import ArgumentParser
import Config
import Search
import Text

extension ColorChoice: ExpressibleByArgument {}

extension ColorChoice {
  /// Whether human-readable text is colored. `NO_COLOR` (no-color.org) and `CLICOLOR_FORCE`
  /// (bixense.com/clicolors) apply when the option is `auto`.
  func isColored(environment: [String: String], isTerminal: Bool) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto where environment["NO_COLOR"]?.isEmpty == false: false
    case .auto where environment["CLICOLOR_FORCE"].map({ $0 != "0" && !$0.isEmpty }) == true: true
    case .auto: isTerminal && environment["TERM"] != "dumb"
    }
  }
}

extension RequestOptions {
  /// The options that correspond to settings, as the topmost settings layer.
  var settingValues: [String: SettingValue] {
    var values: [String: SettingValue] = [:]
    values["search.page_size"] = pageSize.map(SettingValue.integer)
    values["search.concurrency"] = concurrency.map(SettingValue.integer)
    values["search.retries"] = retries.map(SettingValue.integer)
    values["search.max_wait"] = maxWait.map(SettingValue.text)
    values["search.timeout"] = timeout.map(SettingValue.text)
    values["output.color"] = color.map { .text($0.rawValue) }
    return values
  }

  /// The query for a source, including its chosen options.
  func query(for source: Source) throws(CommandError) -> Query {
    var options: [String: String] = [:]
    for pair in set {
      guard source.options.contains(where: { $0.name == pair.name }) else {
        throw CommandError(unknownOption(pair.name, of: source), .usage)
      }
      options[pair.name] = pair.value
    }
    do throws(OptionError) { _ = try source.optionValues(options) } catch {
      throw CommandError("\(error)", .usage)
    }
    let text = words.joined(separator: " ")
    if !source.usesQuery, text.contains(where: { $0 != " " }) {
      throw CommandError(
        "source \(source.id) takes no query: its request has no {query}. Omit the query; filter rows with --filter, "
          + "or with & in the pager", .usage)
    }
    if let limit = source.input.maxLength, text.count > limit {
      throw CommandError(
        "the query is too long: source \(source.id) accepts at most \(limit) characters", .usage)
    }
    return Query(text, options: options)
  }

  private func unknownOption(_ name: String, of source: Source) -> String {
    let names = source.options.map(\.name)
    let nearest = NearestName.nearest(to: name, among: names)
    let advice =
      if !nearest.isEmpty {
        "Did you mean \(nearest.map { "\"\($0)\"" }.joined(separator: " or "))?"
      } else if names.isEmpty {
        "It has no options"
      } else {
        "Its options are: \(names.joined(separator: ", "))"
      }
    return "unknown option \"\(name)\" of source \(source.id). \(advice)"
  }
}
