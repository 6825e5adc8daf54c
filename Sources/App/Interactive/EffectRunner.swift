import Config
import Glibc
import HTTPValues
import JSON
import Locking
import Output
import Pager
import Search
import Terminal
import Text

/// Performs the pager's effects.
struct EffectRunner: Sendable {
  let reader: RowReader
  let opener: Opener
  let clipboard: Clipboard
  let file: RowFile
  let history: HistoryFile
  let columns: ColumnKeeper
  /// Whether nothing outside the session is to change.
  let isReplay: Bool
  let programs: ProgramRunner

  /// - Parameter progress: Called with what a program has printed so far.
  func outcome(
    of effect: EffectRequest, _ progress: @escaping ProgramRunner.Progress = { _ in }
  ) async -> EffectOutcome {
    if isReplay {
      if case .remember = effect.task { return .done(nil) }
      return .refused(Replay.refusal)
    }
    do throws(RowReader.ReadError) {
      return switch effect.task {
      case .open(let address): await opener.open(address)
      case .copy(let text, let what):
        await clipboard.copy(text, what: what, showsText: !text.contains("\n"))
      case .copyJSON(let rows): await copyJSON(of: rows)
      case .copyRows(let rows, let format): await copy(rows, as: format)
      case .perform(let action, let row): await perform(action, on: try reader.row(row))
      case .run(let request): await programs.outcome(of: request, progress)
      case .pipe(let rows, let command): await pipe(rows, into: command, progress)
      case .write(let rows, let name): file.write(rows, to: name)
      case .keepColumns(let columns): await self.columns.keep(columns)
      case .remember(let query): history.append(query)
      }
    } catch {
      return .failed("\(error)")
    }
  }

  /// Copies one row as an object, several as an array of objects.
  private func copyJSON(of rows: RowSelection) async -> EffectOutcome {
    let count = rows.numbers.count
    let what = count == 1 ? "JSON" : "\(Digits.counted(count, "row")) as JSON"
    var objects: [String] = []
    do {
      try reader.forEachPage(of: rows) { page in
        objects += page.nodes.map {
          String(decoding: page.response.document.compactBytes(of: $0), as: UTF8.self)
        }
      }
    } catch { return .failed("cannot copy \(what): \(error)") }
    let text = count == 1 ? objects.joined() : "[\n\(objects.joined(separator: ",\n"))\n]"
    return await clipboard.copy(text, what: what, showsText: count == 1)
  }

  private func pipe(
    _ rows: RowSelection, into command: String, _ progress: @escaping ProgramRunner.Progress
  ) async -> EffectOutcome {
    let failure = Lock<RowReader.ReadError?>(nil)
    let input: ProgramRunner.RowInput = { [file] put in
      do { try file.writeJSONLines(of: rows, put) } catch let error as RowReader.ReadError {
        failure.withLock { $0 = error }
        throw error
      }
    }
    let outcome = await programs.outcome(of: command, reading: input, rows: rows.numbers.count, progress)
    return failure.withLock(\.self).map { .failed("\(command): \($0)") } ?? outcome
  }

  private func copy(_ rows: RowSelection, as format: CopyFormat) async -> EffectOutcome {
    let what = "\(Digits.counted(rows.numbers.count, "row")) as \(format.rawValue)"
    do {
      let text = String(decoding: try file.text(of: rows, as: format), as: UTF8.self)
      return await clipboard.copy(text, what: what, showsText: false)
    } catch {
      return .failed("cannot copy \(what): \(error)")
    }
  }

  private func perform(_ action: RowAction, on rows: DocumentRows) async -> EffectOutcome {
    func text(_ value: ValueExpression) -> String? {
      rows.nodes.first.flatMap { rows.response.text(of: value, at: $0) }
    }
    switch action.effect {
    case .open(let value):
      if let address = text(value) { return await opener.open(address) }
    case .copy(let value):
      if let text = text(value) { return await clipboard.copy(Sanitized(text).string, what: action.name) }
    // Requested as `.run`.
    case .run: break
    }
    return .failed("\(action.name): no such value in this row")
  }
}

/// Opens an address with the user's program.
struct Opener: Sendable {
  /// The program and its arguments; `{url}` is replaced with the address.
  let command: [String]

  func open(_ address: String) async -> EffectOutcome {
    // A program could interpret anything else as an option.
    guard let url = WebURL.link(address) else {
      return .failed("cannot open \(address): not an http or https URL")
    }
    let words = command.map { $0.replacing("{url}", with: url) }
    let program = words.first ?? ""
    do {
      try await ChildProgram.start(words)
      return .done("opened \(url)")
    } catch ChildProgram.RunError.notInstalled {
      return .failed("cannot run \(program): not installed")
    } catch ChildProgram.RunError.notStarted(let reason) {
      return .failed("cannot run \(program): \(reason)")
    } catch ChildProgram.RunError.ended(let status) {
      return .failed("\(program) failed with status \(status)")
    } catch {
      return .failed("\(program) failed: \(error)")
    }
  }
}

