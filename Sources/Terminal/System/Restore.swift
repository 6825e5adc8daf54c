internal import CRestore

/// Gives the terminal back in a crash: a segmentation fault, a trap, an abort, SIGQUIT. The signal then takes its
/// course, so that the exit status and the backtrace are the crash's own.
package enum Restore {
  /// Lets the calling thread restore the terminal when it crashes, also by overflowing its stack. The UI loop does
  /// so for its thread; the main thread should, when it is another.
  package static func prepareThread() {
    crestore_prepare_thread()
  }

  /// To be called before the terminal is changed.
  static func arm(_ tty: borrowing TTY, leaving: String) {
    let bytes = Array(leaving.utf8)
    let isArmed = crestore_arm(tty.descriptor, bytes, bytes.count)
    assert(isArmed, "the leaving sequence exceeds CRESTORE_CAPACITY")
  }

  /// To be called before another mode is turned on.
  static func replace(leaving: String) {
    let bytes = Array(leaving.utf8)
    let isReplaced = crestore_replace(bytes, bytes.count)
    assert(isReplaced, "the leaving sequence exceeds CRESTORE_CAPACITY")
  }

  /// False before `arm`, and once somebody restores the terminal.
  static var isArmed: Bool { crestore_is_armed() }

  /// True for the one caller who has to restore the terminal now.
  static func take() -> Bool { crestore_take() }
}
