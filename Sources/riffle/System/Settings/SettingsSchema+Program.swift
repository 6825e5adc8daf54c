import Config
import Output
import Pager

extension SettingsSchema {
  /// The settings of this program, with its formats, themes, actions and modes.
  static var program: SettingsSchema {
    SettingsSchema(
      formats: OutputFormats.all.map { $0.name },
      themes: [PagerRules.automaticTheme] + ThemePalette.all.map(\.name), keys: .program)
  }
}

extension KeySchema {
  fileprivate static var program: KeySchema {
    KeySchema(
      modes: Mode.allCases.map(\.rawValue),
      actions: Pager.Actions.all.map { action in
        KeySchema.Action(
          name: action.name,
          oldNames: Pager.Actions.oldNames.filter { $0.value == action.name }.map(\.key).sorted(),
          summary: action.summary,
          keys: Dictionary(uniqueKeysWithValues: action.keys.map { ($0.rawValue, $1) }))
      },
      problem: { bound in
        do throws(KeyMapError) { _ = try KeyMap(bindings: KeyBindings(bound)) } catch {
          return KeyProblem(error)
        }
        return nil
      })
  }
}

extension KeyProblem {
  fileprivate init(_ error: KeyMapError) {
    switch error {
    case .conflict(let key, let mode, let actions):
      self.init("\(error)", mode: mode.rawValue, actions: actions, key: key)
    case .notAKey(let notation, _, let action):
      self.init("\(error)", mode: nil, actions: [action], key: notation)
    case .types(_, let mode, let action):
      self.init("\(error)", mode: mode.rawValue, actions: [action], key: nil)
    case .unknownAction:
      self.init("\(error)", mode: nil, actions: [], key: nil)
    }
  }
}

extension KeyBindings {
  /// Unknown mode names are ignored.
  init(_ bound: BoundKeys) {
    self.init(
      Dictionary(
        uniqueKeysWithValues: bound.compactMap { name, keys in Mode(rawValue: name).map { ($0, keys) } }))
  }
}
