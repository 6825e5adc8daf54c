import Dispatch
import Glibc
import Output
import Search
import Synchronization

/// Writes the document to a descriptor, page by page, on a thread of its own: a slow reader blocks that
/// thread and nothing else.
final class OutputSink: Sendable {
  private let descriptor: Int32
  private let queue = DispatchQueue(label: "riffle.output")
  private let document: Mutex<OutputDocument?>

  /// - Parameter document: nil when rows are only counted.
  init(_ document: OutputDocument?, descriptor: Int32) {
    self.document = Mutex(document)
    self.descriptor = descriptor
  }

  enum Failure: Error, Sendable, Hashable {
    /// The reader went away (EPIPE).
    case closed
    case system(String)
    /// A column that the first page shows to be none.
    case column(String)
  }

  /// Writes the rows of one page; returns when the descriptor has taken them.
  func write(_ rows: OutputRows) async -> Result<Void, Failure> {
    await perform { sink in
      var bytes: [UInt8] = []
      do { try sink.document.withLock { try $0?.append(rows, into: &bytes) } } catch {
        return .failure(.column("\(error)"))
      }
      return sink.put(bytes)
    }
  }

  /// Makes the document whole.
  func finish() async -> Result<Void, Failure> {
    await perform { sink in
      var bytes: [UInt8] = []
      do { try sink.document.withLock { try $0?.end(into: &bytes) } } catch {
        return .failure(.column("\(error)"))
      }
      return sink.put(bytes)
    }
  }

  private func perform(
    _ work: @escaping @Sendable (OutputSink) -> Result<Void, Failure>
  ) async -> Result<Void, Failure> {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: work(self)) }
    }
  }

  private func put(_ bytes: [UInt8]) -> Result<Void, Failure> {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
          waitUntilWritable()
        } else if errno != EINTR {
          return .failure(errno == EPIPE ? .closed : .system(String(cString: strerror(errno))))
        }
      }
      return .success(())
    }
  }

  /// For a descriptor somebody else made non-blocking.
  private func waitUntilWritable() {
    var descriptors = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    poll(&descriptors, 1, -1)
  }
}
