import Glibc
import Output
import Search
import Synchronization

/// Writes the document to its target, page by page, on a dedicated thread, so that a slow reader blocks only
/// that thread.
final class OutputSink: Sendable {
  private let target: OutputTarget
  private let thread = WritingThread("riffle.output")
  private let document: Mutex<OutputDocument?>
  private let journal: ResumeJournal?
  private let pages = Mutex(0)

  /// A message listing the keys of later pages that have no column; nil if there are none.
  var lateKeys: String? {
    guard let keys = document.withLock({ $0?.lateKeys }), !keys.isEmpty else { return nil }
    let names = keys.prefix(8).joined(separator: ", ") + (keys.count > 8 ? ", …" : "")
    return
      "fields missing from the first page are not written: \(names). Add them with --columns, or use jsonl"
  }

  /// The number of pages whose rows are written.
  var pageCount: Int { pages.withLock { $0 } }

  /// - Parameters:
  ///   - document: Nil if rows are only counted.
  ///   - journal: Nil if the run cannot be resumed.
  init(_ document: OutputDocument?, to target: OutputTarget, journal: ResumeJournal? = nil) {
    self.document = Mutex(document)
    self.target = target
    self.journal = journal
  }

  enum Failure: Error, Sendable, Hashable {
    /// The reader closed the pipe (EPIPE).
    case closed
    case system(String)
    /// The first page shows that this column does not exist.
    case column(String)
  }

  /// Writes the rows of one page; returns when the descriptor has accepted them.
  ///
  /// - Parameter block: The page as kept by the session.
  func write(_ rows: OutputRows, of block: RowStore.Block) async -> Result<Void, Failure> {
    await thread.outcome { [self] in
      var bytes: [UInt8] = []
      do { try document.withLock { try $0?.append(rows, into: &bytes) } } catch {
        return .failure(.column("\(error)"))
      }
      let result = put(bytes)
      guard case .success = result else { return result }
      pages.withLock { $0 += 1 }
      let columns = document.withLock { $0?.settledColumns ?? [] }
      journal?.note(bytes, rows: rows.nodes.count, of: block, columns: columns)
      return result
    }
  }

  /// Writes the end of the document.
  func finish() async -> Result<Void, Failure> {
    await thread.outcome { [self] in
      guard document.withLock({ $0 != nil }) else { return .success(()) }
      var bytes: [UInt8] = []
      do { try document.withLock { try $0?.end(into: &bytes) } } catch {
        return .failure(.column("\(error)"))
      }
      let result = put(bytes, isWhole: true)
      if case .success = result { journal?.note(bytes) }
      return result
    }
  }

  /// - Parameter isWhole: Whether the document ends here, so that an existing file is truncated even if
  ///   `bytes` is empty.
  private func put(_ bytes: [UInt8], isWhole: Bool = false) -> Result<Void, Failure> {
    if bytes.isEmpty, !isWhole { return .success(()) }
    journal?.begin()
    guard let code = target.write(bytes) else { return .success(()) }
    if code == EPIPE { return .failure(.closed) }
    return .failure(.system((target.path.map { "\($0): " } ?? "") + "\(Errno(code))"))
  }
}
