import ArgumentParser
import Config
import Glibc
import JSON
import Output
import Search
import Text

/// A shard of a plan as one line of text: the run that loads it. It contains no credential.
struct ShardLine: Sendable, Hashable, JSONChecked {
  /// The version of the format.
  static let currentVersion = 1

  var version = Self.currentVersion
  let source: String
  let query: String
  let shard: String
  /// The other options of `riffle search`.
  let arguments: [String]
}

extension ShardLine {
  /// - Parameter rows: With a shard.
  init(_ request: RequestOptions, _ rows: RowOptions, _ form: FormatOptions, _ report: ReportOptions) {
    source = request.source ?? ""
    query = request.words.joined(separator: " ")
    shard = rows.shard.map { "\($0)" } ?? ""
    var words = OptionWords()
    for pair in request.set { words.add("--set", "\(pair.name)=\(pair.value)") }
    for pair in request.param { words.add("--param", "\(pair.name)=\(pair.value)") }
    for header in request.requestHeader { words.add("--request-header", header) }
    words.add("--page-size", request.pageSize.map(String.init))
    words.add("--concurrency", request.concurrency.map(String.init))
    words.add("--max-wait", request.maxWait)
    words.add("--timeout", request.timeout)
    words.add("--retries", request.retries.map(String.init))
    words.add("--filter", rows.filter)
    words.add("--each", if: rows.each)
    words.add("--split", if: rows.split)
    words.add("--on-parent-error", rows.onParentError?.rawValue)
    words.add("--rate-share", rows.rateShare.map { "\($0)" })
    words.add("--columns", form.columns)
    words.add("--template", form.template)
    if let header = form.header { words.add(header ? "--header" : "--no-header", if: true) }
    words.add("--csv-safe", if: form.csvSafe)
    words.add("--csv-bom", if: form.csvBom)
    words.add("--link", if: form.link)
    words.add("--null", if: form.null)
    words.add("--fail-incomplete", if: report.failIncomplete)
    words.add("--verbose", if: report.verbose)
    words.add("--progress", report.progress?.rawValue)
    words.add("--all", if: true)
    words.add("--format", form.template == nil ? form.format?.name ?? "jsonl" : form.format?.name)
    arguments = words.words
  }

  /// The line as JSON, without a line break.
  var json: String { JSONCoding.text(of: self) }

  /// The line as a command for a shell.
  ///
  /// - Parameter local: Options for this machine only.
  func command(local: [String]) throws(CommandError) -> String {
    var words = ["riffle", "search", source]
    let needsQuery = !query.isEmpty
    if needsQuery, !query.hasPrefix("-") { words.append(query) }
    words += local + ["--shard", shard] + arguments
    if needsQuery, query.hasPrefix("-") { words += ["--", query] }
    if let broken = words.first(where: { $0.contains(where: \.isNewline) }) {
      throw CommandError(
        "\(JSONText.quoted(broken)) has a line break, which the line of a command cannot contain. Use --json",
        .usage)
    }
    return words.map(Self.shellWord).joined(separator: " ")
  }

  private static func shellWord(_ word: String) -> String {
    let isPlain = word.wholeMatch(of: /[A-Za-z0-9_.\/+@%:,-]+/) != nil
    return isPlain ? word : "\(ShellWord(word))"
  }

  /// Options as words of a command line.
  private struct OptionWords {
    var words: [String] = []

    /// - Parameter value: Nil if the option is not given.
    mutating func add(_ name: String, _ value: String?) {
      guard let value else { return }
      words += value.hasPrefix("-") ? ["\(name)=\(value)"] : [name, value]
    }

    mutating func add(_ name: String, if isGiven: Bool) { if isGiven { words.append(name) } }
  }
}

// MARK: - Reading

extension ShardLine {
  /// The options of a line.
  private struct Arguments: ParsableArguments {
    @OptionGroup var request: RequestOptions
    @OptionGroup var rows: RowOptions
    @OptionGroup var form: FormatOptions
    @OptionGroup var report: ReportOptions

    mutating func validate() throws { try rows.checkTogether() }
  }