/// Copies text to the user's clipboard: through a terminal known to support it, else with a clipboard
/// program, else through the terminal anyway.
struct Clipboard: Sendable {
  let terminal: TerminalClipboard
  let environment: [String: String]

  /// Programs that read the text from stdin, and the environment variable that is set where each works.
  private static let copyPrograms: [(words: [String], variable: String)] = [
    (["tmux", "load-buffer", "-w", "-"], "TMUX"),
    (["wl-copy"], "WAYLAND_DISPLAY"),
    (["xclip", "-selection", "clipboard"], "DISPLAY"),
    (["xsel", "--clipboard", "--input"], "DISPLAY"),
    (["clip.exe"], "WSL_DISTRO_NAME"),
  ]

  /// The command lines that would be tried.
  static func programs(environment: [String: String]) -> [[String]] {
    copyPrograms.filter { environment[$0.variable]?.isEmpty == false }.map(\.words)
  }

  /// - Parameters:
  ///   - what: A description of the text, for the message.
  ///   - showsText: Whether the message contains the text.
  func copy(_ text: String, what: String, showsText: Bool = true) async -> EffectOutcome {
    let copied = EffectOutcome.done("copied \(what)\(showsText ? ": \(text.prefix(200))" : "")")
    if terminal.isBelieved, await terminal.copy(text) { return copied }
    for words in Self.programs(environment: environment)
    where (try? await ChildProgram.feed(Array(text.utf8), to: words)) != nil { return copied }
    if await terminal.copy(text) {
      return .done("sent \(what) to the terminal's clipboard (OSC 52, not confirmed)")
    }
    let (size, limit) = (text.utf8.count, Frame.Copy.limit)
    if size > limit {
      let sizes =
        "\(Digits.grouped(size)) bytes, more than the \(Digits.grouped(limit)) that a terminal accepts"
      return .failed(
        "cannot copy \(what): \(sizes). Write the rows to a file, or install wl-copy, xclip or xsel")
    }
    return .failed("cannot copy \(what): the terminal refused it. Install wl-copy, xclip or xsel")
  }
}

/// Copies text through the terminal (OSC 52), with the next frame. It passes the text from the effect to the
/// screen's thread, and reports back whether it was sent.
final class TerminalClipboard: Sendable {
  private struct State {
    var waiting: [(copy: Frame.Copy, isSent: CheckedContinuation<Bool, Never>)] = []
    var lastID = 0
    var isBelieved = false
  }

  private let state = Lock(State())
  private let wakeScreen: @Sendable () -> Void

  /// - Parameter wakeScreen: Schedules a redraw.
  init(wakeScreen: @escaping @Sendable () -> Void) { self.wakeScreen = wakeScreen }

  /// Whether the terminal is known to pass copied text to the clipboard.
  var isBelieved: Bool { state.withLock { $0.isBelieved } }

  /// The text to send with the next frame.
  var current: Frame.Copy? { state.withLock { $0.waiting.first?.copy } }

  /// - Returns: Whether the text was sent; false if it is too long.
  func copy(_ text: String) async -> Bool {
    await withCheckedContinuation { isSent in
      let isWaiting = state.withLock { state in
        state.lastID += 1
        guard let copy = Frame.Copy(id: state.lastID, text: text) else { return false }
        state.waiting.append((copy, isSent))
        return true
      }
      if isWaiting { wakeScreen() } else { isSent.resume(returning: false) }
    }
  }

  func learn(_ traits: TerminalTraits) { state.withLock { $0.isBelieved = traits.takesCopies } }

  func recordSent(_ id: Frame.Copy.ID, _ isSent: Bool) {
    let waiting = state.withLock { state in
      let index = state.waiting.firstIndex { $0.copy.id == id }
      return index.map { state.waiting.remove(at: $0) }
    }
    waiting?.isSent.resume(returning: isSent)
  }

  func close() {
    for copy in state.withLock({ $0.waiting.map(\.copy) }) { recordSent(copy.id, false) }
  }
}

/// Writes the listed rows to a new file. The file extension selects the format; the default is tsv.
struct RowFile: Sendable {
  let source: Source
  let reader: RowReader
  let home: String?
  let zone: LocalZone
  let settings: Settings.Output

