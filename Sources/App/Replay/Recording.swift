import Config
import FeedbackLoop
import Glibc
import HTTPTransport
import HTTPValues
import JSON
import Locking
import Search
import Terminal
import Text

/// The first line of a recording: the command line, and what the session knew when it began.
struct RecordingHeader: Sendable, JSONChecked {
  /// The version of the format that this program writes and reads.
  static let format = 6
  /// The prefix that identifies a recording of any format version, which follows it.
  static let start = #"{"riffle_recording":"#

  var riffle = Version.number
  /// The command line without the program's name.
  var arguments: [String]
  /// Seconds since 1970, and the local time zone's offset from UTC in seconds.
  var time: Double
  var utcOffset: Int
  /// The random number of every wait.
  var jitter: Double
  /// The environment variables that set the language, the terminal, or settings.
  var environment: [String: String]

  func check() throws(JSONCodingError) {
    try time.check("time")
    try jitter.check("jitter")
    try utcOffset.check("utcOffset", in: -86_400...86_400)
  }
}

/// A line of a recording after the first: one input of the session.
struct RecordedLine: Sendable, JSONChecked {
  /// Seconds since the session began.
  var at = 0.0
  /// A key in key notation.
  var key: String?
  var paste: String?
  var mouse: Mouse?
  var focus: Bool?
  var size: Canvas?
  var resumed: Canvas?
  var response: RecordedResponse?
  var found: Lookup?
  /// The page of a scripted search that was written: its ordinal and generation.
  var written: [Int]?
  /// The numbers of new and changed rows that were written in a round.
  var wrote: [Int]?
  var ended: OneShotState.Ending?
  /// True in the last line. A recording without it ends before the session did.
  var isLast: Bool?

  /// What the session found on the user's machine, by the name of what it looked for.
  struct Lookup: Sendable, Codable {
    var name: String
    var values: [String]
  }

  func check() throws(JSONCodingError) {
    try at.check("at")
    if let key, Key(recorded: key) == nil { throw JSONCodingError("\(JSONText.quoted(key)) is not a key") }
    try mouse?.column.check("column")
    try mouse?.row.check("row")
    for canvas in [size, resumed].compactMap(\.self) {
      try canvas.size.columns.check("columns", in: 1...Self.maxSide)
      try canvas.size.rows.check("rows", in: 1...Self.maxSide)
    }
    try response?.check()
    for counts in [written, wrote].compactMap(\.self) {
      guard counts.count == 2 else { throw JSONCodingError("expected two numbers, found \(counts.count)") }
      for count in counts { try count.check("written") }
    }
  }

  private static let maxSide = 5_000
}

extension RecordedLine {
  /// Nil for an event that is not recorded: it follows from others, or belongs to the terminal.
  init?(_ event: UIEvent) {
    switch event {
    case .input(.key(let key)): self.init(key: key.notation)
    case .input(.paste(let text)): self.init(paste: text)
    case .input(.mouse(let mouse)): self.init(mouse: mouse)
    case .input(.focus(let isFocused)): self.init(focus: isFocused)
    case .resized(let canvas): self.init(size: canvas)
    case .resumed(let canvas): self.init(resumed: canvas)
    case .input(.answer), .learned, .shown, .elapsed, .copied: return nil
    }
  }

  /// The event of the screen; nil if it is none.
  var event: UIEvent? {
    if let key = key.flatMap({ Key(recorded: $0) }) { return .input(.key(key)) }
    if let paste { return .input(.paste(paste)) }
    if let mouse { return .input(.mouse(mouse)) }
    if let focus { return .input(.focus(focus)) }
    return size.map { .resized($0) } ?? resumed.map { .resumed($0) }
  }

  /// Nil for an event that follows from others.
  init?(_ event: OneShotEvent) {
    switch event {
    case .session(.written(let ordinal, let generation)): self.init(written: [ordinal, generation])
    case .wrote(let new, let changed): self.init(wrote: [new, changed])
    case .ended(let ending): self.init(ended: ending)
    case .session, .recordFailed, .progressErased, .reported, .ticked, .watchElapsed: return nil
    }
  }

  /// The event of a scripted search; nil if it is none.
  var searchEvent: OneShotEvent? {
    if let written { return .session(.written(written[0], generation: written[1])) }
    return wrote.map { .wrote(new: $0[0], changed: $0[1]) } ?? ended.map { .ended($0) }
  }
}

