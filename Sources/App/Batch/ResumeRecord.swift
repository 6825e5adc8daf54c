import HTTPValues
import JSON
import Output
import Search

/// The progress record kept next to a file while a run writes it (`FILE.riffle`). It contains enough to
/// continue the file at the exact row, to decide whether a run may do so, and to detect that the file has
/// changed.
///
/// It is a journal of lines, each starting with its own hash: a header, a line for each page completely in
/// the file, and how the run ended. A killed run leaves at most an incomplete last line, which is ignored.
struct ResumeRecord: Sendable, Hashable {
  var identity: RunIdentity
  /// The inode of the file. The device number is not kept, because it may change when the system restarts.
  var inode: UInt64
  /// What the file contains of pages that a run can continue after.
  var progress = Extent()
  /// Where a run continues, with the keys of the rows in the file; nil for the first page.
  var resumePoint: ResumePoint?
  var columns: [RecordedColumn] = []
  /// How the last run ended; nil if it was killed, or does not know the content of the file.
  var ending: Ending?

  /// What a file contains.
  struct Extent: Sendable, Hashable {
    /// The size in bytes of complete rows, from the start of the file.
    var bytes = 0
    var rows = 0
    var pages = 0
    /// The number of those pages that contained rows.
    var filledPages = 0
    /// The offset of the bytes written last, and their hash.
    var tailStart = 0
    var tailHash = RowKey.hash([])

    mutating func append(_ new: [UInt8]) {
      if new.isEmpty { return }
      tailStart = bytes
      tailHash = RowKey.hash(new[...])
      bytes += new.count
    }
  }

  struct Ending: Sendable, Hashable {
    enum Reason: String, Sendable, JSONCodable {
      /// Requested rows are missing.
      case stopped
      /// All requested rows are written; the list has more.
      case complete
      case listOver = "list-over"
    }

    var reason: Reason
    /// The size of the whole file.
    var extent: Extent
  }

  /// What the file contains according to the record.
  var extent: Extent { ending?.extent ?? progress }

  /// Whether the file already contains everything that a run would write.
  func isComplete(for demand: Demand, maxPages: Int?) -> Bool {
    if ending?.reason == .listOver { return true }
    if let maxPages, extent.pages >= maxPages { return true }
    return switch demand {
    case .rows(let count): extent.rows >= count
    case .pages(let count): extent.filledPages >= count
    case .nothing: true
    case .everything: false
    }
  }
}

// MARK: - Serialization

extension ResumeRecord {
  /// A line of the journal.
  enum Line {
    /// - Parameter start: Where the run started; nil for the first page.
    case header(RunIdentity, inode: UInt64, start: ResumePoint?)
    /// Rows up to this extent are complete. `keys` and `columns` are those of the rows since the previous
    /// line; `columns` is nil if unchanged.
    case page(Extent, ResumePoint, columns: [RecordedColumn]?)
    case ending(Ending)
  }

  /// Why a file is not a valid record.
  struct Damage: Error, Sendable, Hashable, CustomStringConvertible {
    let line: Int
    let problem: String

    var description: String { "line \(line): \(problem)" }
  }

