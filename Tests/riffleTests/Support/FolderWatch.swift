import Dispatch
import Glibc

/// Reports when a file in a folder is created or written to (inotify(7)).
final class FolderWatch {
  /// One element for one or more changes.
  let changes: AsyncStream<Void>
  private let source: any DispatchSourceRead

  init(_ folder: String) throws {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard inotify_add_watch(descriptor, folder, UInt32(IN_CREATE | IN_MODIFY)) >= 0 else {
      throw Failure(code: errno)
    }
    let (changes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.changes = changes
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
    source.setEventHandler {
      var events = [UInt8](repeating: 0, count: 4_096)
      while read(descriptor, &events, events.count) > 0 {}
      continuation.yield()
    }
    source.setCancelHandler { close(descriptor) }
    source.resume()
  }

  deinit { source.cancel() }

  struct Failure: Error { let code: Int32 }
}
