/// What happened at the terminal.
package enum UIEvent: Hashable, Sendable {
  case input(Input)
  /// There is a canvas to draw on, at the start, or it changed: its size, or how wide the terminal draws text.
  case resized(Canvas)
  /// The program goes on after `UIStep.suspend`, or after being stopped from outside.
  case resumed(Canvas)
  /// What is known of the terminal, at the start and when it tells more.
  case learned(TerminalTraits)
  /// The frame's copy was sent, once; false where the terminal is too plain for it.
  case copied(id: Frame.Copy.ID, isSent: Bool)
  /// As long as the frame was to last has passed.
  case elapsed
}

/// What the program wants now.
package enum UIStep: Sendable {
  /// - Parameter lasting: how long the frame is right when nothing happens, for what moves by itself; counted from the
  ///   first of the frames that say so. Nil: without end.
  case draw(Frame, lasting: Duration? = nil)
  /// Gives the terminal back and stops the process group, until it is continued; then `resumed` is handled.
  case suspend
  case leave
}

/// Why the loop ended. The terminal is given back.
package enum Departure: Hashable, Sendable {
  /// The program wanted to leave.
  case finished
  /// By this signal, or by the keys that stand for it: SIGQUIT for Ctrl-\, SIGINT for three Ctrl-C.
  /// The caller should end the process by it, so that the shell sees it.
  case signal(Int32)
  /// The terminal is gone, or SIGHUP came; as by that signal.
  case hangup
}
