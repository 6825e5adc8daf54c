import Pager
import Text

@testable import Config
@testable import riffle

/// riffle-config(5): every setting, action, theme and role, generated from their tables.
enum ConfigPage {
  private static let schema = SettingsSchema.program

  static var page: ManPage {
    var page = ManPage("riffle-config", section: 5, "settings of riffle")
    page.section("DESCRIPTION")
    page.paragraph(
      "Settings are read from `~/.config/riffle/config.toml` (`$XDG_CONFIG_HOME/riffle/config.toml`; `RIFFLE_CONFIG` and `--config` name another file). An option of the command line wins over a variable of the environment, that over the file, that over the default. Everything that is wrong in any of them is told at once, with file, line and column, and nothing is asked then (status 78)."
    )
    page.paragraph(
      "`riffle config init` writes an example with every setting; `riffle config show --origin` tells each value and who sets it; `riffle config check` tells what is wrong."
    )
    page.paragraph(
      "A file that others may write, or that stands in a folder they may write, cannot set what is run or trusted (`opener.command`, `tls.ca_file`): such a setting stops riffle (status 78) until `chmod go-w` has mended that."
    )
    page.paragraph("Durations are written `\"400ms\"`, `\"60s\"`, `\"5m\"`, `\"2h\"`.")
    page.section("EXAMPLE")
    page.example(example.split(separator: "\n", omittingEmptySubsequences: false))
    page.section("SETTINGS")
    for section in schema.sections where !section.hasPrefix("keys.") {
      page.subsection("[\(section)]")
      if section == "theme" { page.paragraph(themes) }
      for setting in schema.settings(in: section) { add(setting, to: &page) }
    }
    addKeys(to: &page)
    page.section("SOURCES")
    page.paragraph(
      "`[sources.NAME]` changes a source there is: any key that its document may have (`riffle-sources`(5)), `enabled = false` to switch it off, and `options.X = \"value\"` for what an option is when you set none."
    )
    page.section("SEE ALSO")
    page.paragraph("`riffle`(1), `riffle-config`(1), `riffle-sources`(5)")
    return page
  }

  /// Read by `ManualTests`.
  static let example = """
    [search]
    source = "github"        # riffle alone begins here
    page_size = 50

    [theme]
    name = "dark"
    match = "bright-magenta 213 #ff87ff bold"

    [keys.table]
    quit = ["q", "ctrl-q"]   # all keys of the action
    open-link = ["o", "y o"] # a sequence
    load-all = []            # none

    [sources.github]
    options.sort = "stars"
    """

  private static func add(_ setting: Setting, to page: inout ManPage) {
    let standard = setting.standard.map { " Default: `\($0.toml)`." } ?? ""
    let variable = setting.variable.map { " Variable: `\($0)`." } ?? ""
    page.term(
      "`\(setting.name)` = \(values(of: setting))", "\(setting.summary)\(standard)\(variable)")
  }

  private static func values(of setting: Setting) -> String {
    switch setting.kind {
    case .integer(let range): "\(range.lowerBound) to \(range.upperBound)"
    case .bool: "`true` or `false`"
    case .choice(let words): words.map { "`\"\($0)\"`" }.joined(separator: ", ")
    case .duration(let range, let word):
      "\(DurationText.text(range.lowerBound)) to \(DurationText.text(range.upperBound))"
        + (word.map { ", or `\"\($0)\"`" } ?? "")
    case .path: "a path, absolute or `~/…`"
    case .source: "the name of a source"
    case .look: "words for a look"
    case .command: "a list of words"
    case .keys: "a key or a list of keys"
    }
  }

  private static let themes =
    "Themes are \(ThemePalette.all.map { "`\($0.name)`" }.joined(separator: ", ")); `auto` takes `dark` or `light` by the terminal's own ground, and `plain` where it does not tell. A role (\(Role.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "))) is set with words: one of sixteen colors by name (`black red green yellow blue magenta cyan white`, `bright-black` …), one of 256 by number (16 to 255), `#rrggbb`, and `bold dim italic underline reverse`, and behind `on` with the background: `white on blue`; or `plain`. The richest color that the terminal has counts."

  private static func addKeys(to page: inout ManPage) {
    page.section("KEYS")
    page.paragraph(
      "`[keys.MODE]` binds keys to actions. Setting an action replaces all its keys in that mode, `[]` removes them, and an action that has one of the keys by default loses it. One key needs no brackets. The modes are \(Mode.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")). A key is written `j`, `J`, `space`, `tab`, `shift-tab`, `enter`, `esc`, `f5`, `ctrl-x`, `alt-up`; `y c` is one after the other. `alt-O`, `alt-[`, `ctrl-i`, `ctrl-m` and `ctrl-[` cannot be told from other keys and are refused, as is a key that you bind to two actions."
    )
    page.paragraph(
      "In query and prompt the line is edited as in a shell (`ctrl-a`, `ctrl-e`, `ctrl-w`, `ctrl-u`, `ctrl-k`, `ctrl-y`, `alt-b`, `alt-f`, `alt-d`). Digits before a movement repeat it. `ctrl-\\`, and `ctrl-c` three times within a second, always leave."
    )
    for action in Pager.Actions.all {
      page.term("`\(action.name)`", "\(action.summary). \(keys(of: action))")
    }
  }

  private static func keys(of action: Pager.Action) -> String {
    let modes = Mode.allCases.compactMap { mode in
      action.keys[mode].map { "\(mode.rawValue): \($0.map { "`\($0)`" }.joined(separator: ", "))" }
    }
    return modes.isEmpty ? "No key by default." : "\(modes.joined(separator: "; "))."
  }
}