/// The response to a request, or why there was none.
struct RecordedResponse: Sendable, Codable {
  /// The method, the URL and the body of the request.
  var request: String
  var status: Int?
  var headers: [[String]] = []
  var body = ""
  /// The URL after redirects.
  var url = ""
  var sentAt = 0.0
  var arrivedAt = 0.0
  var requests = 1
  var failure: TransportError?

  init(_ response: HTTPResponse, to request: HTTPRequest) {
    self.request = Self.name(of: request)
    status = response.status
    headers = response.headers.filter { !Self.isPrivate($0.name) }.map { [$0.name, $0.value] }
    body = String(decoding: response.body, as: UTF8.self)
    url = response.url.description
    sentAt = response.sentAt
    arrivedAt = response.arrivedAt
    requests = response.requests
  }

  init(_ failure: TransportError, to request: HTTPRequest) {
    self.request = Self.name(of: request)
    self.failure = failure
  }

  /// What a request is recognized by.
  static func name(of request: HTTPRequest) -> String {
    let body = request.body.isEmpty ? "" : " " + String(decoding: request.body, as: UTF8.self)
    return "\(request.method.rawValue) \(request.url)\(body)"
  }

  private static func isPrivate(_ header: String) -> Bool {
    ["set-cookie", "www-authenticate", "proxy-authenticate"].contains(header.lowercased())
      || SecretName.isLikely(header: header)
  }

  fileprivate func check() throws(JSONCodingError) {
    try status?.check("status", in: 100...999)
    try sentAt.check("sentAt")
    try arrivedAt.check("arrivedAt")
    try (failure?.requests ?? requests).check("requests")
    guard failure != nil || status != nil else { throw JSONCodingError("\"status\" is missing") }
    guard headers.allSatisfy({ $0.count == 2 }) else { throw JSONCodingError("a header is not a pair") }
  }

  /// The response as it arrived.
  func response(to request: HTTPRequest) throws(TransportError) -> HTTPResponse {
    if let failure { throw failure }
    return HTTPResponse(
      status: status ?? 0, headers: HTTPFields(headers.map { HTTPField(received: $0[0], value: $0[1]) }),
      body: Array(body.utf8), url: (try? WebURL(url)) ?? request.url, sentAt: sentAt, arrivedAt: arrivedAt,
      requests: requests)
  }
}

// MARK: - Recording

/// Writes the inputs of a session to a file as they occur, without blocking their senders. A failure ends the
/// recording, never the session.
final class Recorder: Sendable {
  private struct State {
    /// Remove the secrets of each run, as far as they are known.
    var redactions: [@Sendable (String) -> String] = []
    var hasInput = false
    /// Names that have been recorded and are not recorded again.
    var fixed: Set<String> = []
  }

  private let file: CreatedFile
  private let now: @Sendable () -> Double
  private let start: Double
  private let lines: AsyncStream<RecordedLine>.Continuation
  private let writing: Task<CreatedFile.WriteError?, Never>
  private let state: Lock<State>

  /// Creates the file, which only the user can read, and which consists of whole lines at any time.
  init(_ name: String, _ header: RecordingHeader, _ dependencies: Dependencies) throws(CreatedFile.WriteError)
  {
    let file = try CreatedFile(name, home: dependencies.environment["HOME"], mode: 0o600)
    let state = Lock(State())
    (self.file, self.state, now, start) = (file, state, dependencies.now, header.time)
    let (stream, lines) = AsyncStream.makeStream(of: RecordedLine.self)
    self.lines = lines
    let first = Array("\(RecordingHeader.start)\(RecordingHeader.format),".utf8)
    writing = Task.detached(executorPreference: Workers.shared) {
      defer { file.descriptor.close() }
      do throws(CreatedFile.WriteError) {
        try file.append(line: first + Self.bytes(of: header, state).dropFirst())
        for await line in stream { try file.append(line: Self.bytes(of: line, state)) }
        return nil
      } catch {
        lines.finish()
        return error
      }
    }
  }

