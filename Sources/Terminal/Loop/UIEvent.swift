/// An event at the terminal.
package enum UIEvent: Hashable, Sendable {
  case input(Input)
  /// The initial canvas, or a change of its size or of how wide the terminal draws text.
  case resized(Canvas)
  /// The program continues after `UIStep.suspend`, or after being stopped by another process.
  case resumed(Canvas)
  /// The initial traits of the terminal, or a change of them.
  case learned(TerminalTraits)
  /// The frame's copy was sent, once; `isSent` is false if the terminal does not support it.
  case copied(id: Frame.Copy.ID, isSent: Bool)
  /// The time for which the frame was to last has passed.
  case elapsed
}

/// What the program wants to do now.
package enum UIStep: Sendable {
  /// - Parameter lasting: How long the frame is valid without events, for animations, measured from the first
  ///   of consecutive frames with a limit. Nil if indefinitely.
  case draw(Frame, lasting: Duration? = nil)
  /// Restores the terminal and stops the process group until it is continued; then `resumed` is handled.
  case suspend
  case leave
}

/// Why the loop ended. The terminal has been restored.
package enum LoopExit: Hashable, Sendable {
  /// The program ended the loop.
  case finished
  /// This signal, or a key that stands for it: SIGQUIT for Ctrl-\, SIGINT for three Ctrl-C. The caller should
  /// end the process by it, so that the shell sees it.
  case signal(Int32)
  /// The terminal is gone, or SIGHUP was received; the caller should end the process by that signal.
  case hangup
}