  /// Reads a journal. Like a reply, it is not trusted: no number in it can cause an overflow, and the lines
  /// must be consistent with each other.
  ///
  /// - Returns: The record, and the size in bytes of its complete lines.
  static func reading(_ bytes: [UInt8]) throws(Damage) -> (record: ResumeRecord, length: Int) {
    var record: ResumeRecord?
    var start = 0
    var number = 1
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      do throws(JSONCodingError) {
        switch try Line(bytes[start..<end]) {
        case .header(let identity, let inode, let start):
          guard record == nil else { throw JSONCodingError("duplicate header") }
          record = ResumeRecord(identity: identity, inode: inode, resumePoint: start)
        case .page(let extent, let resumePoint, let columns):
          guard record != nil else { throw JSONCodingError("missing header") }
          try record?.add(extent, resumePoint, columns)
        case .ending(let ending):
          guard record != nil else { throw JSONCodingError("missing header") }
          try record?.add(ending)
        }
      } catch { throw Damage(line: number, problem: "\(error)") }
      start = end + 1
      number += 1
    }
    guard let record else { throw Damage(line: 1, problem: "truncated") }
    return (record, start)
  }

  private mutating func add(
    _ extent: Extent, _ page: ResumePoint, _ columns: [RecordedColumn]?
  ) throws(JSONCodingError) {
    guard extent.bytes >= progress.bytes, extent.rows >= progress.rows, extent.pages > progress.pages else {
      throw JSONCodingError("its progress goes backwards")
    }
    guard page.keys.count <= extent.rows - progress.rows else { throw JSONCodingError("more keys than rows") }
    progress = extent
    var keys = resumePoint?.keys ?? []
    // Releases the old value, so that the keys are appended in place instead of copied.
    resumePoint = nil
    keys += page.keys
    resumePoint = page
    resumePoint?.keys = keys
    if let columns { self.columns = columns }
    ending = nil
  }

  private mutating func add(_ ending: Ending) throws(JSONCodingError) {
    guard ending.extent.bytes >= progress.bytes, ending.extent.rows >= progress.rows,
      ending.extent.pages >= progress.pages
    else { throw JSONCodingError("its progress goes backwards") }
    self.ending = ending
  }
}

extension ResumeRecord.Line {
  /// The version of the lines that follow.
  private static let version = 2

  /// The line with its hash and line feed. It contains no secret.
  var bytes: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      switch self {
      case .header(let identity, let inode, let start):
        json.member("riffle", Self.version)
        json.member("source", identity.source)
        json.member("request", identity.request)
        json.member("form", identity.form)
        json.member("inode", inode)
        json.member("start", start)
      case .page(let extent, let resumePoint, let columns):
        json.member("page", extent)
        json.member("received", resumePoint.received)
        if resumePoint.skipped > 0 { json.member("skipped", resumePoint.skipped) }
        json.member("next") { $0.literal(resumePoint.next.json) }
        json.member("columns", columns)
        json.member("keys", KeyText(keys: resumePoint.keys))
      case .ending(let ending):
        json.member("end", ending.reason)
        json.member("file", ending.extent)
      }
    }
    let text = json.take()
    return Array(HexDigits.sixteen(of: RowKey.hash(text[...])).utf8) + [UInt8(ascii: " ")] + text
      + [UInt8(ascii: "\n")]
  }

  /// - Throws: For anything that `bytes` does not produce.
  init(_ bytes: ArraySlice<UInt8>) throws(JSONCodingError) {
    let text = bytes.dropFirst(17)
    guard bytes.count > 17, HexDigits.number(bytes.prefix(16)) == RowKey.hash(text),
      let json = try? JSONDocument(Array(text)).root
    else { throw JSONCodingError("wrong checksum") }
    if json["riffle"] != nil {
      guard try json.amount("riffle") == Self.version else {
        throw JSONCodingError("written by another version of riffle")
      }
      let identity = RunIdentity(
        source: try json.member("source"), request: try json.member("request"), form: try json.member("form"))
      self = .header(identity, inode: try json.member("inode"), start: try json.member("start"))
    } else if json["page"] != nil {
      var resumePoint = ResumePoint(
        next: try json.member("next"), received: try json.amount("received"),
        keys: (try json.member("keys") as KeyText).keys)
      resumePoint.skipped = try json.amount("skipped") ?? 0
      guard resumePoint.skipped <= resumePoint.received else {
        throw JSONCodingError("more rows skipped than received")
      }
      self = .page(try json.member("page"), resumePoint, columns: try json.member("columns"))
    } else {
      self = .ending(ResumeRecord.Ending(reason: try json.member("end"), extent: try json.member("file")))
    }
  }
}