  /// Parses the lines of a plan. Empty lines do not count.
  static func lines(of text: String) throws(CommandError) -> [ShardLine] {
    var lines: [ShardLine] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.allSatisfy(\.isWhitespace) { continue }
      do throws(JSONCodingError) { lines.append(try ShardLine(parsing: line)) } catch {
        throw CommandError("stdin, line \(index + 1): \(error). Use lines of riffle plan --json", .usage)
      }
    }
    return lines
  }

  private init(parsing line: Substring) throws(JSONCodingError) {
    guard let root = try? JSONDocument(Array(line.utf8)).root, let version = root["version"] else {
      throw JSONCodingError("this is not a shard")
    }
    guard version.numberText == "\(Self.currentVersion)" else {
      throw JSONCodingError("this riffle does not support version \(version.numberText ?? "?") of shards")
    }
    self = try root.decoded()
  }

  func check() throws(JSONCodingError) {
    if Shard(shard) == nil {
      throw JSONCodingError("expected \(Shard.notation), found \(JSONText.quoted(shard))")
    }
  }

  /// The options of `riffle search` that load the shard.
  ///
  /// - Throws: If the line has options that a plan does not print, such as the name of a file.
  func options() throws(CommandError) -> (RequestOptions, RowOptions, FormatOptions, ReportOptions) {
    let parsed: Arguments
    do { parsed = try Arguments.parse(arguments) } catch {
      throw CommandError("a shard on stdin is invalid: \(Arguments.message(for: error))", .usage)
    }
    var (request, rows) = (parsed.request, parsed.rows)
    let (form, report) = (parsed.form, parsed.report)
    let foreign = [
      ("a source", request.source != nil), ("--output", form.outputName != nil),
      ("--stats", report.stats != nil), ("--record", request.record != nil),
      ("--config", request.config != nil), ("--trust", request.trust), ("--insecure", request.insecure),
      ("--watch", request.watch != nil), ("--resume", rows.resume), ("--count", report.count),
      ("--dry-run", report.dryRun), ("--limit", rows.limit != nil), ("--max-pages", rows.maxPages != nil),
      ("--from-page", rows.fromPage != nil), ("--sort", rows.isSorted), ("--shard", rows.shard != nil),
      ("--shard-from-stdin", rows.shardFromStdin),
    ]
    if let (name, _) = foreign.first(where: \.1) {
      throw CommandError(
        "a shard on stdin is invalid: its arguments contain \(name). Use lines of riffle plan --json", .usage)
    }
    request.source = source
    request.words = query.isEmpty ? [] : [query]
    rows.shard = Shard(shard)
    do { try rows.validate() } catch {
      throw CommandError("a shard on stdin is invalid: \(error)", .usage)
    }
    return (request, rows, form, report)
  }

  /// Everything but the shard.
  fileprivate var search: ShardLine {
    ShardLine(version: version, source: source, query: query, shard: "", arguments: arguments)
  }
}

