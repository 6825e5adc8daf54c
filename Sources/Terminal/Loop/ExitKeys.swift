/// Recognizes the keys that always end the program: Ctrl-\, and Ctrl-C three times within a second.
struct ExitKeys {
  enum Verdict: Equatable { case proceed, quit, interrupt }

  /// The recognized keys. They also work during a paste, where they are not passed on.
  static let keys: Set = [Key("\\", .ctrl), Key("c", .ctrl)]

  private static let window = Duration.seconds(1)

  private var times: [ContinuousClock.Instant] = []

  mutating func verdict(on key: Key, at now: ContinuousClock.Instant) -> Verdict {
    if key == Key("\\", .ctrl) { return .quit }
    guard key == Key("c", .ctrl) else { return .proceed }
    times.removeAll { now - $0 > ExitKeys.window }
    times.append(now)
    return times.count >= 3 ? .interrupt : .proceed
  }
}
