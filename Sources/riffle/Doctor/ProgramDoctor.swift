import Config

/// Checks the user's programs that the pager may start.
struct ProgramDoctor {
  let environment: [String: String]
  let settings: Settings

  func results() -> [DoctorCheck] { [opener, clipboard] }

  private var search: ExecutableSearch { ExecutableSearch(environment: environment) }

  private var opener: DoctorCheck {
    let program = settings.opener.command.first ?? ""
    if let path = search.path(of: program) { return .fine("links open with \(path)") }
    let text = "links cannot be opened: \(program) is not installed"
    if settings.opener.command == Settings().opener.command {
      return .note("\(text). Set opener.command in config.toml to use another program")
    }
    return .problem(text, remedy: "fix opener.command in config.toml")
  }

  private var clipboard: DoctorCheck {
    let path = Clipboard.programs(environment: environment).lazy.compactMap(search.path).first
    if let path { return .fine("text is copied with \(path), or by the terminal if it supports OSC 52") }
    return .note("no clipboard program found (wl-copy, xclip, xsel): text is copied by the terminal (OSC 52)")
  }
}
