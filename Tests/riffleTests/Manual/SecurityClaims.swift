/// A security promise of riffle, and the names of the tests that back it.
struct SecurityClaim {
  let text: String
  let tests: [String]

  struct Group {
    let title: String
    let claims: [SecurityClaim]
  }

  static let groups = [
    Group(title: "TRUST", claims: trust), Group(title: "WHAT A SERVICE SENDS", claims: replies),
    Group(title: "WHERE REQUESTS GO", claims: requests), Group(title: "SECRETS", claims: secrets),
    Group(title: "FILES", claims: files), Group(title: "RECORDINGS", claims: recordings),
    Group(title: "OTHER PROGRAMS", claims: programs), Group(title: "BOUNDS", claims: bounds),
  ]

  private static let trust = [
    SecurityClaim(
      text:
        "Trusted are the program, its built-in sources, your command line and environment, and files of your own folder that you own and nobody else can write, through every link that leads to them.",
      tests: [
        "A file is trusted if only its owner, the user, can change it.",
        "A file elsewhere is not trusted, and neither is a link to a trusted one.",
        "A link is trusted if every place it leads through is.",
      ]),
    SecurityClaim(
      text:
        "So are the settings: a file that others may write names no program to run and no certificates to trust, and a run with such a one stops.",
      tests: [
        "A file that others may write cannot name a program to run or certificates to trust.",
        "Every command refuses settings that name a program and that others may write.",
      ]),
    SecurityClaim(
      text:
        "A source that is named by its path, or laid over by a file that is not trusted, may not use credentials. It is told which it asks for and where they would go; `--trust` allows it for this run, `riffle sources add` for good.",
      tests: [
        "A file elsewhere may not use credentials until it is trusted.",
        "A source is trusted no more than the settings file that changes it.",
        "A source changed by an untrusted file is not trusted either.",
        "A file is copied after its credentials are shown, and is trusted from then on.",
      ]),
    SecurityClaim(
      text: "A source changed to ask another origin does not take the credentials along.",
      tests: [
        "A source that requests another origin inherits no credentials.",
        "A secret is not sent to another origin chosen by an option.",
      ]),
  ]

  private static let replies = [
    SecurityClaim(
      text:
        "Nothing a service sends drives the terminal: in cells, messages, addresses, titles and every output format on a terminal, control, bidirectional and invisible characters are replaced or dropped, after everything else was decoded.",
      tests: [
        "No scalar lets a control, a bidirectional control or an invisible character through",
        "On a terminal, characters that could control it are escaped, and the JSON value is unchanged.",
        "On a terminal, values and keys are sanitized.",
        "Sanitizing last keeps references from controlling the terminal.",
      ]),
    SecurityClaim(
      text:
        "Into a pipe or file values are exact. `--csv-safe` lets no cell of CSV be a formula, nor what a spreadsheet that divides at `;`, tabs or line breaks would make a cell.",
      tests: [
        "Values written to a pipe are exact.",
        "With --csv-safe, no field is a formula, and numbers stay numbers.",
        "With --csv-safe, no text after a delimiter of another format is a formula.",
      ]),
    SecurityClaim(
      text:
        "The link of a row, `@link`, is an http or https address without user name, blanks or quotes, else empty.",
      tests: [
        "A link is an address that can be opened, or empty.",
        "The link of a row is an address that can be opened, or empty.",
      ]),
    SecurityClaim(
      text:
        "Values are placed in a request, never pasted: a query cannot change the address, a header or a body around it.",
      tests: ["Hostile values stay within their place."]),
  ]

