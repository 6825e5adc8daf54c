import Pager
import Text

@testable import App
@testable import Config
@testable import riffle

/// riffle-config(5): every setting, action, theme and role, generated from their tables.
enum ConfigPage {
  private static let settings = SettingsSchema.program.settings

  static var page: ManPage {
    var page = ManPage("riffle-config", section: 5, "settings for riffle")
    page.section("DESCRIPTION")
    page.paragraph(
      "Settings are read from `~/.config/riffle/config.toml` (`$XDG_CONFIG_HOME/riffle/config.toml`; `RIFFLE_CONFIG` and `--config` select another file). Command-line options override environment variables, which override the file, which overrides the defaults. Errors are reported with file, line and column, and no request is sent (exit status 78)."
    )
    page.paragraph(
      "`riffle config init` writes an example with every setting, `riffle config show --origin` prints each value and where it was set, and `riffle config check` reports errors."
    )
    page.paragraph(
      "If others can write the file or its directory, it cannot set programs or certificates (`opener.command`, `tls.ca_file`): riffle stops with exit status 78 until you fix that with `chmod go-w`."
    )
    page.paragraph("Durations are written as `\"400ms\"`, `\"60s\"`, `\"5m\"`, `\"2h\"`.")
    page.section("EXAMPLE")
    page.example(example.split(separator: "\n", omittingEmptySubsequences: false))
    page.section("SETTINGS")
    for section in settings.sections where !section.hasPrefix("keys.") {
      page.subsection("[\(section)]")
      if section == "theme" { page.paragraph(themes) }
      for setting in settings where setting.section == section { add(setting, to: &page) }
    }
    addKeys(to: &page)
    page.section("SOURCES")
    page.paragraph(
      "`[sources.NAME]` changes an existing source: any setting of its document (see `riffle-sources`(5)), `enabled = false` to disable it, and `options.X = \"value\"` for the default of an option."
    )
    page.section("ACTIONS")
    page.paragraph(
      "`[actions.NAME]` gives the rows an action of your own: a program, run by the comma key (`,`) followed by the key of the action. The program gets its arguments as a list, never through a shell. `{path}` in an argument is replaced by the value of the row; a value with control characters, a missing value, and one that would make an argument begin with `-` (unless an earlier argument is `--`) are refused, and the program is not run for that row. riffle asks before it runs on more than five rows. A background program gets no input, and riffle stops it when it exits. `program-output` shows its output. For a literal brace, write `{{` or `}}`: in a shell script `${{x}}`."
    )
    for key in ActionDraft.settings.manual.keys {
      page.term("`\(key.name)` = \(key.kind)", key.meaning)
    }
    page.paragraph(
      "If others can write the file or its directory, actions are refused. A source in your sources directory can have such actions, too (see `riffle-sources`(5)); a source in another place cannot, not even with `--trust`."
    )
    page.section("SAVED SEARCHES")
    page.paragraph(
      "`[searches.NAME]` gives a search a name: `riffle @NAME` opens it in the pager, `riffle @A @B` several in tabs, and `riffle search @NAME` writes its rows. The command line adds to it: words to its query, `--set` to its options. `--filter`, `--sort` and `--columns` replace its own. The list of sources (`:` and `t` in the pager) contains it, too. `riffle config check` reports a source or an option that does not exist. Names of columns are checked when the search runs, since they may be fields of its rows."
    )
    page.term("`source` = a source", "The name of a source, or the path of its file. Required.")
    page.term("`query` = a string", "The words to search for.")
    page.term("`set` = a table of strings", "Options of the source: `{ sort = \"stars\" }`.")
    page.term("`filter` = a string", "The filter of rows, as for `--filter`.")
    page.term(
      "`sort` = a string or a list of strings",
      "The order of all loaded rows, as for `--sort`: `\"stars:desc\"`. The pager sorts by the first column."
    )
    page.term(
      "`columns` = a string or a list of strings",
      "The columns, in order, as for `--columns`. The pager omits `*` and the `@` columns.")
    page.section("SEE ALSO")
    page.paragraph("`riffle`(1), `riffle-config`(1), `riffle-sources`(5)")
    return page
  }

