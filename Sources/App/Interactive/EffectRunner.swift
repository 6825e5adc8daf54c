import Config
import Glibc
import HTTPValues
import JSON
import Output
import Pager
import Search
import Text

/// Performs the pager's effects.
struct EffectRunner: Sendable {
  let reader: RowReader
  let opener: Opener
  let clipboard: Clipboard
  let file: RowFile
  let history: HistoryFile
  let recording: SessionRecording

  func outcome(of effect: EffectRequest) async -> EffectOutcome {
    switch effect.task {
    case .open(let address): await opener.open(address)
    case .copy(let text, let what): await clipboard.copy(text, what: what)
    case .copyJSON(let row): await copyJSON(of: row)
    case .perform(let action, let row): await perform(action, on: row)
    case .write(let rows, let name): file.write(rows, to: name)
    case .saveRecording(let name): recording.save(to: name)
    case .remember(let query): history.append(query)
    }
  }

  private func copyJSON(of reference: RowReference) async -> EffectOutcome {
    do {
      let rows = try reader.row(reference)
      guard let node = rows.nodes.first else { return .done(nil) }
      let text = String(decoding: rows.reply.document.compactBytes(of: node), as: UTF8.self)
      return await clipboard.copy(text, what: "JSON")
    } catch {
      return .failed("\(error)")
    }
  }

  private func perform(_ action: RowAction, on reference: RowReference) async -> EffectOutcome {
    do {
      let rows = try reader.row(reference)
      switch action.effect {
      case .open(let value):
        guard let address = text(of: value, in: rows) else { return missing(action) }
        return await opener.open(address)
      case .copy(let value):
        guard let text = text(of: value, in: rows) else { return missing(action) }
        return await clipboard.copy(Sanitized(text).string, what: action.name)
      }
    } catch {
      return .failed("\(error)")
    }
  }

  private func text(of value: ValueExpression, in rows: DocumentRows) -> String? {
    rows.nodes.first.flatMap { rows.reply.text(of: value, at: $0) }
  }

  private func missing(_ action: RowAction) -> EffectOutcome {
    .failed("\(action.name): no such value in this row")
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
    } catch ChildProgram.Failure.notInstalled {
      return .failed("cannot run \(program): not installed")
    } catch ChildProgram.Failure.notStarted(let reason) {
      return .failed("cannot run \(program): \(reason)")
    } catch ChildProgram.Failure.ended(let status) {
      return .failed("\(program) failed with status \(status)")
    } catch {
      return .failed("\(program) failed: \(error)")
    }
  }
}

/// Writes the listed rows to a new file. The file extension selects the format; the default is tsv.
struct RowFile: Sendable {
  let source: Source
  let reader: RowReader
  let home: String?
  let zone: LocalZone

  func write(_ selection: RowSelection, to name: String) -> EffectOutcome {
    let formatName: String
    do { formatName = try OutputFormats.name(forFile: name) ?? "tsv" } catch {
      return .failed("cannot write \(name): \(error)")
    }
    guard let format = OutputFormats.named(formatName) else {
      return .failed("unknown format \(formatName)")
    }
    let path = PrivateFile.path(name, home: home)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      let isThere = errno == EEXIST
      return .failed(
        isThere
          ? "\(name) already exists. Choose another name"
          : "cannot write \(name): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    do {
      try write(selection, as: format, to: Descriptor(descriptor))
      return .done("wrote \(Digits.counted(selection.numbers.count, "row")) to \(name) as \(formatName)")
    } catch {
      unlink(path)
      return .failed("cannot write \(name): \(error)")
    }
  }

  private func write(
    _ selection: RowSelection, as format: any OutputFormat.Type, to file: Descriptor
  ) throws {
    // The columns as displayed, not as declared by the source.
    var source = source
    source.columns = selection.columns
    var writer = OutputWriter(
      format, selection: ColumnSelection(columnsOf: source), outputOptions: OutputOptions(zone: zone))
    try writer.write(selection, from: reader) { bytes in
      if let code = file.write(bytes) { throw FileFull(reason: String(cString: strerror(code))) }
    }
  }

  private struct FileFull: Error, CustomStringConvertible {
    let reason: String
    var description: String { reason }
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
    end(into: &bytes)
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
    if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") {
      return "\(folder)/riffle/history.jsonl"
    }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return "\(home)/.local/state/riffle/history.jsonl"
  }

  /// The queries of this source, the latest last. When the file has grown to twice its size, the older half
  /// is deleted. Write errors are ignored.
  func queries() -> [String] {
    var lines = lines()
    if let path, lines.count >= 2 * size {
      lines = lines.suffix(size)
      if case .success(let file) = PrivateFile.replace(
        path, with: Array(lines.map { "\($0)\n" }.joined().utf8))
      {
        close(file.number)
      }
    }
    return lines.compactMap { line in
      guard let document = try? JSONDocument(Array(line.utf8)), document.root["source"]?.string == source
      else {
        return nil
      }
      return document.root["query"]?.string
    }
  }

  /// Appends a query without reading the others.
  func append(_ query: String) -> EffectOutcome {
    guard let path else { return .done(nil) }
    add("{\"source\": \(JSONText.quoted(source)), \"query\": \(JSONText.quoted(query))}", to: path)
    return .done(nil)
  }

  private func lines() -> [Substring] {
    guard let path, let file = try? FileAccess.system(limit: Self.mostBytes).read(path) else { return [] }
    return String(decoding: file.bytes, as: UTF8.self).split(separator: "\n")
  }

  private static let mostBytes = 16 << 20

  /// Appends the line with a single write, because two sessions may append at the same time.
  private func add(_ line: String, to path: String) {
    // Creates the file and its folder if they are missing.
    try? FileAccess.system().create(path, [])
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = Descriptor(descriptor).write(Array("\(line)\n".utf8))
    close(descriptor)
  }
}
