import Foundation
import Glibc
import JSON
import TestSupport
import Testing

@testable import App
@testable import Output
@testable import Search
@testable import riffle

/// Tests writing and reading the progress record of a run.
@Suite struct ResumeRecordTests {
  private typealias Line = ResumeRecord.Line

  private static let identity = RunIdentity(source: "github", request: "ab12", form: "ff")

  /// Two pages, with the rows `a b` and `c`.
  private static var lines: [[UInt8]] {
    var file = ResumeRecord.Extent()
    file.append(Array("a\nb\n".utf8))
    (file.rows, file.pages, file.filledPages) = (2, 1, 1)
    let columns = [RecordedColumn(name: "name", path: nil), RecordedColumn(name: "a b", path: "[\"a b\"]")]
    let token = Position.Value.token(JSONToken("a\"b"))
    let first = ResumePoint(next: Position(ordinal: 1, value: token), received: 2, keys: [1, .max])
    let firstPage = Line.page(file, first, columns: columns)
    file.append(Array("c\n".utf8))
    (file.rows, file.pages, file.filledPages) = (3, 2, 2)
    let second = ResumePoint(next: Position(ordinal: 2, value: .number(3)), received: 4, keys: [7])
    return [
      Line.header(identity, inode: 42, startedAt: 1.5, start: nil).bytes, firstPage.bytes,
      Line.page(file, second, columns: nil).bytes,
      Line.ending(.init(reason: .stopped, extent: file)).bytes,
    ]
  }

  private func reading(_ lines: some Sequence<[UInt8]>) -> Result<ResumeRecord, ResumeRecord.ReadError> {
    Result { () throws(ResumeRecord.ReadError) in try ResumeRecord.reading(lines.flatMap(\.self)).record }
  }

