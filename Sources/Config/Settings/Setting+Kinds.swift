import Text

extension Setting {
  typealias Place<Value> = WritableKeyPath<Settings, Value> & Sendable

  // MARK: With a default

  static func integer(
    _ section: String, _ name: String, _ range: ClosedRange<Int>, at place: any Place<Int>, _ summary: String
  ) -> Setting {
    Setting(section, name, .integer(range), summary, at: place) {
      .integer($0)
    } reading: {
      $0.integer
    }
  }

  static func bool(
    _ section: String, _ name: String, at place: any Place<Bool>, _ summary: String
  ) -> Setting {
    Setting(section, name, .bool, summary, at: place) {
      .bool($0)
    } reading: {
      $0.bool
    }
  }

  static func choice(
    _ section: String, _ name: String, _ words: [String], at place: any Place<String>, _ summary: String
  ) -> Setting {
    Setting(section, name, .choice(words), summary, at: place) {
      .text($0)
    } reading: {
      $0.text
    }
  }

  static func choice<Choice: RawRepresentable<String> & CaseIterable & SendableMetatype>(
    _ section: String, _ name: String, at place: any Place<Choice>, _ summary: String
  ) -> Setting {
    let kind = Kind.choice(Choice.allCases.map(\.rawValue))
    return Setting(section, name, kind, summary, at: place) {
      .text($0.rawValue)
    } reading: {
      $0.text.flatMap(Choice.init)
    }
  }

  static func duration(
    _ section: String, _ name: String, _ range: ClosedRange<Duration>, at place: any Place<Duration>,
    _ summary: String
  ) -> Setting {
    Setting(section, name, .duration(range, unlimited: nil), summary, at: place) {
      .text(DurationText.text($0))
    } reading: {
      $0.text.flatMap(DurationText.duration)
    }
  }

  /// - Parameter unlimited: The keyword for nil.
  static func duration(
    _ section: String, _ name: String, _ range: ClosedRange<Duration>, unlimited: String,
    at place: any Place<Duration?>, _ summary: String
  ) -> Setting {
    Setting(section, name, .duration(range, unlimited: unlimited), summary, at: place) {
      .text($0.map(DurationText.text) ?? unlimited)
    } reading: {
      $0.text.map(DurationText.duration)
    }
  }

  static func command(
    _ section: String, _ name: String, at place: any Place<[String]>, _ summary: String
  ) -> Setting {
    Setting(section, name, .command, summary, at: place) {
      .list($0)
    } reading: {
      $0.list
    }
  }

  private init<Value>(
    _ section: String, _ name: String, _ kind: Kind, _ summary: String, at place: any Place<Value>,
    written: @escaping @Sendable (Value) -> SettingValue,
    reading: @escaping @Sendable (SettingValue) -> Value?
  ) {
    self.init(section, name, kind, summary) {
      written($0[keyPath: place])
    } write: {
      if let value = reading($1) { $0[keyPath: place] = value }
    }
  }

  // MARK: Without a default

  static func bool(
    _ section: String, _ name: String, at place: any Place<Bool?>, sample: Bool, _ summary: String
  ) -> Setting {
    Setting(section, name, .bool, summary, sample: .bool(sample)) {
      $0[keyPath: place].map { .bool($0) }
    } write: {
      $0[keyPath: place] = $1.bool
    }
  }

  static func integer(
    _ section: String, _ name: String, _ range: ClosedRange<Int>, at place: any Place<Int?>, sample: Int,
    _ summary: String
  ) -> Setting {
    Setting(section, name, .integer(range), summary, sample: .integer(sample)) {
      $0[keyPath: place].map { .integer($0) }
    } write: {
      $0[keyPath: place] = $1.integer
    }
  }

  static func duration(
    _ section: String, _ name: String, _ range: ClosedRange<Duration>, at place: any Place<Duration?>,
    sample: String, _ summary: String
  ) -> Setting {
    Setting(section, name, .duration(range, unlimited: nil), summary, sample: .text(sample)) {
      $0[keyPath: place].map { .text(DurationText.text($0)) }
    } write: {
      $0[keyPath: place] = $1.text.flatMap(DurationText.duration)
    }
  }

  /// - Parameter kind: A kind whose values are kept as written.
  static func text(
    _ section: String, _ name: String, _ kind: Kind, at place: any Place<String?>, sample: String,
    _ summary: String
  ) -> Setting {
    Setting(section, name, kind, summary, sample: .text(sample)) {
      $0[keyPath: place].map { .text($0) }
    } write: {
      $0[keyPath: place] = $1.text
    }
  }

  // MARK: By keyword

  static func style(of role: Role, sample: String, _ summary: String) -> Setting {
    Setting("theme", role.rawValue, .style, summary, sample: .text(sample)) {
      $0.theme.styles[role].map { .text($0.words) }
    } write: {
      $0.theme.styles[role] = $1.text.flatMap { try? RoleStyle($0) }
    }
  }

  static func keys(of action: KeySchema.Action, in mode: String) -> Setting {
    Setting("keys.\(mode)", action.name, .keys, action.summary, oldNames: action.oldNames) {
      ($0.keys[mode]?[action.name] ?? action.keys[mode]).map { .list($0) }
    } write: {
      $0.keys[mode, default: [:]][action.name] = $1.list
    }
  }
}
