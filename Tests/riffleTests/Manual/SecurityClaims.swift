/// A security guarantee of riffle, and the names of the tests that check it.
struct SecurityClaim {
  let text: String
  let tests: [String]

  struct Group {
    let title: String
    let claims: [SecurityClaim]
  }

  static let groups = [
    Group(title: "TRUST", claims: trust), Group(title: "DATA FROM SERVICES", claims: responses),
    Group(title: "REQUESTS", claims: requests), Group(title: "CREDENTIALS", claims: secrets),
    Group(title: "FILES", claims: files), Group(title: "RECORDINGS", claims: recordings),
    Group(title: "OTHER PROGRAMS", claims: programs), Group(title: "RESOURCE LIMITS", claims: bounds),
  ]

  private static let trust = [
    SecurityClaim(
      text:
        "riffle trusts its built-in sources, your command line and environment, and files in your own directory that only you can write. It trusts a symbolic link only if it trusts every directory and link on its path.",
      tests: [
        "A file is trusted if only its owner, the user, can change it.",
        "A file elsewhere is not trusted, and neither is a link to a trusted one.",
        "A link is trusted if every place it leads through is.",
      ]),
    SecurityClaim(
      text:
        "A settings file that others can write cannot select a program to run or certificates to trust. riffle stops if it tries to.",
      tests: [
        "A file that others may write cannot name a program to run or certificates to trust.",
        "Every command refuses settings that name a program and that others may write.",
      ]),
    SecurityClaim(
      text:
        "A source that is named by its path, or changed by an untrusted file, may not use credentials. riffle shows which credentials the source names and where it would send them. `--trust` allows them for one run, `riffle sources add` permanently.",
      tests: [
        "A file elsewhere may not use credentials until it is trusted.",
        "A source is trusted no more than the settings file that changes it.",
        "A source changed by an untrusted file is not trusted either.",
        "A file is copied after its credentials are shown, and is trusted from then on.",
      ]),
    SecurityClaim(
      text: "A source that is changed to use another origin does not inherit credentials.",
      tests: [
        "A source that requests another origin inherits no credentials.",
        "A server whose credential is not named gets none.",
        "A secret is not sent to another origin chosen by an option.",
      ]),
  ]

  private static let responses = [
    SecurityClaim(
      text:
        "A service cannot control the terminal. After all other decoding, riffle replaces or removes control, bidirectional and invisible characters in cells, messages, URLs, titles and every output format on a terminal.",
      tests: [
        "No scalar lets a control, a bidirectional control or an invisible character through",
        "On a terminal, characters that could control it are escaped, and the JSON value is unchanged.",
        "On a terminal, values and keys are sanitized.",
        "Sanitizing last keeps references from controlling the terminal.",
      ]),
    SecurityClaim(
      text:
        "In a pipe or file, values are exact. With `--csv-safe`, no CSV cell is a formula, even in a spreadsheet that splits cells at `;`, tabs or line breaks.",
      tests: [
        "Values written to a pipe are exact.",
        "With --csv-safe, no field is a formula, and numbers stay numbers.",
        "With --csv-safe, no text after a delimiter of another format is a formula.",
      ]),
    SecurityClaim(
      text:
        "The link of a row, `@link`, is empty, or an http or https URL without user name, spaces or quotes.",
      tests: [
        "A link is a URL that can be opened, or empty.",
        "The link of a row is a URL that can be opened, or empty.",
      ]),
    SecurityClaim(
      text:
        "riffle escapes every value in a request. A query cannot change the URL, header or body around it.",
      tests: ["Hostile values stay within their place."]),
  ]

  private static let requests = [
    SecurityClaim(
      text:
        "riffle follows redirects and next pages only to the same origin, or from http to https on the same host. `pagination.hosts` can list other hosts. They get no credentials.",
      tests: [
        "Redirects are followed only to the same origin or to its host over TLS.",
        "Another origin gets no request unless it is listed, and then without the credential.",
        "A redirect to a listed host carries no credential, nor does a redirect back.",
        "A next link to a listed host carries no credential.",
      ]),
    SecurityClaim(
      text:
        "riffle never follows a URL in a response to this machine or a private network, not even through a host name that resolves there, unless the source itself is there.",
      tests: [
        "A literal host is classified by its network, in every notation.",
        "A next link to a name with a private address is refused before anything is sent.",
        "A redirect from outside to a name with a private address is refused.",
      ]),
    SecurityClaim(
      text:
        "riffle checks the IP address of every connection. Once a host name has resolved to a public address, riffle never connects to it at a private one (DNS rebinding). Names of this machine (`localhost`) must resolve to this machine. With a proxy, the proxy decides where to connect.",
      tests: [
        "A host seen at a public address gets no request at a private one.",
        "A name of this machine is requested only on this machine.",
      ]),
    SecurityClaim(
      text:
        "riffle checks certificates against the roots of the system, `tls.ca_file` or `SSL_CERT_FILE`. TLS 1.2 is the minimum. With `--insecure`, riffle does not check certificates, and every run prints a warning, even with `--quiet`.",
      tests: [
        "TLS 1.2 is the minimum version.",
        "A certificate that the system does not know is refused.",
        "A certificate for another name is refused.",
        "A root certificate in a file is trusted, by option or by variable.",
        "A run that does not check certificates says so even with --quiet.",
      ]),
    SecurityClaim(
      text:
        "riffle sends requests through a proxy with CONNECT, so the proxy does not see the credentials of an https service. Requests to this machine never use a proxy. The credentials for a proxy never appear in messages.",
      tests: [
        "Requests go through the proxy by CONNECT, except those to this machine.",
        "A failure of a proxy is reported without its login.",
      ]),
    SecurityClaim(
      text:
        "The embedded API server listens only on the loopback interface and accepts only its own host names.",
      tests: ["A request for another host name is refused.", "Only the server's own names are accepted."]),
  ]

