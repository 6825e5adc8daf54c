import Config

/// Checks the user's programs that the pager may start.
struct ProgramDoctor {
  let environment: [String: String]
  let settings: Settings

  func findings() -> [Finding] { [opener, clipboard] }

  private var search: ExecutableSearch { ExecutableSearch(environment: environment) }

  private var opener: Finding {
    let program = settings.opener.command.first ?? ""
    if let path = search.path(of: program) { return .fine("links are opened by \(path)") }
    let text = "links are not opened: \(program) is not installed"
    if settings.opener.command == Settings().opener.command {
      return .note("\(text); opener.command in config.toml names another")
    }
    return .problem(text, remedy: "correct opener.command in config.toml")
  }

  private var clipboard: Finding {
    let path = Clipboard.programs(environment: environment).lazy.compactMap(search.path).first
    if let path { return .fine("copies go to \(path), unless the terminal is known to take them") }
    return .note("no program for copies is there (wl-copy, xclip, xsel): the terminal is given them (OSC 52)")
  }
}
