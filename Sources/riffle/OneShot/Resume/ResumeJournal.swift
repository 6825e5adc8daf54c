import Config
import Glibc
import Output
import Search
import Synchronization

/// Keeps the record of a run beside its file, so that it can be gone on with however it ends.
final class ResumeJournal: Sendable {
  private let path: String
  private let now: @Sendable () -> Double
  private let state: Mutex<Page>

  /// The last whole page.
  private struct Page {
    var record: ResumeRecord
    var hasBegun = false
    /// Whether what is on disk is older than the record.
    var isStale = true
    var savedAt = 0.0
  }

  /// - Parameters:
  ///   - record: of the run that is gone on with, or that begins.
  ///   - now: seconds since 1970.
  init(beside file: String, _ record: ResumeRecord, now: @escaping @Sendable () -> Double) {
    path = Self.path(beside: file)
    self.now = now
    state = Mutex(Page(record: record))
  }

  /// Sixteen million keys.
  private static let mostBytes = 1 << 28

  static func path(beside file: String) -> String { "\(file).riffle" }

  /// The record of an earlier run; nil when there is none.
  static func record(beside file: String) throws(Complaint) -> ResumeRecord? {
    let path = path(beside: file)
    let bytes: [UInt8]
    do { bytes = try FileAccess.system(limit: mostBytes).read(path).bytes } catch {
      if error == .missing { return nil }
      throw Complaint("--resume: \(path) \(error)", .usage)
    }
    guard let record = ResumeRecord(bytes) else {
      throw Complaint(
        "--resume: \(path) is no record of riffle's; remove it and \(file) to begin anew", .usage)
    }
    return record
  }

  /// A file is about to be written: before its first byte there is a record, so that a run that is killed at any
  /// moment can be gone on with, and none of an earlier run is left beside it.
  func begin() {
    state.withLock { page in
      if page.hasBegun { return }
      page.hasBegun = true
      save(&page)
      // The first page is written down at once.
      page.savedAt = 0
    }
  }

  /// The file holds whole rows up to here. A page is written down at once, but not more often than five times
  /// a second: a run that is killed in between repeats the pages after the last record.
  func note(rows: Int, of block: RowStore.Block, bytes: Int, columns: [SettledColumn]) {
    state.withLock { page in
      guard let resumption = block.resumption else { return }
      page.record.rows += rows
      page.record.bytes = bytes
      page.record.columns = columns
      page.record.resumption.next = resumption.next
      page.record.resumption.received = resumption.received
      page.record.resumption.keys += block.keys.filter { $0 != RowKey.none }
      page.isStale = true
      if now() - page.savedAt >= 0.2 { save(&page) }
    }
  }

  /// Writes down what was noted last.
  func flush() { state.withLock { if $0.isStale { save(&$0) } } }

  /// The run is complete: nothing is left to go on with.
  func remove() { unlink(path) }

  /// Replaces the file as a whole. Without it the run could not be resumed, which is no reason to end it.
  private func save(_ page: inout Page) {
    if UserFile.replace(path, with: Array(page.record.json.utf8)) == nil {
      page.isStale = false
      page.savedAt = now()
    }
  }
}