  /// The value on one line. Every string is written without secrets.
  private static func bytes(of value: some Encodable, _ state: borrowing Lock<State>) -> [UInt8] {
    let redactions = state.withLock { $0.redactions }
    let bytes = JSONCoding.bytes(of: value)
    guard !redactions.isEmpty, let document = try? JSONDocument(bytes) else { return bytes }
    return document.replacing { node in
      guard let text = document.string(of: node) else { return nil }
      let redacted = redactions.reduce(text) { $1($0) }
      // The mark must not be escaped in a URL.
      return redacted == text
        ? nil : Array(JSONText.quoted(redacted.replacing(Redactor.mark, with: RecordedResponse.secret)).utf8)
    }
  }

  func note(_ line: RecordedLine) {
    var line = line
    line.at = (max(0, now() - start) * 1e6).rounded(.up) / 1e6
    if line.found == nil, line.isLast == nil { state.withLock { $0.hasInput = true } }
    lines.yield(line)
  }

  /// - Parameter isFixed: Whether the same is found whenever it is looked for.
  func note(_ name: String, _ values: [String], isFixed: Bool = false) {
    if isFixed, !state.withLock({ $0.fixed.insert(name).inserted }) { return }
    note(RecordedLine(found: RecordedLine.Lookup(name: name, values: values)))
  }

  /// Also redacts all later texts with this function.
  func redact(by redaction: @escaping @Sendable (String) -> String) {
    state.withLock { $0.redactions.append(redaction) }
  }

  /// Waits for the end of the recording: why it failed, or nil after `finish`.
  var failure: CreatedFile.WriteError? { get async { await writing.value } }

  /// Waits until everything is written, and the recording is marked as whole; returns why that failed, if it did.
  func finish() async -> CreatedFile.WriteError? {
    note(RecordedLine(isLast: true))
    lines.finish()
    return await failure
  }

  /// Removes the file of a session that could not begin.
  func discardUnlessBegun() {
    if !state.withLock({ $0.hasInput }) { file.remove() }
  }
}

extension RecordedResponse {
  /// Replaces a secret.
  static let secret = "SECRET"
}

extension CreatedFile {
  /// Appends a line. If there is no space for all of it, the file is cut back to the previous line.
  fileprivate func append(line: [UInt8]) throws(WriteError) {
    let end = lseek(descriptor.number, 0, SEEK_END)
    do throws(WriteError) { try write(line + [UInt8(ascii: "\n")]) } catch {
      if end >= 0 { ftruncate(descriptor.number, end) }
      throw error
    }
  }
}

extension RequestOptions {
  /// Creates the file of `--record` before anything is read, requested or drawn.
  func recording(_ dependencies: Dependencies) throws(CommandError) -> Dependencies {
    guard let record, dependencies.replay == nil else { return dependencies }
    var dependencies = dependencies
    let (time, jitter) = (dependencies.now(), dependencies.jitter())
    dependencies.jitter = { jitter }
    let header = RecordingHeader(
      arguments: withoutSecrets(dependencies.arguments), time: time,
      utcOffset: dependencies.zone.offset(at: time), jitter: jitter,
      environment: dependencies.environment.filter { ReplayEnvironment.recorded.contains($0.key) })
    do throws(CreatedFile.WriteError) {
      dependencies.recorder = try Recorder(record, header, dependencies)
    } catch { throw CommandError("--record: \(error)", .output) }
    return dependencies
  }

  /// The arguments without the values of headers, and of parameters that seem to be secret.
  private func withoutSecrets(_ arguments: [String]) -> [String] {
    let headers = requestHeader.map { ($0, "\($0.prefix { $0 != ":" }): \(RecordedResponse.secret)") }
    let parameters = param.filter { SecretName.isLikely(parameter: $0.name) }
      .map { ("\($0.name)=\($0.value)", "\($0.name)=\(RecordedResponse.secret)") }
    return arguments.map { argument in
      let hidden = (headers + parameters).first { argument.hasSuffix($0.0) }
      return hidden.map { argument.dropLast($0.0.count) + $0.1 } ?? argument
    }
  }
}

extension Transport {
  /// The same transport; responses are recorded.
  func recorded(by recorder: Recorder) -> Transport {
    Transport { request, limit throws(TransportError) in
      do throws(TransportError) {
        let response = try await response(to: request, within: limit)
        recorder.note(RecordedLine(response: RecordedResponse(response, to: request)))
        return response
      } catch {
        if error.kind != .cancelled {
          recorder.note(RecordedLine(response: RecordedResponse(error, to: request)))
        }
        throw error
      }
    }
  }
}