  @Test func `A record is read back as it was written, line by line.`() throws {
    #expect(
      Self.lines.map { String(decoding: $0.dropFirst(17), as: UTF8.self) } == [
        #"{"header":{"identity":{"form":"ff","request":"ab12","source":"github"},"inode":42,"startedAt":1.5,"version":7}}"#
          + "\n",
        #"{"page":{"columns":[{"name":"name"},{"name":"a b","path":"[\"a b\"]"}],"#
          + #""extent":{"bytes":4,"filledPages":1,"pages":1,"rows":2,"tailHash":8713734661827109198,"tailStart":0},"#
          + #""resumePoint":{"keys":[1,18446744073709551615],"#
          + #""next":{"carried":[],"ordinal":1,"value":{"token":{"_0":"\"a\\\"b\""}}},"received":2,"skipped":0}}}"#
          + "\n",
        #"{"page":{"extent":{"bytes":6,"filledPages":2,"pages":2,"rows":3,"tailHash":622257643729896040,"tailStart":4},"#
          + #""resumePoint":{"keys":[7],"next":{"carried":[],"ordinal":2,"value":{"number":{"_0":3}}},"#
          + #""received":4,"skipped":0}}}"# + "\n",
        #"{"ending":{"_0":{"extent":{"bytes":6,"filledPages":2,"pages":2,"rows":3,"#
          + #""tailHash":622257643729896040,"tailStart":4},"reason":"stopped"}}}"# + "\n",
      ])
    let record = try reading(Self.lines).get()
    #expect(record.identity == Self.identity)
    #expect(record.inode == 42 && record.startedAt == 1.5)
    #expect(record.columns.map(\.name) == ["name", "a b"])
    #expect(record.resumePoint?.keys == [1, .max, 7])
    #expect(record.resumePoint?.next == Position(ordinal: 2, value: .number(3)))
    #expect(record.ending?.reason == .stopped)
    #expect(record.extent.rows == 3)
  }

  @Test func `[D28] A torn last line counts as not written, wherever it is torn.`() throws {
    let lines = Self.lines
    let whole = Array(lines[..<2].joined())
    let kept = try reading(lines[..<2]).get()
    for length in 0..<lines[2].count {
      let (record, end) = try ResumeRecord.reading(whole + lines[2].prefix(length))
      #expect(record == kept)
      #expect(end == whole.count)
    }
    #expect(throws: ResumeRecord.ReadError(line: 1, problem: "truncated")) {
      try ResumeRecord.reading(Array(lines[0].dropLast()))
    }
  }

  /// A line with replaced text and a valid hash.
  private func line(_ index: Int, _ old: String, _ new: String) -> [UInt8] {
    let text = String(decoding: Self.lines[index].dropFirst(17).dropLast(), as: UTF8.self)
    #expect(text.contains(old), "\(text)")
    let json = Array(text.replacing(old, with: new).utf8)
    let digits = String(RowKey.hash(json[...]), radix: 16)
    return Array((String(repeating: "0", count: 16 - digits.count) + digits + " ").utf8) + json + [10]
  }

  /// Foundation does not say which number.
  private static let unfit = "a number is out of range or not whole, or a string is not Unicode text"

  @Test(arguments: [
    (1, #""bytes":4"#, #""bytes":9223372036854775807"#, "inconsistent numbers"),
    (1, #""bytes":4"#, #""bytes":-1"#, "inconsistent numbers"),
    (1, #""bytes":4"#, #""bytes":4.5"#, unfit),
    (1, #""bytes":4"#, #""bytes":1"#, "inconsistent numbers"),
    (1, #""rows":2"#, #""rows":9223372036854775807"#, "rows: 9223372036854775807 is out of range"),
    (1, #""rows":2"#, #""rows":1"#, "more keys than rows"),
    (1, #""pages":1"#, #""pages":0"#, "inconsistent numbers"),
    (1, #""tailStart":0"#, #""tailStart":5"#, "inconsistent numbers"),
    (1, #""tailStart":0"#, #""tailStart":-1"#, "inconsistent numbers"),
    (
      1, #""received":2"#, #""received":9223372036854775807"#, "received: 9223372036854775807 is out of range"
    ),
    (1, #""skipped":0"#, #""skipped":3"#, "more rows skipped than received"),
    (1, #""ordinal":1"#, #""ordinal":9223372036854775807"#, "ordinal: 9223372036854775807 is out of range"),
    (1, #""keys":[1"#, #""keys":[-1"#, unfit),
    (1, #""keys":[1"#, #""keys":["g""#, #"page.resumePoint.keys: "g" is not a whole number"#),
    (1, #"{"name":"name"}"#, #"{}"#, #"page.columns: "name" is missing"#),
    (1, #"[\"a b\"]"#, #"[["#, #"columns: "[[" is not a path"#),
    (2, #""bytes":6"#, #""bytes":3"#, "inconsistent numbers"),
    (2, #""filledPages":2,"pages":2"#, #""filledPages":1,"pages":1"#, "its progress goes backwards"),
    (2, #"{"_0":3}"#, #"{"_0":9223372036854775807}"#, "number: 9223372036854775807 is out of range"),
    (3, #""rows":3"#, #""rows":2"#, "its progress goes backwards"),
    (3, #""stopped""#, #""paused""#, #"ending.reason: "paused" is not known to this version"#),
    (
      0, #"{"header":{"identity""#, #"{"riffle":2,"header":{"identity""#,
      "written by another version of riffle"
    ),
    (0, #""version":7"#, #""version":6"#, "written by another version of riffle"),
    (0, #""inode":42"#, #""inode":"x""#, #"header.inode: "x" is not a whole number"#),
  ]) func `[D27] Values in a record are checked before they are used.`(
    index: Int, old: String, new: String, problem: String
  ) {
    var lines = Self.lines
    lines[index] = line(index, old, new)
    #expect(reading(lines) == .failure(ResumeRecord.ReadError(line: index + 1, problem: problem)))
  }

  @Test(
    arguments: [
      ([1, 2, 3], "line 1: missing header"), ([0, 0], "line 2: duplicate header"),
      ([0, 2, 1], "line 3: its progress goes backwards"), ([], "line 1: truncated"),
      ([0, 3, 1], nil), ([0, 1, 2, 3, 3], nil),
    ] as [([Int], String?)]) func `[D27] Inconsistent lines are rejected.`(
      order: [Int], problem: String?
    )
  {
    let result = reading(order.map { Self.lines[$0] })
    let damage: String? = if case .failure(let damage) = result { "\(damage)" } else { nil }
    #expect(damage == problem)
  }

  @Test func `[D27] An altered line is rejected.`() {
    for index in Self.lines.indices {
      var lines = Self.lines
      let last = lines[index].count - 3
      lines[index][last] ^= 1
      #expect(reading(lines) == .failure(.init(line: index + 1, problem: "wrong checksum")))
    }
  }

  @Test(arguments: Seeds.first(2))
  func `[D27] A record that can be read is consistent, whatever was changed in it.`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let numbers = [
      "0", "-1", "1", "9223372036854775807", "9223372036854775808", "1e999", "\"x\"", "null", "[]", "{}",
    ]
    var read = 0
    for _ in 0..<400 {
      var texts = Self.lines.map { String(decoding: $0.dropFirst(17).dropLast(), as: UTF8.self) }
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: 0..<texts.count, using: &random)
        let places = texts[index].ranges(of: /[0-9]+|"[a-zA-Z]+"/)
        guard let place = places.randomElement(using: &random),
          let number = numbers.randomElement(using: &random)
        else { continue }
        switch Int.random(in: 0..<5, using: &random) {
        case 0: texts.swapAt(index, Int.random(in: 0..<texts.count, using: &random))
        case 1: texts.insert(texts[index], at: index)
        default: texts[index].replaceSubrange(place, with: number)
        }
      }
      let bytes = texts.flatMap { text -> [UInt8] in
        let digits = String(RowKey.hash(Array(text.utf8)[...]), radix: 16)
        return Array((String(repeating: "0", count: 16 - digits.count) + "\(digits) \(text)\n").utf8)
      }
      guard let (record, length) = try? ResumeRecord.reading(bytes) else { continue }
      read += 1
      #expect(length == bytes.count)
      for extent in [record.progress, record.extent] {
        #expect(0...extent.bytes ~= extent.tailStart)
        #expect(0...extent.bytes ~= extent.rows)
        #expect(0...extent.pages ~= extent.filledPages)
      }
      #expect((record.resumePoint?.keys.count ?? 0) <= record.progress.rows)
      #expect((record.resumePoint?.received ?? 0) <= Int32.max)
    }
    #expect(read > 0)
  }

  @Test func `A run resumes only a run with the same source, request and output form.`() {
    let run = RunIdentity(source: "a", request: "1", form: "x")
    #expect(run.refusal(of: run) == nil)
    #expect(
      run.refusal(of: RunIdentity(source: "b", request: "1", form: "x"))
        == "it was written from source b, not a")
    #expect(run.refusal(of: RunIdentity(source: "a", request: "2", form: "x")) != nil)
    #expect(run.refusal(of: RunIdentity(source: "a", request: "1", form: "y")) != nil)
  }
}

/// Tests how a run writes its record.
@Suite(.takesTurns) struct ResumeJournalTests {
  /// A page of an endless list, with a key for each row.
  private func block(_ number: Int, rows: Int) -> RowStore.Block {
    var store = RowStore()
    var page = Page(content: .cells(CellTable(withoutTextsOf: rows)), continuation: .end(.last))
    page.keys = (0..<rows).map { UInt64(number * rows + $0 + 1) }
    let next = Position(ordinal: number + 1, value: .number(number + 2))
    store.append(
      page, kept: (0..<rows).map { UInt32($0) }, at: Position(ordinal: number, value: .number(number + 1)),
      resumePoint: ResumePoint(next: next, received: (number + 1) * rows))
    return store.blocks[0]
  }

  private func size(_ path: String) -> (bytes: Int, inode: UInt64) {
    var facts = stat()
    return stat(path, &facts) == 0 ? (Int(facts.st_size), UInt64(facts.st_ino)) : (0, 0)
  }

  @Test func `[D28] A page is appended to the record, and each key is written once.`() async throws {
    try await withFile("a.csv", "") { file in
      let identity = RunIdentity(source: "s", request: "1", form: "2")
      let journal = ResumeJournal(beside: file, ResumeRecord(identity: identity, inode: 7))
      journal.begin()
      let record = file + ".riffle"
      let inode = size(record).inode
      let row = Array("some text\n".utf8)
      var growth: Set<Int> = []
      for number in 0..<1_000 {
        let before = size(record)
        let rows = Array(repeatElement(row, count: 10).joined())
        journal.note(rows, rows: 10, of: block(number, rows: 10), columns: [])
        growth.insert(size(record).bytes - before.bytes)
        #expect(size(record).inode == inode, "it is never written again")
      }
      // At most twenty digits for each key, and numbers that grow.
      #expect(growth.max() ?? 0 < 400)
      let read = try ResumeRecord.reading(Array(Data(contentsOf: URL(fileURLWithPath: record)))).record
      #expect(read.resumePoint?.keys == (1...10_000).map { UInt64($0) })
      #expect(read.progress.rows == 10_000)
      #expect(read.progress.bytes == 100_000)
    }
  }

  /// A run that notes its first page, and is over without having concluded.
  private func begin(_ file: String) {
    let journal = ResumeJournal(
      beside: file, ResumeRecord(identity: RunIdentity(source: "s", request: "1", form: "2"), inode: 7))
    journal.begin()
    journal.note(Array("a\n".utf8), rows: 1, of: block(0, rows: 1), columns: [])
  }

  @Test func `[D28] A torn line is cut off when the run is resumed.`() async throws {
    try await withFile("a.csv", "") { file in
      begin(file)
      let record = URL(fileURLWithPath: file + ".riffle")
      let torn = Data(repeating: UInt8(ascii: "x"), count: 5_000)
      try (Data(contentsOf: record) + torn).write(to: record)
      let journal = ResumeJournal(resuming: try #require(try ResumeJournal.earlier(beside: file)))
      journal.note(Array("b\n".utf8), rows: 1, of: block(1, rows: 1), columns: [])
      let bytes = try Array(Data(contentsOf: record))
      let (read, length) = try ResumeRecord.reading(bytes)
      #expect(read.progress.rows == 2)
      #expect(length == bytes.count)
    }
  }

  @Test func `[D41] Each page is in the record as soon as it is in the file.`() async throws {
    try await withFile("a.csv", "") { file in
      let identity = RunIdentity(source: "s", request: "1", form: "2")
      let journal = ResumeJournal(beside: file, ResumeRecord(identity: identity, inode: 7))
      journal.begin()
      for number in 0..<20 {
        journal.note(Array("a\n".utf8), rows: 1, of: block(number, rows: 1), columns: [])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file + ".riffle"))
        #expect(try ResumeRecord.reading(Array(bytes)).record.progress.pages == number + 1)
      }
    }
  }

  @Test func `[D41] A record that cannot be written is reported at the end.`() async throws {
    try await withFile("a.csv", "") { file in
      try FileManager.default.createDirectory(atPath: file + ".riffle", withIntermediateDirectories: true)
      let identity = RunIdentity(source: "s", request: "1", form: "2")
      let journal = ResumeJournal(beside: file, ResumeRecord(identity: identity, inode: 7))
      journal.begin()
      journal.note(Array("a\n".utf8), rows: 1, of: block(0, rows: 1), columns: [])
      #expect(journal.conclude(.stopped, keepsRecord: false) == Errno(EISDIR))
    }
  }
}
