private import Search
private import Text

/// Generates `config.example.toml` from the settings schema: each setting with its summary and default, and
/// an example of a source. Used unedited, it changes nothing.
package struct ExampleFile: Sendable {
  package let text: String

  package init(_ schema: SettingsSchema) {
    let (settings, modes) = (schema.settings, schema.keys.modes)
    let blocks =
      [Self.head] + settings.sections.map { Self.block($0, settings, modes: modes) } + [
        Self.sources, Self.actions, Self.searches, Self.source,
      ]
    text = blocks.joined(separator: "\n\n") + "\n"
  }

  private static func block(_ section: String, _ settings: [Setting], modes: [String]) -> String {
    let all = settings
    let settings = settings.filter { $0.section == section }
    let lines = settings.first?.kind == .keys ? settings.flatMap(keyLines) : settings.flatMap(lines)
    return (introduction(of: section, all, modes: modes) + ["[\(section)]"] + lines).joined(separator: "\n")
  }

  private static func lines(of setting: Setting) -> [String] {
    ["# \(setting.summary)\(note(on: setting))", line(of: setting)].compactMap(\.self)
  }

  /// What summary and value do not show.
  private static func note(on setting: Setting) -> String {
    switch setting.kind {
    case .integer(let range) where range.count == 2: " \(range.lowerBound) or \(range.upperBound)."
    case .integer(let range): " From \(range.lowerBound) to \(range.upperBound)."
    case .choice(let words): " One of: \(words.joined(separator: ", "))."
    case .duration(_, let word?): " Or \"\(word)\"."
    case .bool, .duration, .path, .source, .style, .command, .keys: ""
    }
  }

  /// Settings are commented out, so that a changed default of a later version takes effect.
  private static func line(of setting: Setting) -> String? {
    (setting.standard ?? setting.sample).map { "# \(setting.name) = \($0.toml)" }
  }

  /// Omits actions without a key in this mode.
  private static func keyLines(of setting: Setting) -> [String] {
    line(of: setting).map { ["\($0)  # \(setting.summary)"] } ?? []
  }

  private static func introduction(of section: String, _ settings: [Setting], modes: [String]) -> [String] {
    if section == "theme" { return [theme] }
    guard section == modes.first.map({ "keys.\($0)" }) else { return [] }
    let actions = settings.filter { $0.kind == .keys }
    let bound = Set(actions.filter { $0.standard != nil }.map(\.name))
    let others = actions.filter { $0.section == section && !bound.contains($0.name) }.map(\.name)
    return [
      keys, "# The modes are \(modes.joined(separator: ", ")).",
      "# Actions without a key: \(others.joined(separator: ", ")).",
    ]
  }
}

// MARK: Fixed parts

extension ExampleFile {
  private static let head = """
    # All settings of riffle, with their defaults. Copy this file to ~/.config/riffle/config.toml (or run riffle config
    # init) and remove the # before what you change. Settings that people change most: source and page_size of [search],
    # format of [output], name of [theme], and credentials of [sources.NAME]. A setting whose description names its effect
    # when unset has no default; its line is an example. Environment variables (RIFFLE_SEARCH_PAGE_SIZE=50) override
    # this file, and command-line options override both. Durations are written "400ms", "60s", "5m", "2h".
    """

  private static let theme = """
    # The style of a role is a list of words: one of the terminal's sixteen colors by name (black red green yellow
    # blue magenta cyan white, bright-black …), one of 256 by number (16 to 255), #rrggbb, and bold dim italic
    # underline reverse. Colors after "on" are for the background: "white on blue". "plain" means no style. riffle uses
    # the richest color that the terminal supports. When unset, a role has the style of the theme.
    """

  private static let keys = """
    # The default keys of each action, by mode. Setting an action replaces all its keys, and [] removes them. The
    # keys are taken from actions that have them by default. Keys are written "j", "J", "space", "tab", "shift-tab",
    # "enter", "esc", "f5", "ctrl-x", "alt-up". "y c" is a sequence. A single key needs no brackets: quit = "Q".
    """

  private static let sources = """
    # Changes to existing sources. Any setting of a source file is allowed here.
    #
    # [sources.github]
    # options.sort = "stars"         # default of an option
    # [sources.gitlab-api]           # all GitLab sources on your own server
    # options.server = "https://gitlab.example.com"
    # auth.from = ["env:MY_GITLAB_TOKEN"]
    # [sources.npm]
    # enabled = false                # do not list or use it
    """

  private static let actions = """
    # Programs for the selected or marked rows, run without a shell by "," and a key in the pager.
    #
    # [actions.clone]
    # key = "c"
    # run = ["gh", "repo", "clone", "{full_name}"]   # {path}: a value of the row
    # sources = ["github"]           # default: all
    # rows = "each"                  # or "together": once, with the argument repeated for each row
    # foreground = false             # true: it gets the terminal
    # summary = "clone it"           # its description in help; default: the command
    """

  private static let searches = """
    # Saved searches: riffle @bugs, riffle search @bugs. Several open in tabs: riffle @bugs @news.
    #
    # [searches.bugs]
    # source = "github-issues"
    # query = "is:open label:bug"
    # set = { sort = "updated" }     # options of the source
    # filter = "comments>3"          # as for --filter
    # sort = "comments:desc"         # as for --sort
    # columns = ["title", "comments"]
    """

  private static let styles = Sentences.alternatives(PaginationStyles.all.map { $0.name })

  private static let source = """
    # Each source of your own is a separate file. Save this one, without the leading "# ", as
    # ~/.config/riffle/sources/books.toml, and `riffle books` searches it.
    #
    # schema = 1
    # id = "books"
    # title = "A library's books"
    #
    # [request]
    # url = "https://api.example.org/books"
    # params = { q = "{query}", sort = "{sort?}" }   # {sort?}: omitted when empty
    #
    # [options.sort]                 # riffle books --set sort=newest
    # values = ["", "newest"]
    #
    # [auth]                         # only if the service needs a token; never the token itself
    # type = "bearer"
    # from = ["env:BOOKS_TOKEN", "cmd:pass show books"]
    # optional = true
    #
    # [pagination]
    # type = "page"                  # \(styles)
    # param = "page"
    # size = { param = "per_page", default = 20, max = 100 }
    #
    # [rows]
    # path = "books"                 # path of the rows in a response
    # id = "isbn"                    # identifies a row
    # total = "count"
    # link = "=https://example.org/book/{isbn}"
    #
    # [[columns]]
    # path = "title"
    # width = { min = 16, weight = 3 }
    # [[columns]]
    # path = "authors[*].name"
    # title = "Author"
    # [[columns]]
    # path = "published_at"
    # format = "date"
    """
}