  private static let requests = [
    SecurityClaim(
      text:
        "Redirects and next pages are followed to the same origin only, or from http to https of the same host. `pagination.hosts` lists other hosts, and those get no credential.",
      tests: [
        "Redirects are followed only to the same origin or to its host over TLS.",
        "Another origin gets no request unless it is listed, and then without the credential.",
        "A redirect to a listed host carries no credential, nor does a redirect back.",
        "A next link to a listed host carries no credential.",
      ]),
    SecurityClaim(
      text:
        "An address in a reply never leads to this machine or a private network, also not by the address of a name, unless the source itself is there.",
      tests: [
        "A literal host is classified by its network, in every notation.",
        "A next link to a name with a private address is refused before anything is sent.",
        "A redirect from outside to a name with a private address is refused.",
      ]),
    SecurityClaim(
      text:
        "Every connection is judged by the address it has: a host of your source that was at a public address is not asked at a private one (DNS rebinding), and a name of this machine (`localhost`) is asked on this machine only. Where a proxy leads is the proxy's to decide.",
      tests: [
        "A host seen at a public address gets no request at a private one.",
        "A name of this machine is requested only on this machine.",
      ]),
    SecurityClaim(
      text:
        "Certificates are checked against the system's roots, `tls.ca_file` or `SSL_CERT_FILE`; TLS 1.2 is the least. With `--insecure` they are not, and every run says so, also with `--quiet`.",
      tests: [
        "TLS 1.2 is the minimum version.",
        "A certificate that the system does not know is refused.",
        "A certificate for another name is refused.",
        "A root certificate in a file is trusted, by option or by variable.",
        "A run that does not check certificates says so even with --quiet.",
      ]),
    SecurityClaim(
      text:
        "A proxy gets requests by CONNECT and sees no credential of an https service; none is used for this machine. Its own login is in no message.",
      tests: [
        "Requests go through the proxy by CONNECT, except those to this machine.",
        "A failure of a proxy is reported without its login.",
      ]),
    SecurityClaim(
      text: "The embedded API server listens on the loopback interface, and answers to its own names only.",
      tests: ["A request for another host name is refused.", "Only the server's own names are accepted."]),
  ]

  private static let secrets = [
    SecurityClaim(
      text:
        "Secrets come from the environment, from files and from programs that a source names. One that is written into a source or the settings is refused, and not repeated.",
      tests: [
        "Secrets come from elsewhere and are never shown.",
        "A parameter or header whose name suggests a secret is treated as one, also in an address.",
        "A value in the place of a secret's name is shown only if it names a secret.",
        "The first place that has a secret wins, the environment before the others.",
      ]),
    SecurityClaim(
      text:
        "They go to the source's own origin and to hosts that its `auth.hosts` lists, over https or to this machine, and nowhere else.",
      tests: [
        "Rule 16: a credential is sent only to the origin of the source.",
        "Plain http carries no credential except to this machine.",
        "No other host gets a secret, or a header that may contain one.",
        "A field that may be personal is sent only to the origin of the source.",
      ]),
    SecurityClaim(
      text: "Cookies are kept in memory for one run, and go back to the source's own origin only.",
      tests: [
        "Cookies are kept within a run, including redirects, but not beyond it.",
        "Another host gets no cookie and sets none.",
      ]),
    SecurityClaim(
      text:
        "Messages, screen, request log, history, recordings, resume files and `--dry-run` hold none, even where a service repeats one: as it is, percent-encoded, in Base64, escaped in JSON or HTML, or cut off. Secrets of fewer than 8 bytes are only left out where they stand as a credential.",
      tests: [
        "No file, message or screen of a run or a session contains the secret.",
        "Whatever a service does with a secret, nobody else sees it.",
        "Escapes, and escapes of escapes, do not hide a secret.",
        "Base64 of a text that contains a secret does not reveal it.",
        "In a truncated text, the remaining part of a secret is redacted.",
        "A secret that a service puts into the host of a redirect is in no message.",
        "A short secret is not redacted, since its text may occur anywhere.",
      ]),
    SecurityClaim(
      text:
        "Rows are data: where a service puts a secret into its rows, the screen and the output have it. Recordings do not.",
      tests: [
        "A recording contains no credential, whatever repeats it, and can still be replayed."
      ]),
  ]