  private static let secrets = [
    SecurityClaim(
      text:
        "`riffle doctor --report`, which is meant to be published, contains no credentials and no text from files or variables, except from the variables that name the terminal and the language.",
      tests: [
        "A secret in the settings or a source is not in the report, even if it is a mistake there.",
        "A secret in a variable is not in the report.",
      ]),
    SecurityClaim(
      text:
        "Credentials come from environment variables, files and programs that a source names, or from the credentials that riffle stores. riffle rejects a credential that is written in a source or in the settings, and never prints it.",
      tests: [
        "Secrets are read from outside the source and are never shown.",
        "A parameter or header whose name suggests a secret is treated as one, even in a URL.",
        "A literal secret is refused by its name.",
        "A value in the place of a secret's name is shown only if it names a secret.",
        "The first place that has a secret wins, the environment before the others.",
      ]),
    SecurityClaim(
      text:
        "riffle sends credentials only to the source's own origin and to the hosts in its `auth.hosts`, over https or to this machine.",
      tests: [
        "Rule 16: a credential is sent only to the origin of the source.",
        "Plain http carries no credential except to this machine.",
        "No other host gets a secret, or a header that may contain one.",
        "Another host, or an unencrypted one, gets the body without its secrets.",
        "A field that may be personal is sent only to the origin of the source.",
      ]),
    SecurityClaim(
      text:
        "riffle sends a client secret, a refresh token and a password only to the token endpoint or login that the source names. Requests for rows carry only the access token.",
      tests: [
        "A token fault has the outcome listed in the table.",
        "The request has options and secrets, and no credential of the pages.",
      ]),
    SecurityClaim(
      text:
        "riffle stores tokens, and API keys that you enter for `riffle auth login`, in files below the state directory that only you can read. It does not use a file that others can access, or a token stored for another origin, token endpoint, client or user. It writes a new refresh token to disk before it uses the access token that came with it.",
      tests: [
        "A credential is stored in a file that only its owner can read.",
        "A file of another user, or one that others can access, is not used.",
        "Each source, origin, client and set of scopes has its own file.",
        "A token belongs to the account that logged in and to the options of the login.",
        "A program that is killed before it uses a new token has stored it.",
      ]),
    SecurityClaim(
      text:
        "The terminal does not show an API key that you enter. riffle restores the terminal if you interrupt the input.",
      tests: ["A typed API key is not shown, and Ctrl-C or a signal stores nothing."]),
    SecurityClaim(
      text:
        "riffle does not put values from the rows of another origin into a request with a credential, unless `parent.hosts` lists that origin.",
      tests: [
        "A credential is not sent along with values from another origin, unless the source allows it.",
        "Values of a parent further up are not sent along with a credential either.",
        "A token is not sent along with values from another origin, unless hosts allows it.",
      ]),
    SecurityClaim(
      text: "Cookies stay in memory for one run. riffle sends them only to the source's own origin.",
      tests: [
        "Cookies are kept within a run, including redirects, but not beyond it.",
        "Another host gets no cookie and sets none.",
      ]),
    SecurityClaim(
      text:
        "Messages, the screen, the request log, history, recordings, progress files and `--dry-run` contain no credentials, even if a service echoes one: verbatim, percent-encoded, in Base64, escaped in JSON or HTML, or truncated. Credentials shorter than 8 bytes are removed only where they are used as a credential.",
      tests: [
        "No file, message or screen of a run or a session contains the secret.",
        "Nobody but the service sees a secret, whatever the service does with it.",
        "Escapes, and escapes of escapes, do not hide a secret.",
        "A secret is redacted as a form or JSON spells it.",
        "Base64 of a text that contains a secret does not reveal it.",
        "In a truncated text, the remaining part of a secret is redacted.",
        "A secret that a service puts into the host of a redirect is in no message.",
        "A short secret is not redacted, since its text may occur anywhere.",
      ]),
    SecurityClaim(
      text:
        "Rows are data: if a service returns a credential in its rows, it appears on the screen and in the output, but not in recordings.",
      tests: [
        "A recording contains no credential, whatever repeats it, and can still be replayed."
      ]),
  ]