  func write(_ selection: RowSelection, to name: String) -> EffectOutcome {
    var file: CreatedFile?
    defer { file?.descriptor.close() }
    do {
      let format = try OutputFormats.format(forFile: name) ?? .standard(isTerminal: false)
      let created = try CreatedFile(name, home: home)
      file = created
      try write(selection, as: format, to: created.descriptor)
      return .done("wrote \(Digits.counted(selection.numbers.count, "row")) to \(name) as \(format.name)")
    } catch let error as CreatedFile.WriteError {
      return .failed("\(error)")
    } catch {
      file?.remove()
      return .failed("cannot write \(name): \(error)")
    }
  }

  private func write(_ selection: RowSelection, as format: OutputFormat, to file: Descriptor) throws {
    var writer = writer(of: selection, as: format)
    try writer.write(selection, from: reader) { try file.write($0) }
  }

  /// The document of the rows for the clipboard. Its text cannot control a terminal that it is pasted into.
  func text(of selection: RowSelection, as format: CopyFormat) throws -> [UInt8] {
    var writer = writer(of: selection, as: OutputFormats.named(format.rawValue) ?? .tsv, isSafe: true)
    var bytes: [UInt8] = []
    try writer.write(selection, from: reader) { bytes += $0 }
    return bytes
  }

  /// The rows as the service sent them, one in a line.
  ///
  /// - Parameter put: Takes a part of the text, and the number of rows so far.
  func writeJSONLines(of selection: RowSelection, _ put: ([UInt8], _ rows: Int) throws -> Void) throws {
    var writer = writer(of: selection, as: OutputFormats.named(CopyFormat.jsonl.rawValue) ?? .tsv)
    var count = 0
    try reader.forEachPage(of: selection) { rows in
      var bytes: [UInt8] = []
      try writer.append(rows, into: &bytes)
      count += rows.nodes.count
      try put(bytes, count)
    }
    var bytes: [UInt8] = []
    try writer.end(into: &bytes)
    try put(bytes, count)
  }

  private func writer(
    of selection: RowSelection, as format: OutputFormat, isSafe: Bool = false
  ) -> OutputWriter {
    // The columns as displayed, not as declared by the source.
    var source = source
    source.columns = selection.columns
    var options = OutputOptions()
    options.zone = zone
    options.isTerminal = isSafe
    var columns = ColumnSelection(columnsOf: source)
    if !isSafe {
      options.isCSVSafe = settings.isCSVSafe
      options.hasByteOrderMark = settings.hasByteOrderMark && format.options.contains(.csvByteOrderMark)
      columns.addsLink = settings.addsLink != false && format.options.contains(.link)
    }
    return OutputWriter(format, selection: columns, outputOptions: options)
  }
}

extension OutputWriter {
  /// Writes a complete document of the chosen rows, page by page.
  mutating func write(
    _ selection: RowSelection, from reader: RowReader, _ put: ([UInt8]) throws -> Void
  ) throws {
    try reader.forEachPage(of: selection) { rows in
      var bytes: [UInt8] = []
      try append(rows, into: &bytes)
      try put(bytes)
    }
    var bytes: [UInt8] = []
    try end(into: &bytes)
    try put(bytes)
  }
}

/// The queries of previous sessions, one JSON object per line: `{"source": "github", "query": "swift tui"}`.
struct HistoryFile: Sendable {
  /// Nil disables the history.
  let path: String?
  let source: String
  /// The number of queries kept, across all sources.
  let size: Int

  /// `$XDG_STATE_HOME/riffle/history.jsonl`, else the same below `~/.local/state`.
  static func path(environment: [String: String]) -> String? {
    StateFolder.path(environment: environment).map { "\($0)/history.jsonl" }
  }

  /// The queries of this source, the latest last. When the file has grown to twice its size, the older half
  /// is deleted. Write errors are ignored.
  func queries() -> [String] {
    guard let path, let file = try? FileAccess.system(limit: 16 << 20).read(path) else { return [] }
    var lines = String(decoding: file.bytes, as: UTF8.self).split(separator: "\n")
    if lines.count >= 2 * size {
      lines = lines.suffix(size)
      let text = lines.map { "\($0)\n" }.joined()
      try? PrivateFile.replace(path, with: Array(text.utf8)).close()
    }
    return lines.compactMap { line in
      let entry = try? JSONDocument(Array(line.utf8)).root
      return entry?["source"]?.string == source ? entry?["query"]?.string : nil
    }
  }

  func append(_ query: String) -> EffectOutcome {
    guard let path else { return .done(nil) }
    // Creates the file and its folder if they are missing.
    try? FileAccess.system().create(path, [])
    guard let file = try? Descriptor(opening: path, O_WRONLY | O_APPEND) else { return .done(nil) }
    defer { file.close() }
    let line = "{\"source\": \(JSONText.quoted(source)), \"query\": \(JSONText.quoted(query))}\n"
    // A single write, because two sessions may append at the same time.
    try? file.write(Array(line.utf8))
    return .done(nil)
  }
}