extension ResumeRecord.Extent: JSONCodable {
  func write(to json: inout JSONWriter) {
    json.object {
      $0.member("bytes", bytes)
      $0.member("rows", rows)
      $0.member("pages", pages)
      $0.member("filled_pages", filledPages)
      $0.member("tail", tailStart)
      $0.member("tail_hash", tailHash)
    }
  }

  init(json: JSONValue) throws(JSONCodingError) {
    bytes = try json.size("bytes")
    rows = try json.amount("rows")
    pages = try json.amount("pages")
    filledPages = try json.amount("filled_pages")
    tailStart = try json.size("tail")
    tailHash = try json.member("tail_hash")
    // A row has at least its line end.
    guard bytes <= Self.mostBytes, rows <= bytes, tailStart <= bytes, filledPages <= pages else {
      throw JSONCodingError("inconsistent numbers")
    }
  }

  /// Larger than any file system allows.
  private static let mostBytes = 1 << 60
}

extension RecordedColumn: JSONCodable {
  /// Writes `["name"]` or `["name", "path"]`.
  func write(to json: inout JSONWriter) { ([name] + [path].compactMap(\.self)).write(to: &json) }

  init(json: JSONValue) throws(JSONCodingError) {
    let words = try [String](json: json)
    guard 1...2 ~= words.count, words.count == 1 || (try? JSONPath(words[1])) != nil else {
      throw JSONCodingError(json, isNot: "a column")
    }
    self.init(name: words[0], path: words.count == 2 ? words[1] : nil)
  }
}

/// Keys as one text, sixteen hexadecimal digits each.
private struct KeyText: JSONCodable {
  let keys: [UInt64]

  init(keys: [UInt64]) { self.keys = keys }

  func write(to json: inout JSONWriter) { json.text(keys.map(HexDigits.sixteen).joined()) }

  init(json: JSONValue) throws(JSONCodingError) {
    let bytes = Array(try String(json: json).utf8)[...]
    var keys: [UInt64] = []
    for start in stride(from: 0, to: bytes.count, by: 16) {
      guard start + 16 <= bytes.count, let key = HexDigits.number(bytes[start..<start + 16]) else {
        throw JSONCodingError("invalid keys")
      }
      keys.append(key)
    }
    self.keys = keys
  }
}

private enum HexDigits {
  static func sixteen(of number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Nil for anything but hexadecimal digits.
  static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
    guard digits.first != UInt8(ascii: "+") else { return nil }
    return UInt64(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}

/// What must be equal for a run to resume another: the source, the request, and the output format. Only a
/// hash of the query is kept.
struct RunIdentity: Sendable, Hashable {
  var source: String
  var request: String
  var form: String

  init(source: String, request: String, form: String) {
    self.source = source
    self.request = request
    self.form = form
  }

  /// - Parameters:
  ///   - form: Everything that affects how rows are written, as text.
  init(_ source: Source, _ query: Query, pageSize: Int?, form: [String]) {
    let page = PageRequest(query: query, position: source.pagination.style.first, generation: 0)
    let request = try? source.request(for: page, in: RunContext(pageSize: pageSize))
    var words = [request?.method.rawValue ?? "", request?.url.description ?? ""]
    // The User-Agent header carries riffle's version, which does not affect the rows.
    let headers = (request?.headers ?? []).filter { $0.name.lowercased() != "user-agent" }
    words += headers.map { "\($0.name): \($0.value)" }
    words.append(String(decoding: request?.body ?? [], as: UTF8.self))
    self.init(source: source.id, request: Self.hash(words), form: Self.hash(form))
  }

  /// Why a run with this identity may not resume `other`; nil if it may.
  func refusal(of other: RunIdentity) -> String? {
    if other.source != source { return "it was written from source \(other.source), not \(source)" }
    if other.request != request {
      return "it was written by a different query (or with different options or page size)"
    }
    return other.form == form ? nil : "it was written with a different format, columns or filter"
  }

  private static func hash(_ words: [String]) -> String {
    String(RowKey.hash(words.map { "\($0.utf8.count):\($0)" }.joined()), radix: 16)
  }
}
