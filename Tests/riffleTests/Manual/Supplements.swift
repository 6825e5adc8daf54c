@testable import riffle

/// The parts of the manual that the definitions of commands do not contain.
enum Supplements {
  /// Sessions on the embedded source, by command. A test runs them.
  static let examples = [
    "search": """
    $ riffle search unicode snowman -f csv -c name,code_point
    name,code_point
    SNOWMAN,U+2603
    SNOWMAN WITHOUT SNOW,U+26C4
    BLACK SNOWMAN,U+26C7
    $ riffle search unicode snowman --all -q --sort age:desc -c age,name
    5.2	SNOWMAN WITHOUT SNOW
    5.2	BLACK SNOWMAN
    1.1	SNOWMAN
    $ riffle search unicode snowman --template '{code_point} {name}' -n 1
    U+2603 SNOWMAN
    $ riffle search unicode snowman --count
    3
    $ riffle search unicode snowman --dry-run
    curl 'http://riffle.localhost/characters?q=snowman&page=1&per_page=30' \\
      -H 'Accept: application/json, */*;q=0.1' \\
      -H 'User-Agent: riffle/0.1.0' \\
      --compressed
    """,
    "config": """
    $ RIFFLE_SEARCH_PAGE_SIZE=50 riffle config show | grep page_size
    search.page_size = 50
    $ RIFFLE_SEARCH_PAGE_SIZE=many riffle config check
    riffle: RIFFLE_SEARCH_PAGE_SIZE: expected an integer from 1 to 10000, found "many"
    """,
    "sources": """
    $ riffle sources list | grep -c 'built in'
    22
    $ riffle sources check unicode
    unicode is fine (built in)
    """,
  ]

  static func meaning(of status: ExitStatus) -> String {
    switch status {
    case .done:
      "Done; also when there were no rows, when `--limit` or a service's own limit ended the list, or when the reader of a pipe went away. `doctor`: nothing is wrong, or there are only warnings."
    case .failed:
      "Failed before the first row; with `--fail-empty` also when there were none. `doctor`: something is wrong."
    case .partial: "Stopped after some rows; they are written, and the last message says how to go on."
    case .unauthorized: "Not authorised: a credential is missing or refused."
    case .rateLimited: "Rate limited, for longer than `--max-wait`."
    case .usage: "Wrong usage: an option, a source nobody has, or `pick` without a terminal."
    case .output: "The output cannot be written."
    case .configuration: "Wrong configuration: everything that is wrong is told, with file, line and column."
    }
  }

  static let signals =
    "After INT, TERM or HUP complete rows are flushed and the program ends by that signal, which a shell tells as 130, 143 or 129; so does a session that is left by one (131 by Ctrl-\\). `pick` left without choosing is 130."

  static let statistics =
    "`--stats` writes one JSON object: `rows`, `pages`, `requests`, `retries`, `total`, `total_kind`, `duplicates`, `ended_by`, `cap` and `status`. Each redirect counts as a request."

  static let formats =
    "Data has values, never pictures: numbers by their own text, dates as RFC 3339 in UTC, nothing for what is missing. `json` and `jsonl` have the service's own objects, or with `--columns` objects of those. On a terminal every format is freed of what could drive it."

  static let sorting =
    "Rows are sorted by values, on the screen and in a pipe alike: numbers by all their digits, and texts that are plain decimals with them; then texts by their letters, without regard to case and to the accents of Latin letters, which count only between texts that are equal otherwise. Times are sorted by their instant, what is missing comes last, and equal rows stay in the order they came. The order does not depend on the locale."

  /// The columns that every source has.
  static let columns = [
    ("*", "All keys of the first page, in their order."),
    ("@link", "The http or https address the row leads to; nothing when it has none."),
    ("@key", "What tells it from others."), ("@page", "The page it came with."),
    ("@source", "The source's id."), ("@json", "The row itself."),
  ]

  /// Files and their contents.
  static let files = [
    (
      "~/.config/riffle/config.toml",
      "The settings: `riffle-config`(5). `$XDG_CONFIG_HOME` takes the place of `~/.config`; `--config` and `RIFFLE_CONFIG` name another file."
    ),
    (
      "~/.config/riffle/sources/NAME.toml",
      "A source of your own, or what is laid over a built-in one of the same id: `riffle-sources`(5)."
    ),
    (
      "~/.local/state/riffle/history.jsonl",
      "The queries of former sessions, one JSON object a line; a query that begins with a space is not kept. `$XDG_STATE_HOME` takes the place of `~/.local/state`."
    ),
    (
      "FILE.riffle",
      "The progress of a run that writes FILE (`--output`) as csv, tsv or jsonl: what `--resume` continues from. It is removed when a run without `--resume` is complete, and kept when one with `--resume` is, so that the same command, in a loop or by cron, finds that FILE is complete: status 0, nothing requested. A FILE that has changed since, or that another riffle is writing, is left alone."
    ),
  ]

  /// Environment variables that are read, except those of settings and credentials.
  static let variables = [
    ("RIFFLE_CONFIG", "The settings file."),
    ("HOME, XDG_CONFIG_HOME, XDG_STATE_HOME", "Where the files above are."),
    (
      "TERM, COLORTERM, TERM_PROGRAM, TERM_PROGRAM_VERSION, VTE_VERSION, WT_SESSION",
      "What the terminal can. Empty or `dumb`, and `browse` is `search`."
    ),
    ("NO_COLOR, CLICOLOR_FORCE", "No colors, or colors also in a pipe; `--color` wins over both."),
    (
      "ESCDELAY, SSH_CONNECTION, SSH_TTY",
      "How long Esc waits to see whether it begins a longer key, in milliseconds; longer over SSH."
    ),
    (
      "TMUX, WAYLAND_DISPLAY, DISPLAY, WSL_DISTRO_NAME",
      "Which program takes copies: `tmux`, `wl-copy`, `xclip` or `xsel`, `clip.exe`."
    ),
    ("VISUAL, EDITOR", "The editor of `riffle config edit`."),
    (
      "http_proxy, https_proxy, all_proxy, no_proxy",
      "Proxies, as `curl`(1) reads them, also in capitals (`HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`); `HTTP_PROXY` is not read where `REQUEST_METHOD` is set. This machine itself is always asked directly."
    ),
    ("SSL_CERT_FILE", "A PEM file of root certificates in place of the system's."),
    ("PATH, TMPDIR", "Where programs are looked for, and where rows go that no longer fit into memory."),
  ]

  static let security = [
    "Everything that comes from a service is hostile until shown otherwise. Text is freed of control, bidirectional and invisible characters before it reaches a terminal, in every format; into a pipe or file data is exact. `--csv-safe` keeps spreadsheets from taking cells for formulas.",
    "Credentials come from the environment, from files or from programs that a source names (`from = [\"env:NAME\", \"file:PATH\", \"cmd:PROGRAM\"]`), never from the text of a source: a secret written there is refused. They go to the source's own origin only, over https or to this machine, and are left out of messages, logs, recordings, history and resume files. No program is run through a shell.",
    "Sources that are built in, or files in your own folder that nobody else can write, may use their credentials. A source named by its path may not, unless you say `--trust`. Nothing is read from the working directory unless you name it.",
    "Next pages and redirects are followed to the same origin only; `pagination.hosts` lists others, and those get no credential. An address in a reply never leads to this machine or a private network unless the source itself is there. Sizes, depths, numbers of rows and times are bounded.",
    "Links are opened only when they begin with http or https, as one argument. `--insecure` takes any certificate and says so in every run.",
  ]
}