  private static let files = [
    SecurityClaim(
      text:
        "Settings, sources, history, recordings and resume files are made for you alone: 0600, folders 0700. That of `--output` follows the umask.",
      tests: [
        "Files are owner-only, and an existing one is not overwritten.",
        "The example file is owner-only and never overwrites a file.",
        "Queries are remembered by source, in owner-only files, the latest last.",
        "A recorded session is replayed to its end, from an owner-only file.",
      ]),
    SecurityClaim(
      text: "Rows that no longer fit into memory go to a file without a name, which ends with the program.",
      tests: ["Rows are kept in a file without a name."]),
    SecurityClaim(
      text: "The history has the queries that were submitted, but none that begins with a space.",
      tests: ["A submitted query is remembered once, and one that begins with a blank is not."]),
  ]

  private static let recordings = [
    SecurityClaim(
      text:
        "A recording holds all that happened: the rows, every key that was typed, what was pasted, queries of the history, addresses and messages. A secret that you type into a line is in it. Read a recording before you pass it on.",
      tests: [
        "An event has one form, and is read back from it.",
        "After a failure, the messages offer a recording, which shows the failure again.",
      ]),
    SecurityClaim(
      text:
        "It is read as somebody else's: what it says is checked and bounded, and damage is told by its line.",
      tests: [
        "Damage and numbers beyond all bounds never crash a replay.",
        "An invalid event is refused with its place.",
        "The concurrency and row limit of a recorded session stay within the bounds of the settings.",
        "A file larger than any recording is not read.",
      ]),
    SecurityClaim(
      text:
        "A replay asks no service, opens, copies and writes nothing, and shows no text that could drive the terminal.",
      tests: [
        "A replay can be skipped to its end and browsed, and performs no action.",
        "Text in a recording cannot control the terminal.",
      ]),
  ]

  private static let programs = [
    SecurityClaim(
      text:
        "Programs get their arguments as a list, without a shell: those of `cmd:` credentials, the opener, the editor, and those that take copies.",
      tests: [
        "An address is a single argument, whatever it contains.",
        "The output of a program is read, its input arrives, and its failures are reported.",
        "Files are edited with the program named in the environment.",
      ]),
    SecurityClaim(
      text:
        "A `cmd:` credential has ten seconds for its first line, whatever the program does; then it is ended, with all it has started in its process group.",
      tests: [
        "The first line of a program is taken as soon as it is complete.",
        "A program that prints no line in time is terminated with all its child processes.",
        "A first line without an end is not read forever.",
      ]),
    SecurityClaim(
      text: "Only http and https addresses are opened, and only when you press a key.",
      tests: ["Only web addresses are opened.", "An action opens an address or copies text."]),
    SecurityClaim(
      text:
        "What `--dry-run` prints can be pasted into sh, bash and zsh: every text is in single quotes, and only what reads a secret is run, the variable, file or program that the source names.",
      tests: [
        "A request is printed as a shell command that reads the secrets from their origins.",
        "A shell sends what riffle would send, and runs nothing from any text in it.",
      ]),
  ]

  private static let bounds = [
    SecurityClaim(
      text:
        "A page has at most 32 MiB, unpacked, 64 levels and 100,000 rows, and comes within `--timeout`; headers have 64 KiB. What is more ends as a message, not as a crash.",
      tests: [
        "A hostile body is a clear error and takes less than 100 MiB.",
        "A hundred thousand open brackets are an error, not a crash.",
        "Nesting of 64 levels is accepted, and the limit can be set.",
        "A slow drip ends at the total time limit.",
        "A status line without a status from 100 to 999 is refused.",
        "A head of any kind is a reply or a failure.",
      ]),
    SecurityClaim(
      text:
        "No service brings riffle to ask without end: pages that repeat end the list, redirects end after five, and a chain of requests without progress is stopped.",
      tests: [
        "Five redirects are followed, and the sixth is refused.", "An endless series of empty pages trips",
        "Any order of events keeps the pager consistent.",
      ]),
  ]
}