/// `riffle search --shard-from-stdin`: writes the shards on stdin, one after another.
package enum ShardInput {
  /// The largest input, in bytes.
  private static let maxSize = 64 << 20

  package static func run(
    _ request: RequestOptions, _ rows: RowOptions, _ form: FormatOptions, _ report: ReportOptions,
    _ dependencies: Dependencies, _ message: Message
  ) throws(CommandError) -> RunEnd {
    try check(request, rows, report)
    let lines = try ShardLine.lines(of: input(dependencies))
    if lines.isEmpty { return .status(.done) }
    try check(lines, request)
    var runs: [(RequestOptions, RowOptions, FormatOptions, ReportOptions)] = []
    for line in lines {
      var (own, ownRows, ownForm, ownReport) = try line.options()
      own.take(request)
      ownRows.resume = rows.resume
      ownForm.take(form)
      ownReport.take(report)
      runs.append((own, ownRows, ownForm, ownReport))
    }
    if lines.count > 1 {
      let single = [
        ("--output", form.outputName != nil), ("--stats", report.stats != nil),
        ("--record", request.record != nil),
      ]
      if let (name, _) = single.first(where: \.1) {
        throw CommandError(
          "\(name) cannot be used with \(lines.count) shards on stdin. Pass one shard to each riffle search",
          .usage)
      }
      let format = runs[0].2.namedFormat
      if let format, !format.isResumable {
        throw CommandError(
          "format \(format.name) cannot hold \(lines.count) shards. Use --format \(OutputFormats.resumable)",
          .usage)
      }
    }
    for (index, (request, rows, form, report)) in runs.enumerated() {
      var form = form
      // The rows are one document.
      if index > 0, let format = form.namedFormat, format.options.contains(.header) { form.header = false }
      let end = try OneShot.run(request, rows, form, report, dependencies, message)
      guard end == .status(.done) else {
        let left = runs.count - index - 1
        if left > 0 {
          message.failure(
            "\(left) of the \(runs.count) shards on stdin \(left == 1 ? "was" : "were") not started")
        }
        return end
      }
    }
    return .status(.done)
  }

  /// - Throws: If the command line has options that a shard has itself.
  private static func check(
    _ request: RequestOptions, _ rows: RowOptions, _ report: ReportOptions
  ) throws(CommandError) {
    let options = [
      ("--set", !request.set.isEmpty), ("--param", !request.param.isEmpty),
      ("--request-header", !request.requestHeader.isEmpty), ("--page-size", request.pageSize != nil),
      ("--watch", request.watch != nil), ("--limit", rows.limit != nil),
      ("--max-pages", rows.maxPages != nil), ("--from-page", rows.fromPage != nil),
      ("--sort", rows.isSorted), ("--filter", rows.filter != nil), ("--each", rows.each),
      ("--split", rows.split),
      ("--rate-share", rows.rateShare != nil), ("--count", report.count),
    ]
    if let (name, _) = options.first(where: \.1) {
      throw CommandError(
        "--shard-from-stdin and \(name) cannot be used together: the shards set it. Add \(name) to riffle plan",
        .usage)
    }
  }

  /// - Throws: If the shards are not of the search on the command line, or of different ones.
  private static func check(_ lines: [ShardLine], _ request: RequestOptions) throws(CommandError) {
    let query = request.words.joined(separator: " ")
    for (index, line) in lines.enumerated() {
      let place = "shard \(index + 1) on stdin"
      if let source = request.source, source != line.source || query != line.query {
        throw CommandError(
          "\(place) belongs to the search \(line.name), not \(source) \(query). Omit source and query, or use its plan",
          .usage)
      }
      if line.search != lines[0].search {
        throw CommandError(
          "\(place) belongs to a different search than the first one. Use the lines of one plan", .usage)
      }
    }
  }

  private static func input(_ dependencies: Dependencies) throws(CommandError) -> String {
    if dependencies.input.isTerminal {
      throw CommandError("--shard-from-stdin needs lines of riffle plan --json on stdin", .usage)
    }
    var bytes: [UInt8] = []
    while bytes.count <= maxSize {
      let (chunk, isOpen) = dependencies.input.available(upTo: 65_536)
      bytes += chunk
      if !isOpen { return String(decoding: bytes, as: UTF8.self) }
    }
    throw CommandError("the shards on stdin are larger than 64 MiB. Pass fewer lines", .usage)
  }
}

extension ShardLine {
  fileprivate var name: String { query.isEmpty ? source : "\(source) \(query)" }
}

extension RequestOptions {
  /// The options of a shard with those of the command line, which are about this machine.
  fileprivate mutating func take(_ own: RequestOptions) {
    settings = own.settings
    (record, trust, insecure) = (own.record, own.trust, own.insecure)
    (color, quiet) = (own.color, own.quiet)
    concurrency = own.concurrency ?? concurrency
    maxWait = own.maxWait ?? maxWait
    timeout = own.timeout ?? timeout
    retries = own.retries ?? retries
  }
}

extension FormatOptions {
  /// The options of a shard with those of the command line in their place.
  fileprivate mutating func take(_ own: FormatOptions) {
    outputName = own.outputName
    if own.namedFormat != nil { (format, template) = (own.format, own.template) }
    if own.columns != nil || own.template != nil { columns = own.columns }
    header = own.header ?? header
    csvSafe = csvSafe || own.csvSafe
    csvBom = csvBom || own.csvBom
    link = link || own.link
    null = null || own.null
  }
}

extension ReportOptions {
  fileprivate mutating func take(_ own: ReportOptions) {
    stats = own.stats
    dryRun = own.dryRun
    failEmpty = own.failEmpty
    failIncomplete = failIncomplete || own.failIncomplete
    verbose = verbose || own.verbose
    progress = own.progress ?? progress
  }
}
