import Output

@testable import App
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
    $ riffle search unicode snowman --all -q --sort age:desc -f csv -c age,name
    age,name
    5.2,SNOWMAN WITHOUT SNOW
    5.2,BLACK SNOWMAN
    1.1,SNOWMAN
    $ riffle search unicode snowman --template '{code_point} {name}' -n 1
    U+2603 SNOWMAN
    $ riffle search unicode snowman --count
    3
    $ riffle search npm react --dry-run
    curl 'https://registry.npmjs.org/-/v1/search?text=react&from=0&size=20' \\
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
    $ riffle sources list characters
    reference
      unicode  Unicode characters
    $ riffle sources check unicode
    unicode: no mistakes in the document (built in)
    """,
  ]

  static func meaning(of status: ExitStatus) -> String {
    switch status {
    case .done:
      "Success. This includes no results, a list cut off by `--limit` or `--max-pages`, and a closed pipe. Rows may be missing only if a warning says so; see `--fail-incomplete`. `doctor`: no problems, or only notes."
    case .failed:
      "Failure before the first row; with `--fail-empty`, no rows. `doctor`: problems found."
    case .partial:
      "Stopped after some rows, by an error or a limit of the service. These rows are written. A message names the reason and, where possible, how to continue. With `--fail-incomplete`, rows may be missing."
    case .unauthorized: "Not authorized: a credential is missing or rejected."
    case .rateLimited: "Rate limited for longer than `--max-wait`."
    case .usage: "Usage error, such as an invalid option, an unknown source, or `pick` without a terminal."
    case .output: "Output error: rows cannot be written."
    case .configuration:
      "Configuration error: a setting, an environment variable or a source is invalid or not safe, or a source that is not trusted would use credentials."
    }
  }

  static let signals =
    "On INT, TERM or HUP, complete rows are written and riffle ends with that signal, which shells report as 130, 143 or 129; an interactive session does the same (131 for Ctrl-\\). `pick` returns 130 if canceled."

  static let statistics =
    "`--stats` writes one JSON object: `rows`, `pages`, `requests`, `retries`, `bytes`, `seconds`, `total`, `total_kind`, `duplicates`, `ended_by`, `cap`, `complete`, `reason` and `status`, and `parts` with `--split`, and `lists` and `lists_failed` with `--each`. `complete` is true if the end of the list is proved, null if something contradicts it, and false if the run ended before the list did; `reason` names the cause. `ended_by` is `last`, `empty-page`, `total` or `status` at the end of the list; `repeats`, `empty-pages`, `cap` or `refused-next` if the service ended it early; `page`, `limit` or `max-pages` if you limited the run; `shard` at the end of a shard; `offline`, `connection`, `rate-limited`, `unauthorized`, `rejected`, `server`, `unreadable` or `invalid-request` after a failure; `column`, `output`, `closed-output`, `signal` or `loop-guard` otherwise. Each redirect counts as a request; `bytes` is the size of the response bodies as received, and `seconds` the duration of the run."

  static let sinceLast = [
    "`--since-last` compares rows with those of the last complete run of the same search. A row is the same if its id is (`rows.id` of the source; with `--each`, the parents count, too). It is changed if any of its fields is; with `--columns` or `--template`, only these columns count. In a source without `rows.id`, a changed row is a new one. `--format`, `--sort` and `--output` may differ between runs. A FILE of `--output` is replaced by each run; use `>>` to collect the rows of all runs.",
    "The state of a search contains a 24-byte hash of each row. Its file is named after source, query and options, or `--state`. It changes only after a complete run whose output is written, not after a run that failed, was limited (`--limit`, `--max-pages`, a limit of the service) or interrupted, or may lack rows. Such a run says so in one line, and the next one writes its rows again. riffle refuses a run with the state of another search (exit status 64). If two runs use one state at the same time, it refuses the second (1).",
    "If the source declares `[since]`, riffle requests only rows that changed since the last run. riffle then does not notice changes that the service does not date, such as votes, or rows that disappeared. With `--each`, riffle reads all lists in full, because a list may be new.",
    "`--deleted` writes the ids of rows of the last complete run that are missing from the list now, as JSON Lines: `{\"id\": \"42\"}`, with `--each` `{\"id\": \"42\", \"parents\": [\"7\"]}`. From its first use on, the state contains the ids, too. `--deleted` reads the entire list, even if the source declares `[since]`. The file is written only after a complete run. `--since-last` cannot be used with `--watch`, `--resume`, `--from-page` or `--count`.",
  ]

  static let sinceLastExample: [Substring] = [
    "riffle search crates tui --since-last -q -f jsonl >> new-crates.jsonl",
    "riffle search stackoverflow swift -s sort=activity --since-last --state swift -c title,link",
    "riffle search crates tui --since-last --deleted gone.jsonl -o news.csv", "riffle state reset swift",
  ]

  static let completeness =
    "A list is complete if its end is proved: by the service's own signals, its total, or an empty page. If something contradicts the end, such as a total that is never reached or a response that calls itself incomplete, a warning says so, even with `--quiet`. With `--fail-incomplete`, riffle then exits with status 3, for jobs that need the complete list:"

  static let completenessExample = """
    0 6 * * * riffle search crates tui --all --fail-incomplete -q -o tui.csv || mail -s "tui.csv is incomplete" me
    """

  static let parts =
    "Some services return only the first rows of a list: GitHub's search 1,000 of 52,341. `--all` then ends with status 3, and says how many rows there are. If the source has a table `[split]` (see `riffle-sources`(5)), `--split` reads all of them: riffle requests ranges, such as the repositories created in a month, and narrows a range until the service returns all of its rows. Rows are in the order of the ranges, each once. At the end, riffle compares their number with the total of the entire list, and warns of a difference. If a range cannot be narrowed, such as a second with more rows than the service returns, riffle names it and exits with status 3. `--split --dry-run` requests only the totals, and prints each range with its number of rows. The pager continues automatically if the list is sorted by the field of the ranges, and otherwise with `Alt-m`."

  static let partsExample = """
    riffle search github swift --all --split -f csv -o swift.csv --resume
    riffle search github swift --all --split --dry-run
    """

  static let formats =
    "`csv`, `tsv`, `json` and `jsonl` contain exact values: numbers as the service wrote them, dates in RFC 3339 format in UTC, and nothing for missing values. `json` and `jsonl` contain the objects of the service, or with `--columns` objects with those fields. `--template` implies `--format template`. On a terminal, control characters are removed from every format."

  static let sorting =
    "Sorting compares values, both on the screen and in a pipe. Numbers come first, compared exactly, together with strings that are plain decimal numbers. Then come strings, ignoring case and the accents of Latin letters except to break ties. Times are compared as instants, missing values come last, and equal rows keep their order. The locale has no effect."

  /// The columns that every source has.
  static let columns: [(String, String)] =
    [("*", "All fields of the first page, in their order.")]
    + ReservedColumn.allCases.map { ($0.rawValue, meaning(of: $0)) }

  private static func meaning(of column: ReservedColumn) -> String {
    switch column {
    case .link: "The http or https URL that the row links to; empty if there is none."
    case .key:
      "The row id. In a value expression, `@key` is the name of a row's field; see `riffle-sources`(5)."
    case .page: "The number of its page."
    case .parent: "The value of the parent's row, for sources with a parent."
    case .source: "The id of the source."
    case .json: "The row as JSON."
    }
  }

  /// Files and their contents.
  static let files = [
    (
      "~/.config/riffle/config.toml",
      "Settings; see `riffle-config`(5). `$XDG_CONFIG_HOME` replaces `~/.config`; `--config` and `RIFFLE_CONFIG` select another file."
    ),
    (
      "~/.config/riffle/sources/NAME.toml",
      "A source of yours, or changes to the built-in source with the same id; see `riffle-sources`(5)."
    ),
    (
      "~/.local/state/riffle/history.jsonl",
      "Queries of earlier sessions, one JSON object per line; queries that start with a space are not saved. `$XDG_STATE_HOME` replaces `~/.local/state`."
    ),
    (
      "~/.local/state/riffle/since/NAME.state",
      "The state of `--since-last`: hashes of the rows of the last complete run, and its query; see `riffle-state`(1)."
    ),
    (
      "FILE.riffle",
      "The progress of a run that writes FILE (`--output`) as \(OutputFormats.resumable), for `--resume`. Without `--resume`, it is deleted when the run is finished. With `--resume`, it remains: a repeated command (cron, a loop) sends no request and exits as the finished run did. Such a run does not write a FILE that has changed since, or that another riffle process is writing; without `--resume`, FILE is replaced."
    ),
  ]

  /// Environment variables that are read, except those of settings and credentials.
  static let variables = [
    ("RIFFLE_CONFIG", "The settings file."),
    ("HOME, XDG_CONFIG_HOME, XDG_STATE_HOME", "The location of the files above."),
    (
      "TERM, COLORTERM, TERM_PROGRAM, TERM_PROGRAM_VERSION, VTE_VERSION, WT_SESSION",
      "The features of the terminal. If `TERM` is empty or `dumb`, `browse` writes one page of rows, as `search` does; `--plain` needs no features."
    ),
    ("NO_COLOR, CLICOLOR_FORCE", "Disable color, or force it in a pipe; `--color` overrides both."),
    (
      "ACCESSIBLE",
      "Turn on `pager.accessible`, the mode for screen readers. Empty and 0 do not. `--plain` needs no screen at all."
    ),
    (
      "ESCDELAY, SSH_CONNECTION, SSH_TTY",
      "How long to wait after Esc for the rest of a key sequence, in milliseconds; longer over SSH."
    ),
    (
      "TMUX, WAYLAND_DISPLAY, DISPLAY, WSL_DISTRO_NAME",
      "The program to copy with: `tmux`, `wl-copy`, `xclip` or `xsel`, `clip.exe`."
    ),
    ("STY", "GNU screen, through which text is copied to the terminal's clipboard."),
    ("COLUMNS", "The width of help, in place of the terminal's."),
    ("VISUAL, EDITOR", "The editor for `riffle config edit` and `riffle sources edit`."),
    (
      "http_proxy, https_proxy, all_proxy, no_proxy",
      "Proxies, as for `curl`(1), in lower or upper case (`HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`). `HTTP_PROXY` is ignored if `REQUEST_METHOD` is set. Requests to this machine never use a proxy."
    ),
    ("SSL_CERT_FILE", "A PEM file of root certificates to use instead of those of the system."),
    ("PATH, TMPDIR", "Where to find programs, and where to store rows that do not fit into memory."),
  ]

  static let security = [
    "All data from a service is treated as hostile. Control, bidirectional and invisible characters are removed before text reaches a terminal, in every format; in a pipe or file, data is exact. `--csv-safe` prevents spreadsheets from reading cells as formulas.",
    "Credentials come from environment variables, files or programs that a source names (`from = [\"env:NAME\", \"file:PATH\", \"cmd:PROGRAM\"]`); a credential written in a source is rejected. Credentials are sent only to the source's own origin, over https or to this machine, and never appear in messages, logs, recordings, history or progress files. Programs that a source or a setting names never run through a shell; a command typed after `|` in the pager does, and rows reach it only on its standard input.",
    "Built-in sources, and files in your own sources directory that nobody else can write, may use their credentials. A source named by its path may not, unless you pass `--trust`. Nothing is read from the working directory unless you name it.",
    "Next pages and redirects are followed only to the same origin; `pagination.hosts` can list others, which get no credentials. A URL in a response is never followed to this machine or a private network unless the source itself is there. Sizes, nesting, row counts and times are limited.",
    "Links are opened only if they start with http:// or https://, and are passed as a single argument. `--insecure` accepts any certificate and prints a warning on every run.",
  ]
}
