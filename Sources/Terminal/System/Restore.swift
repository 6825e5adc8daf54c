internal import CRestore

/// Restores the terminal after a crash: a segmentation fault, a trap, an abort or SIGQUIT. The signal is then
/// handled as before, so that exit status and backtrace are those of the crash.
package enum Restore {
  /// Enables crash handling on the calling thread, even for a stack overflow. The UI loop does so for its own
  /// thread; the main thread should, if it is another one.
  package static func prepareThread() {
    crestore_prepare_thread()
  }

  /// Must be called before the terminal is changed.
  static func arm(_ tty: borrowing TTY, leaving: String) {
    let bytes = Array(leaving.utf8)
    let isArmed = crestore_arm(tty.descriptor, bytes, bytes.count)
    assert(isArmed, "the leaving sequence exceeds CRESTORE_CAPACITY")
  }

  /// Must be called before another mode is set.
  static func replace(leaving: String) {
    let bytes = Array(leaving.utf8)
    let isReplaced = crestore_replace(bytes, bytes.count)
    assert(isReplaced, "the leaving sequence exceeds CRESTORE_CAPACITY")
  }

  /// False before `arm`, and once the terminal is being restored.
  static var isArmed: Bool { crestore_is_armed() }

  /// Returns true to exactly one caller, which has to restore the terminal now.
  static func take() -> Bool { crestore_take() }
}
