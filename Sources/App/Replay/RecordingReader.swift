import FeedbackLoop
import Glibc
import JSON
import Pager
import Search
import Terminal
import Text

/// Reads a recording from an untrusted file, line by line: sizes are limited, and errors name the line.
struct RecordingReader: ~Copyable {
  let header: RecordingHeader
  private var lines: LineReader
  private var last: UInt64?

  /// - Throws: If the file is not a recording.
  init(_ path: String) throws(RecordingFault) {
    var lines = try LineReader(path)
    guard let line = try lines.next() else { throw lines.fault("the file is empty") }
    guard line.isWhole else { throw lines.fault("not a recording, or truncated") }
    guard line.bytes.starts(with: RecordingHeader.start.utf8) else {
      throw lines.fault("not a recording made by riffle")
    }
    let json = try lines.json(of: line)
    let (format, version) = (json["riffle_recording"]?.text ?? "?", json["riffle"]?.text ?? "?")
    guard format == "\(RecordingHeader.format)" else {
      throw lines.fault(
        "recorded by riffle \(version) in format \(format), but riffle \(Version.number) reads format "
          + "\(RecordingHeader.format). Replay it with riffle \(version), or record the session again")
    }
    header = try lines.value(of: line)
    self.lines = lines
  }

  /// The next event; nil at the end.
  ///
  /// - Throws: For an invalid line; `isCut` is set if it is the last one, in which case the events before it
  ///   can be replayed.
  mutating func next<Event>(_: Event.Type) throws(RecordingFault) -> EventLog<Event>.Entry?
  where Event: JSONChecked & Sendable {
    guard let line = try lines.next() else { return nil }
    let entry: EventLog<Event>.Entry = try lines.value(of: line)
    let expected = (last ?? UInt64(header.lostEvents)) + 1
    guard entry.sequence == expected else {
      throw lines.fault("expected event \(expected), found event \(entry.sequence)")
    }
    last = entry.sequence
    return entry
  }
}

/// Why a recording cannot be read, or only up to some line.
struct RecordingFault: Error, Sendable, Hashable, CustomStringConvertible {
  let description: String
  /// Whether the recording ends within a line; everything before it is valid.
  let isCut: Bool

  init(_ path: String, line: Int? = nil, isCut: Bool = false, _ problem: String) {
    self.isCut = isCut
    description = "\(path)\(line.map { ", line \($0)" } ?? ""): \(problem)"
  }
}

/// Reads the lines of a file one at a time.
private struct LineReader: ~Copyable {
  struct Line {
    let bytes: [UInt8]
    /// Whether the line ends with a line feed.
    let isWhole: Bool
  }

  private static let mostLine = 64 << 20
  /// The recording takes several times its file size in memory.
  private static let mostFile = 1 << 30

  private let path: String
  private let file: Descriptor
  private var chunk: [UInt8] = []
  private var place = 0
  private var number = 0
  private var bytesRead = 0

  init(_ path: String) throws(RecordingFault) {
    self.path = path
    file = try Self.opened(path)
  }

  private static func opened(_ path: String) throws(RecordingFault) -> Descriptor {
    let file: Descriptor
    // Without O_NONBLOCK, opening a named pipe would wait for a writer.
    do throws(Errno) { file = try Descriptor(opening: path, O_RDONLY | O_NONBLOCK) } catch {
      throw RecordingFault(path, "\(error)")
    }
    if let size = file.regularSize, size <= mostFile { return file }
    defer { file.close() }
    throw file.regularSize == nil ? RecordingFault(path, "not a regular file") : tooLarge(path)
  }

  deinit { file.close() }

  mutating func next() throws(RecordingFault) -> Line? {
    var bytes: [UInt8] = []
    number += 1
    while true {
      if place == chunk.count, try !fill() { return bytes.isEmpty ? nil : Line(bytes: bytes, isWhole: false) }
      let end = chunk[place...].firstIndex(of: UInt8(ascii: "\n"))
      bytes += chunk[place..<(end ?? chunk.count)]
      place = end.map { $0 + 1 } ?? chunk.count
      guard bytes.count <= Self.mostLine else {
        throw fault("line longer than \(Self.mostLine >> 20) MiB: not a recording")
      }
      if end != nil { return Line(bytes: bytes, isWhole: true) }
    }
  }

  /// Returns false at the end of the file.
  private mutating func fill() throws(RecordingFault) -> Bool {
    place = 0
    do throws(Errno) { chunk = try file.bytes(in: bytesRead..<bytesRead + 1 << 18) } catch {
      throw fault("\(error)")
    }
    // The file may grow while it is read.
    bytesRead += chunk.count
    guard bytesRead <= Self.mostFile else { throw Self.tooLarge(path) }
    return !chunk.isEmpty
  }

  func json(of line: Line) throws(RecordingFault) -> JSONValue {
    do { return try JSONDocument(line.bytes).root } catch {
      guard line.isWhole else { throw fault("the recording is truncated here", isCut: true) }
      throw fault("invalid JSON at column \(error.column): expected \(error.expected), found \(error.found)")
    }
  }

  func value<Value: JSONChecked>(of line: Line) throws(RecordingFault) -> Value {
    let json = try json(of: line)
    do { return try json.decoded() } catch { throw fault("\(error)") }
  }

  private static func tooLarge(_ path: String) -> RecordingFault {
    RecordingFault(path, "larger than \(mostFile >> 30) GiB, the limit for a replay")
  }

  func fault(_ problem: String, isCut: Bool = false) -> RecordingFault {
    RecordingFault(path, line: number, isCut: isCut, problem)
  }
}

extension RecordingReader {
  /// The final screen or report of the recording.
  ///
  /// - Returns: The text, and why the rest of the recording was not replayed, if it was not.
  mutating func lastScreen() -> (text: String, fault: RecordingFault?) {
    switch header.initialState {
    case .pager(let initialState):
      var state = initialState.state
      let fault = forEachEvent { (event: PagerEvent) in state.reduce(event) }
      return (PagerView.frame(state).text + "\n", fault)
    case .search(let initialState):
      var state = OneShotState(initialState)
      let fault = forEachEvent { (event: OneShotEvent) in state.reduce(event) }
      return (state.summary(source: header.source), fault)
    }
  }

  /// - Returns: The fault that ended the recording early; nil if there was none.
  private mutating func forEachEvent<Event: JSONChecked & Sendable>(
    _ body: (Event) -> Void
  ) -> RecordingFault? {
    do throws(RecordingFault) {
      while let entry = try next(Event.self) { body(entry.event) }
      return nil
    } catch { return error }
  }
}

extension OneShotState {
  /// The report of a run, one fact per line.
  fileprivate func summary(source: String) -> String {
    let report = report
    var lines = ["source: \(source)", "query: \(session.query.text)"]
    for (name, value) in statistics(cap: nil)
    where isFinished || !["ended_by", "complete", "reason", "status"].contains(name) {
      if let value { lines.append("\(name): \(value.text ?? value.json)") }
    }
    if !isFinished { lines.append("the run was not finished") }
    lines +=
      report.notes.map { "note: \($0)" } + report.warnings
      + [report.failure, report.advice].compactMap(\.self)
    return lines.map { "\(Sanitized($0).string)\n" }.joined()
  }
}