  private static let files = [
    SecurityClaim(
      text:
        "riffle creates settings, sources, history, recordings and progress files that only you can read: mode 0600, directories 0700. `--output` follows the umask.",
      tests: [
        "Files are owner-only, and an existing one is overwritten only with --force.",
        "The example file is owner-only and never overwrites a file.",
        "Queries are remembered by source, in owner-only files, the latest last.",
        "A recorded session is replayed to its end, from an owner-only file.",
      ]),
    SecurityClaim(
      text:
        "riffle stores rows that do not fit into memory in an unnamed temporary file, which disappears when riffle exits.",
      tests: ["Rows are stored in an unnamed file."]),
    SecurityClaim(
      text: "The history contains submitted queries, except those that start with a space.",
      tests: ["A submitted query is remembered once, unless it begins with a space."]),
  ]

  private static let recordings = [
    SecurityClaim(
      text:
        "A recording contains every key pressed, pasted text, the responses of the service, the source, the settings file and queries from the history. It includes any secret you type. Read a recording before you share it.",
      tests: [
        "Each input is one line of a recording.",
        "After a failure, the messages say how to record the next session, which shows the failure again.",
      ]),
    SecurityClaim(
      text:
        "riffle reads recordings as untrusted data. It checks and limits their contents, and reports the line of any damage.",
      tests: [
        "Damage and numbers beyond all bounds never crash a replay.",
        "The inputs before a fault are played, and the fault is reported by line.",
        "A recording of another command is not replayed.",
        "A file larger than any recording is not read.",
      ]),
    SecurityClaim(
      text:
        "A replay sends no requests, does not open, copy or write anything, and shows no text that could control the terminal.",
      tests: [
        "A replay can be skipped to its end and browsed, and performs no action.",
        "Text in a recording cannot control the terminal.",
      ]),
  ]

  private static let programs = [
    SecurityClaim(
      text:
        "Programs for `cmd:` credentials, the opener, the editor and clipboard programs get their arguments as a list, without a shell.",
      tests: [
        "A URL is a single argument, whatever it contains.",
        "The output of a program is read, its input arrives, and its failures are reported.",
        "Files are edited with the program named in the environment.",
      ]),
    SecurityClaim(
      text:
        "A command that you type after `|` runs in sh. Rows reach it on its standard input only, never in its command line.",
      tests: [
        "A command of the shell reads the rows, and what it prints and how it ends is reported.",
        "More rows than a pipe holds are read, or not, without a deadlock.",
      ]),
    SecurityClaim(
      text:
        "riffle kills a `cmd:` program that does not print a line within ten seconds, with everything in its process group.",
      tests: [
        "The first line of a program is taken as soon as it is complete.",
        "A program that prints no line in time is terminated with all its child processes.",
        "A first line without an end is not read forever.",
      ]),
    SecurityClaim(
      text:
        "The programs of `[actions.NAME]` get values of rows as arguments or parts of them, never as syntax or as an option. Only settings and sources that nobody else can write may name programs.",
      tests: [
        "No hostile value becomes syntax, an option or another argument.",
        "A settings file that others may write cannot name a program to run for rows.",
        "A source file elsewhere cannot run a program; adding the file shows the program, and allows it.",
      ]),
    SecurityClaim(
      text: "riffle opens only http and https URLs, and only when you press a key.",
      tests: ["Only web URLs are opened.", "An action opens a URL or copies text."]),
    SecurityClaim(
      text:
        "You can paste the output of `--dry-run` into sh, bash and zsh. All text is in single quotes. The shell expands only the variable, file or program that the source names for a credential, and $SECRET in place of one given with `-H`.",
      tests: [
        "A request is printed as a shell command that reads the secrets from their origins.",
        "A shell sends what riffle would send, and runs nothing from any text in it.",
        "A secret in a body is read by the shell, and encoded as the body is.",
      ]),
  ]

  private static let bounds = [
    SecurityClaim(
      text:
        "A page can be up to 32 MiB (decompressed), with up to 64 levels of nesting and 100,000 rows, and must arrive within `--timeout`. Headers can be up to 64 KiB. Exceeding a limit is an error, not a crash.",
      tests: [
        "A hostile body is a clear error and takes less than 100 MiB.",
        "A hundred thousand open brackets are an error, not a crash.",
        "Nesting of 64 levels is accepted, and the limit can be set.",
        "A slow drip ends at the total time limit.",
        "A status line without a status from 100 to 999 is refused.",
        "Any response head gives a response or an error, never a crash.",
      ]),
    SecurityClaim(
      text:
        "A service cannot keep riffle sending requests forever. Repeated pages end the list, riffle follows at most five redirects, and it stops a chain of requests without progress.",
      tests: [
        "Five redirects are followed, and the sixth is refused.",
        "An endless series of empty pages trips a guard with a limit of depth",
        "Any order of events keeps the pager consistent.",
      ]),
  ]
}