  /// Read by `ManualTests`.
  static let example = """
    [search]
    source = "github"        # used by riffle without arguments
    page_size = 50

    [theme]
    name = "dark"
    match = "bright-magenta 213 #ff87ff bold"

    [keys.table]
    quit = ["q", "ctrl-q"]   # replaces all keys
    open-link = ["o", "y o"] # y o is a sequence
    load-all = []            # no key

    [sources.github]
    options.sort = "stars"

    [actions.clone]          # , and c in the pager
    key = "c"
    run = ["gh", "repo", "clone", "{full_name}"]
    sources = ["github"]

    [searches.tui]           # riffle @tui
    source = "github"
    query = "language:swift topic:tui"
    filter = "stars>100 pushed_at<1y"
    """

  private static func add(_ setting: Setting, to page: inout ManPage) {
    let standard = setting.standard.map { " Default: `\($0.toml)`." } ?? ""
    let variable = setting.variable.map { " Variable: `\($0)`." } ?? ""
    page.term(
      "`\(setting.name)` = \(values(of: setting))", "\(setting.summary)\(standard)\(variable)")
  }

  private static func values(of setting: Setting) -> String {
    switch setting.kind {
    case .integer(let range) where range.count == 2: "\(range.lowerBound) or \(range.upperBound)"
    case .integer(let range): "\(range.lowerBound) to \(range.upperBound)"
    case .bool: "`true` or `false`"
    case .choice(let words): words.map { "`\"\($0)\"`" }.joined(separator: ", ")
    case .duration(let range, let word):
      "\(DurationText.text(range.lowerBound)) to \(DurationText.text(range.upperBound))"
        + (word.map { ", or `\"\($0)\"`" } ?? "")
    case .path: "a path, absolute or `~/…`"
    case .source: "the name of a source"
    case .style: "a style"
    case .command: "a list of strings"
    case .keys: "a key or a list of keys"
    }
  }

  private static let themes =
    "Themes are \(ThemePalette.all.map { "`\($0.name)`" }.joined(separator: ", ")); `auto` selects `dark` or `light` by the background of the terminal, or `plain` if it is unknown. A role (\(Role.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "))) is set to a style: any of the sixteen colors by name (`black red green yellow blue magenta cyan white`, `bright-black` …), one of the 256 colors by number (16 to 255), `#rrggbb`, and `bold dim italic underline reverse`; background colors follow `on`, as in `white on blue`; or `plain`. The best color the terminal supports is used."

  private static func addKeys(to page: inout ManPage) {
    page.section("KEYS")
    page.paragraph(
      "`[keys.MODE]` binds keys to actions. Setting an action replaces all its keys in that mode, `[]` removes them, and the keys are taken from actions that have them by default. A single key needs no brackets. The modes are \(Mode.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")). Keys are written as `j`, `J`, `space`, `tab`, `shift-tab`, `enter`, `esc`, `f5`, `ctrl-x`, `alt-up`; `y c` is a sequence of two keys. `alt-O`, `alt-[`, `ctrl-i`, `ctrl-m` and `ctrl-[` look the same as other keys to the terminal and are rejected, as is a key bound to two actions."
    )
    page.paragraph(
      "In the query and prompt modes, edit the line as in a shell (`ctrl-a`, `ctrl-e`, `ctrl-w`, `ctrl-u`, `ctrl-k`, `ctrl-y`, `alt-b`, `alt-f`, `alt-d`). In the table and in popups, type digits before a movement to repeat it. `ctrl-\\`, or `ctrl-c` three times within a second, always quits."
    )
    for action in Pager.Actions.all {
      page.term("`\(action.name)`", "\(action.summary). \(keys(of: action))")
    }
  }

  private static func keys(of action: Pager.Action) -> String {
    let modes = Mode.allCases.compactMap { mode in
      action.keys[mode].map { "\(mode.rawValue): \($0.map(written).joined(separator: ", "))" }
    }
    return modes.isEmpty ? "No key by default." : "\(modes.joined(separator: "; "))."
  }

  /// A key that is punctuation is quoted, so that it does not look like that of the sentence.
  private static func written(_ key: String) -> String {
    let isMark = key.count == 1 && key.allSatisfy { $0.isPunctuation || $0.isSymbol }
    return isMark ? (key == "\"" ? "`'\"'`" : "`\"\(key)\"`") : "`\(key)`"
  }
}
