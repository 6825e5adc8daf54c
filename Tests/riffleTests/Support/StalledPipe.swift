import Foundation
import Glibc

/// A full pipe that is never read: a writer to it blocks.
struct StalledPipe {
  let pipe = Pipe()

  init() throws {
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    guard fcntl(descriptor, F_SETFL, O_NONBLOCK) >= 0 else { throw POSIXError(.EBADF) }
    let block = [UInt8](repeating: 0, count: 4_096)
    for length in [block.count, 1] { while write(descriptor, block, length) > 0 {} }
    guard fcntl(descriptor, F_SETFL, 0) >= 0 else { throw POSIXError(.EBADF) }
  }
}
