private import Search

/// Generates `config.example.toml` from the settings schema: each setting with its summary and default, and
/// an example of a source. Used unedited, it changes nothing.
package struct ExampleFile: Sendable {
  package let text: String

  package init(_ schema: SettingsSchema) {
    let blocks = [Self.head] + schema.sections.map { Self.block($0, schema) } + [Self.sources, Self.source]
    text = blocks.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  private static func block(_ section: String, _ schema: SettingsSchema) -> [String] {
    let settings = schema.settings(in: section)
    let lines = settings.first?.kind == .keys ? settings.flatMap(keyLines) : settings.flatMap(lines)
    return introduction(of: section, schema) + ["[\(section)]"] + lines
  }

  private static func lines(of setting: Setting) -> [String] {
    ["# \(setting.summary)\(note(on: setting))", line(of: setting)].compactMap(\.self)
  }

  /// What summary and value do not show.
  private static func note(on setting: Setting) -> String {
    switch setting.kind {
    case .integer(let range): " From \(range.lowerBound) to \(range.upperBound)."
    case .choice(let words): " One of: \(words.joined(separator: ", "))."
    case .duration(_, let word?): " Or \"\(word)\"."
    case .bool, .duration, .path, .source, .look, .command, .keys: ""
    }
  }

  /// A setting without a default is commented out, and so are keys, so that a changed default of a later
  /// version takes effect.
  private static func line(of setting: Setting) -> String? {
    if let standard = setting.standard {
      return "\(setting.kind == .keys ? "# " : "")\(setting.name) = \(standard.toml)"
    }
    return setting.sample.map { "# \(setting.name) = \($0.toml)" }
  }

  /// Omits actions without a key in this mode.
  private static func keyLines(of setting: Setting) -> [String] {
    line(of: setting).map { ["\($0)  # \(setting.summary)"] } ?? []
  }

  private static func introduction(of section: String, _ schema: SettingsSchema) -> [String] {
    if section == "theme" { return theme }
    guard section == schema.keys.modes.first.map({ "keys.\($0)" }) else { return [] }
    return keys + ["# The modes are \(schema.keys.modes.joined(separator: ", "))."]
  }
}

// MARK: Fixed parts

extension ExampleFile {
  private static let head = lines(
    """
    # Settings of riffle, each with its default. Copy this file to ~/.config/riffle/config.toml (riffle config init
    # does) and keep what you change. An environment variable wins over this file (RIFFLE_SEARCH_PAGE_SIZE=50), an
    # option of the command line over both. Durations are written "400ms", "60s", "5m", "2h". A setting that is
    # commented out has no default of its own; the line above says what counts then.
    """)

  private static let theme = lines(
    """
    # A role is set with words: one of the terminal's sixteen colors by name (black red green yellow blue magenta
    # cyan white, bright-black …), one of 256 by number (16 to 255), #rrggbb, and bold dim italic underline
    # reverse; behind "on" the colors are those of the background: "white on blue"; or "plain". The richest color that
    # the terminal has counts. Unset, a role looks as its theme says.
    """)

  private static let keys = lines(
    """
    # The default keys of each action, by mode. Setting an action replaces all its keys, [] removes them, and an
    # action that has one of these keys by default loses it. A key is "j", "J", "space", "tab", "shift-tab", "enter",
    # "esc", "f5", "ctrl-x", "alt-up"; "y c" is one after the other. One key needs no brackets: quit = "Q".
    """)

  private static let sources = lines(
    """
    # Changes to a source there is: by name, any key that its file may have.
    #
    # [sources.github]
    # options.sort = "stars"         # what an option is when you set none
    # [sources.npm]
    # enabled = false                # not listed, and refused
    """)

  private static let source = lines(
    """
    # A source is a file of its own. This one, without the leading "# ", would be
    # ~/.config/riffle/sources/books.toml and make `riffle books` search it.
    #
    # schema = 1
    # id = "books"
    # title = "A library's books"
    #
    # [request]
    # url = "https://api.example.org/books"
    # params = { q = "{query}", sort = "{sort?}" }   # {sort?}: left out when empty
    #
    # [options.sort]                 # riffle books --set sort=newest
    # values = ["", "newest"]
    #
    # [auth]                         # only when the service wants a token; never the token itself
    # type = "bearer"
    # from = ["env:BOOKS_TOKEN", "cmd:pass show books"]
    # optional = true
    #
    # [pagination]
    # type = "page"                  # page, offset, link, cursor or none
    # param = "page"
    # size = { param = "per_page", default = 20, max = 100 }
    #
    # [rows]
    # path = "books"                 # where the rows are in a reply
    # key = "isbn"                   # what tells them apart
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
    """)

  private static func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }
}
