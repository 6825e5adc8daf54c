import Config
import Testing

/// A document and all problems reported for it.
@Suite struct SourceProblemTests {
  @Test func `All problems of a document are reported at once, in order of position.`() {
    #expect(
      problems(
        """
        schema = 2
        id = "My Source"
        titel = "Mine"
        homepage = "ftp://example.org"
        [request]
        url = "https://api.example.org/search?q={quary}"
        timeout = 30
        params = { page = 1979-05-27 }
        [pagination]
        type = "pages"
          frist = 1
        [[columns]]
        format = "numbre"
        """) == """
          mine.toml:1:10: schema: expected 1, the only version
          mine.toml:2:6: id: invalid name "My Source": use a-z, 0-9 and -, and start with a letter or digit
          mine.toml:3:1: titel: unknown setting. Did you mean "title"?
          mine.toml:4:12: homepage: invalid URL "ftp://example.org": only http and https are supported, not "ftp"
          mine.toml:6:7: [request] url: unknown placeholder {quary}. Did you mean "query"?
          mine.toml:7:11: [request] timeout: expected a duration like "400ms" or "5m", found an integer
          mine.toml:8:19: [request.params] page: expected a string, a number or a boolean, found a date
          mine.toml:10:8: [pagination] type: expected one of "page", "offset", "link", "cursor", "merge", "none", found "pages". Did you mean "page"?
          mine.toml:11:3: [pagination] frist: unknown setting. Did you mean "first"?
          mine.toml:12:1: [[columns]] path: missing (the path of the value in a row)
          mine.toml:13:10: [[columns]] format: expected one of "text", "number", "bytes", "percent", "duration", "relative", "datetime", "date", "bool", "list", "link", "json", "markdown", found "numbre". Did you mean "number"?
          """)
  }

  @Test func `What a list of sources and a message for a missing credential show is checked.`() {
    #expect(
      problems(
        """
        schema = 1
        id = "mine"
        subject = "cod"
        documented = "yesterday"
        verified = 1
        request.url = "https://api.example.org"
        [auth]
        type = "bearer"
        from = "env:A"
        help = "http://example.org/tokens"
        """) == """
          mine.toml:3:11: subject: expected one of "code", "packages", "operations", "business", "research", "media", "security", "reference", found "cod". Did you mean "code"?
          mine.toml:4:14: documented: expected a day like "2026-11-27", found "yesterday"
          mine.toml:5:12: verified: expected true or false, found an integer
          mine.toml:10:8: [auth] help: expected an https URL, found "http://example.org/tokens"
          """)
  }

  @Test func `An empty document is reported with what is missing.`() {
    #expect(
      problems("") == """
        mine.toml:1:1: schema: missing (write schema = 1)
        mine.toml:1:1: id: missing (the name of the source, like "mine")
        mine.toml:1:1: request: missing (the table that describes the request)
        """)
  }

  @Test(arguments: [
    ("[input]\nmin_length = -1", "6:14: [input] min_length: expected an integer from 0 to 1000, found -1"),
    (
      "[input]\nmin_length = 9\nmax_length = 3",
      "7:14: [input] max_length: max_length = 3 is less than min_length = 9"
    ),
    ("[input]\nlive = \"yes\"", "6:8: [input] live: expected true or false, found a string"),
    (
      "[input]\ndebounce = \"400\"",
      "6:12: [input] debounce: expected a duration like \"400ms\" or \"5m\", found \"400\""
    ),
    (
      "[input]\ndebounce = \"1h\"", "6:12: [input] debounce: expected a duration from 0s to 10s, found \"1h\""
    ),
    (
      "[input]\nfilter = \"cleint\"",
      "6:10: [input] filter: expected one of \"server\", \"client\", found \"cleint\". Did you mean \"client\"?"
    ),
    ("[input]\nexamples = [\"a\", 2]", "6:18: [input] examples: expected a string, found an integer"),
    (
      "input = 3",
      "5:1: [request] input: unknown setting. Expected one of url, method, params, headers, body, body_type, graphql, variables, user_agent, when, safe, timeout"
    ),
  ])
  func `Mistakes in the input table are reported.`(text: String, problem: String) {
    #expect(problems(after: text) == "mine.toml:\(problem)")
  }

  @Test(arguments: [
    (
      "method = \"PUT\"", "5:10: [request] method: expected one of \"GET\", \"POST\", found \"PUT\""
    ),
    (
      "params.q = \"{query\"",
      "5:12: [request.params] q: unmatched { in \"{query\". Write {{ or }} for a literal brace"
    ),
    ("params = [\"q\"]", "5:10: [request] params: expected a table, found an array"),
    ("body = [1]", "5:8: [request] body: expected a table, found an array"),
    ("body.a.b = 1979-05-27", "5:12: [request.body.a] b: JSON cannot represent a date. Write it as a string"),
    (
      "body.a = [{ b = inf }]",
      "5:17: [request.body.a] b: JSON cannot represent an infinite number or NaN. Write it as a string"
    ),
    (
      "params.since = \"{today-30days}\"",
      "5:16: [request.params] since: unknown placeholder {today-30days}. A time before the start is {today-30d} or {now-12h}, in m, h, d or w"
    ),
    (
      "params.since = \"{day}\"",
      "5:16: [request.params] since: unknown placeholder {day}. To make it an option, add [options.day]. Others are query, page_size, app, version, homepage, today, now"
    ),
    (
      "body.a = [\"{quary}\"]", "5:11: [request.body] a: unknown placeholder {quary}. Did you mean \"query\"?"
    ),
    (
      "body.q = \"{\\\"a\\\": {quary}}\"",
      "5:10: [request.body] q: unknown placeholder {quary}. Did you mean \"query\"?"
    ),
    (
      "body.query = \"{ a(b: {quary}) }\"",
      "5:14: [request.body] query: unknown placeholder {quary}. Did you mean \"query\"?"
    ),
    (
      "body.q = \"{ {query|jsn} }\"",
      "5:10: [request.body] q: unknown filter \"jsn\" (available: sql, json, date, iso8601, epoch, epoch_ms) in \"{ {query|jsn} }\". Write {{ or }} for a literal brace"
    ),
    (
      "method = \"HEAD\"", "5:10: [request] method: expected one of \"GET\", \"POST\", found \"HEAD\""
    ),
    (
      "graphql = \"{ a }\"\nbody_type = \"form\"",
      "6:13: [request] body_type: a GraphQL document is sent as JSON"
    ),
    ("body_type = \"form\"", "5:13: [request] body_type: requires a body"),
    (
      "body_type = \"xml\"", "5:13: [request] body_type: expected one of \"json\", \"form\", found \"xml\""
    ),
    (
      "[rows.total_request]\nurl = \"https://api.example.org/count\"\ntotal = \"header:n\"\nmethod = \"HEAD\"\nbody.a = 1",
      "8:10: [rows.total_request] method: a HEAD request cannot have a body"
    ),
    (
      "[rows.total_request]\nurl = \"https://api.example.org/count\"\ntotal = \"n\"\nmethod = \"HEAD\"",
      "7:9: [rows.total_request] total: a HEAD request has no body in its response. Use header:NAME"
    ),
    ("graphql = \"{ a }\"\nbody = {}", "5:11: [request] graphql: body and graphql cannot be used together"),
    ("variables = {}", "5:13: [request] variables: not allowed without graphql"),
    ("graphql = \"{ a }\"\nvariables = 1", "6:13: [request] variables: expected a table, found an integer"),
    (
      "user_agent = \"x\"\nheaders.user-agent = \"y\"",
      "5:14: [request] user_agent: user_agent and headers.User-Agent cannot be used together"
    ),
    (
      "user_agent = \"a\\nb\"",
      "5:14: [request] user_agent: the value of header User-Agent contains a control character, such as a line break"
    ),
    ("when.kind.params.x = 1", "5:6: [request.when.kind]: unknown option. Expected query"),
    (
      "when.query.params.x = \"{+query}\"",
      "5:23: [request.when.query.params] x: {+query} is for paths and not allowed here. Write {query}"
    ),
    (
      "when.query.method = \"GET\"",
      "5:12: [request.when.query] method: unknown setting. Expected one of params, headers, body"
    ),
    (
      "params.a = [\"x\", {}]",
      "5:18: [request.params] a: expected a string, a number or a boolean, found a table"
    ),
    (
      "params.a = \"{query|sqll}\"",
      "5:12: [request.params] a: unknown filter \"sqll\" (available: sql, json, date, iso8601, epoch, epoch_ms) in \"{query|sqll}\". Write {{ or }} for a literal brace"
    ),
    (
      "params.n = \"{page_size}\"\n[pagination]\ntype = \"page\"\nparam = \"p\"",
      "5:12: [request.params] n: {page_size} needs a number. Set pagination.size.default"
    ),
    (
      "params.key = \"{secret:key}\"",
      "5:14: [request.params] key: unknown placeholder {secret:key}. Add [secrets.key] with from = [\"env:NAME\"]"
    ),
    (
      "params.key = \"{secret:kee}\"\n[secrets.key]\nfrom = \"env:A\"",
      "5:14: [request.params] key: unknown placeholder {secret:kee}. Did you mean \"secret:key\"?"
    ),
    (
      "body.query = \"query { x(k: \\\"{secret:key}\\\") }\"\n[secrets.key]\nfrom = \"env:A\"",
      "5:14: [request.body] query: credentials are not allowed in a GraphQL document. Use variables, a header or [auth]"
    ),
    (
      "body.login.password = \"{secret:kee}\"\n[secrets.key]\nfrom = \"env:A\"",
      "5:23: [request.body.login] password: unknown placeholder {secret:kee}. Did you mean \"secret:key\"?"
    ),
    (
      "body.key = [\"{secret:key}\"]",
      "5:13: [request.body] key: unknown placeholder {secret:key}. Add [secrets.key] with from = [\"env:NAME\"]"
    ),
    (
      "headers.Accept-Encoding = \"br\"",
      "5:27: [request.headers] Accept-Encoding: cannot be set: riffle sets this header itself"
    ),
    ("headers.Host = \"x\"", "5:16: [request.headers] Host: cannot be set: riffle sets this header itself"),
    (
      "headers.\"X Y\" = \"x\"",
      "5:17: [request.headers] \"X Y\": \"X Y\" is not a valid header name: use letters, digits and hyphens"
    ),
    (
      "headers.X = \"a\\nb\"",
      "5:13: [request.headers] X: the value of header X contains a control character, such as a line break"
    ),
  ])
  func `Mistakes in the request table are reported.`(text: String, problem: String) {
    #expect(problems(after: text) == "mine.toml:\(problem)")
  }

  @Test(arguments: [
    (
      "url = \"api.example.org\"",
      "4:7: [request] url: invalid URL \"api.example.org\": it does not start with http:// or https://"
    ),
    (
      "url = \"https://{query}.example.org/\"",
      "4:7: [request] url: {query} is part of the host and needs an option with values or a charset"
    ),
    (
      "url = \"https://{site}.example.org/\"\n[options.site]",
      "4:7: [request] url: {site} is part of the host and needs an option with values or a charset"
    ),
    (
      "url = \"{query}/x\"",
      "4:7: [request] url: {query} cannot be the scheme and host. Use an option for them"
    ),
    (
      "url = \"https://me:pw@example.org/\"",
      "4:7: [request] url: user names and passwords are not allowed in a URL. Use [auth]"
    ),
    (
      "url = \"{base}{query}\"\n[options.base]",
      "4:7: [request] url: {base} is the scheme and host, so a / must follow it"
    ),
    (
      "url = \"https://{site}.example.org/\"\n[options.site]\ncharset = \"a-z/\"",
      "4:7: [request] url: option site: a host can contain only letters, digits, - and ., not all of a-z/"
    ),
    (
      "url = \"https://{site}.example.org/\"\n[options.site]\nvalues = [\"a\", \"b/c\"]",
      "4:7: [request] url: option site: \"b/c\" cannot be part of a host"
    ),
    (
      "url = \"http{s}://example.org/\"\n[options.s]\nvalues = [\"s\"]",
      "4:7: [request] url: {s} cannot be the scheme alone"
    ),
    (
      "url = \"https://example.org/{kind}\"\n[options.kind]\nvalues = [\"a\", \"\", \"..\"]",
      """
      4:7: [request] url: option kind: "" is not allowed in a path
      mine.toml:4:7: [request] url: option kind: ".." is not allowed in a path
      """
    ),
    (
      "url = \"https://example.org/{query?}\"",
      "4:7: [request] url: {query?} would drop the whole URL. Write {query}"
    ),
    (
      "url = \"https://example.org/?k={secret:key}\"\n[secrets.key]\nfrom = \"env:A\"",
      "4:7: [request] url: credentials are not allowed in a URL, which is displayed. Use params.NAME = \"{secret:key}\""
    ),
    (
      "url = \"https://example.org/#{query}\"",
      "4:7: [request] url: a request URL cannot have a fragment (#)"
    ),
    ("url = 1", "4:7: [request] url: expected a string, found an integer"),
    (
      "params = {}",
      "3:1: [request] url: missing (the URL of the API, like \"https://api.example.org/search\")"
    ),
  ])
  func `A URL that cannot be requested is rejected.`(text: String, problem: String) {
    #expect(problems("schema = 1\nid = \"mine\"\n[request]\n\(text)") == "mine.toml:\(problem)")
  }

  @Test(arguments: [
    (
      "values = [\"asc\", \"desc\"]\ndefault = \"up\"",
      "7:11: [options.sort] default: expected one of \"asc\", \"desc\", found \"up\""
    ),
    (
      "values = [1979-05-27]",
      "6:11: [options.sort] values: expected a string, a number or a boolean, found a date"
    ),
    ("default = [\"a\"]", "6:11: [options.sort] default: expected one value, found an array"),
    ("charset = \"\"", "6:11: [options.sort] charset: contains no characters"),
    ("charset = \"z-a\"", "6:11: [options.sort] charset: range z-a is reversed"),
    (
      "charset = \"a-z\"\nvalues = [\"up\", \"Up\"]",
      "7:17: [options.sort] values: \"Up\" has characters outside charset a-z"
    ),
    (
      "default = \"{today-7d}\"",
      "6:11: [options.sort] default: {today-7d} is not replaced in the value of an option. Write it in [request]"
    ),
    ("max_length = 2\ndefault = \"abc\"", "7:11: [options.sort] default: \"abc\" is longer than max_length"),
    ("key = \"ab\"", "6:7: [options.sort] key: expected one ASCII character, found \"ab\""),
    ("[options.query]", "6:10: [options.query]: {query} is a built-in placeholder. Choose another name"),
    ("[options.\"a b\"]", "6:10: [options.\"a b\"]: expected a name of letters, digits, - and _"),
  ])
  func `Mistakes in options are reported.`(text: String, problem: String) {
    #expect(problems(after: "[options.sort]\n\(text)") == "mine.toml:\(problem)")
  }

  @Test func `An option for scheme and host accepts only base URLs.`() {
    #expect(
      problems(
        """
        schema = 1
        id = "mine"
        request.url = "{base}/api"
        [options.base]
        values = ["https://a.example", "https://b.example?x", "javascript:1"]
        """) == """
          mine.toml:3:15: [request] url: option base: "https://b.example?x" is not a base URL like "https://example.org"
          mine.toml:3:15: [request] url: option base: "javascript:1" is not a base URL like "https://example.org"
          """)
  }

  private static let literal =
    "credentials are not allowed in settings or sources. Use [auth], or [secrets.NAME] and {secret:NAME} here"
  private static let literalPlace =
    "credentials are not allowed in settings or sources. Say where they are stored: \"env:NAME\", \"cmd:PROGRAM\" or \"file:PATH\""

  @Test(
    arguments: [
      ("command:pass show forge", "cmd:…"), ("exec:pass show forge", "cmd:…"), ("shell:pass", "cmd:…"),
      ("environment:FORGE", "env:…"), ("variable:FORGE", "env:…"), ("ENV:FORGE", "env:…"),
      ("path:/forge", "file:…"),
      ("$FORGE_TOKEN", "env:NAME"), ("${FORGE_TOKEN}", "env:NAME"),
      ("keyring:forge", "cmd:secret-tool lookup …"), ("keychain:forge", "cmd:secret-tool lookup …"),
      // These may be secrets.
      ("user:s3cr3t", nil), ("$2b$10$abc", nil), ("s3cr3t", nil),
    ] as [(String, String?)])
  func `[D24] A reference to a secret in another notation is reported with the correct one.`(
    from: String, meant: String?
  ) {
    let found = problems(after: "[auth]\ntype = \"bearer\"\nfrom = \"\(from)\"")
    guard let meant else {
      #expect(found == "mine.toml:7:8: [auth] from: \(Self.literalPlace)")
      return
    }
    #expect(
      found.hasPrefix("mine.toml:7:8: [auth] from: expected \"env:NAME\", \"cmd:PROGRAM\" or \"file:PATH\". ")
    )
    #expect(
      found.hasSuffix(
        meant.hasPrefix("cmd:secret-tool")
          ? "To read a keyring, run a program: \"\(meant)\"" : "Did you mean \"\(meant)\"?"))
    #expect(!found.contains("forge"))
  }

  @Test(arguments: ["env:", "cmd: ", "file:"])
  func `A location with nothing after its prefix gets no suggestion that repeats it.`(from: String) {
    #expect(
      problems(after: "[auth]\ntype = \"bearer\"\nfrom = \"\(from)\"")
        == "mine.toml:7:8: [auth] from: expected \"env:NAME\", \"cmd:PROGRAM\" or \"file:PATH\"")
  }

  @Test(arguments: [
    ("GITHUB_TOKEN", "unknown location \"GITHUB_TOKEN\". Did you mean \"env:GITHUB_TOKEN\"?"),
    ("API_KEY", "unknown location \"API_KEY\". Did you mean \"env:API_KEY\"?"),
    // These may be secrets.
    ("AKIAIOSFODNN7EXAMPLE", literalPlace), ("TOKEN", literalPlace), ("GHP_A1B2C3D4", literalPlace),
  ])
  func `[U15] The name of a variable is no credential.`(from: String, problem: String) {
    let found = problems(after: "[auth]\ntype = \"bearer\"\nfrom = \"\(from)\"")
    #expect(found == "mine.toml:7:8: [auth] from: \(problem)")
  }

  private static func misspelt(_ prefix: String) -> String {
    "expected \"env:NAME\", \"cmd:PROGRAM\" or \"file:PATH\". Did you mean \"\(prefix):…\"?"
  }

  @Test(arguments: [
    (
      "[auth]\nfrom = [\"env:A\"]",
      "5:1: [auth] type: missing (expected one of none, bearer, basic, header, query, oauth, login)"
    ),
    (
      "[auth]\ntype = \"oauth\"\ngrant = \"device\"\ntoken_url = \"https://a.example/t\"\nclient_id = \"x\"",
      "5:1: [auth] device_url: missing (the URL where a device code is requested)"
    ),
    (
      "[auth]\ntype = \"oauth\"\ntoken_url = \"https://a.example/t\"\nclient_id = \"x\"",
      "5:1: [auth] grant: missing (how tokens are obtained)"
    ),
    (
      "[auth]\ntype = \"oauth\"\ngrant = \"implicit\"\ntoken_url = \"https://a.example/t\"\nclient_id = \"x\"",
      "7:9: [auth] grant: expected one of \"refresh_token\", \"client_credentials\", \"device\", found \"implicit\""
    ),
    (
      "[auth]\ntype = \"oauth\"\ngrant = \"refresh_token\"\ntoken_url = \"https://a.example/t\"\nclient_id = \"x\"",
      "5:1: [auth] refresh_from: missing (where the first refresh token comes from)"
    ),
    (
      "[auth]\ntype = \"oauth\"\ngrant = \"client_credentials\"\ntoken_url = \"https://a.example/t\"\nclient_id = \"x\"",
      "5:1: [auth] client_secret_from: missing (where the client's secret comes from)"
    ),
    (
      "[auth]\ntype = \"oauth\"\ngrant = \"client_credentials\"\ntoken_url = \"https://a.example/t\"\nclient_secret_from = \"env:S\"",
      "5:1: [auth] client_id: missing (the client's id, or client_id_from)"
    ),
    (
      "[auth]\ntype = \"oauth\"\ngrant = \"refresh_token\"\ntoken_url = \"https://a.example/t\"\nclient_id = \"x\"\nclient_id_from = \"env:I\"\nrefresh_from = \"env:R\"",
      "9:13: [auth] client_id: not allowed together with client_id_from"
    ),
    (
      "[auth]\ntype = \"oauth\"\ngrant = \"client_credentials\"\ntoken_url = \"https://a.example/t\"\nclient_id = \"x\"\nclient_secret_from = \"env:S\"\nrefresh_from = \"env:R\"",
      "11:16: [auth] refresh_from: not allowed with grant = \"client_credentials\""
    ),
    (
      "[auth]\ntype = \"oauth\"\ngrant = \"device\"\ntoken_url = \"https://a.example/t\"\nclient_id = \"x\"\nrefresh_from = \"env:R\"",
      "5:1: [auth] device_url: missing (the URL where a device code is requested)\nmine.toml:10:16: [auth] refresh_from: not allowed with grant = \"device\""
    ),
    (
      "[auth]\ntype = \"oauth\"\ngrant = \"refresh_token\"\ntoken_url = \"http://a.example/t\"\nclient_id = \"x\"\nrefresh_from = \"env:R\"",
      "8:13: [auth] token_url: expected an https URL: credentials would be sent unencrypted"
    ),
    (
      "[auth]\ntype = \"oauth\"\ngrant = \"refresh_token\"\ntoken_url = \"https://a.example/t\"\nclient_id = \"x\"\nrefresh_from = \"store\"",
      "10:16: [auth] refresh_from: \"store\" is only allowed as auth.from"
    ),
    (
      "[auth]\ntype = \"oauth\"\ngrant = \"refresh_token\"\ntoken_url = \"https://a.example/t\"\nclient_id = \"x\"\nrefresh_from = \"env:R\"\nparams = { client_secret = \"abc\" }",
      "11:28: [auth.params] client_secret: credentials are not allowed in settings or sources. Use client_secret_from or refresh_from"
    ),
    (
      "[auth]\ntype = \"oauth\"\ngrant = \"refresh_token\"\ntoken_url = \"https://a.example/t\"\nclient_id = \"x\"\nrefresh_from = \"env:R\"\nfrom = \"env:A\"",
      "11:1: [auth] from: not allowed with type = \"oauth\""
    ),
    (
      "[auth]\ntype = \"login\"", "5:1: [auth] login: missing (the table that describes the login request)"
    ),
    (
      "[auth]\ntype = \"login\"\nfrom = \"env:A\"\nlogin = { url = \"https://a.example/l\", token = \"t\" }",
      "7:1: [auth] from: not allowed with type = \"login\""
    ),
    (
      "[auth]\ntype = \"bearer\"\nfrom = \"env:A\"\nlogin = { url = \"https://a.example/l\", token = \"t\" }",
      "8:1: [auth] login: not allowed with type = \"bearer\""
    ),
    (
      "[auth]\ntype = \"login\"\n[auth.login]\nurl = \"https://a.example/l\"",
      "7:1: [auth.login] token: missing (where the token is in the response, like \"token\")"
    ),
    (
      "[auth]\ntype = \"login\"\n[auth.login]\ntoken = \"t\"",
      "7:1: [auth.login] url: missing (the URL of the API, like \"https://api.example.org/search\")"
    ),
    (
      "[auth]\ntype = \"login\"\n[auth.login]\nurl = \"http://a.example/l\"\ntoken = \"t\"",
      "8:7: [auth.login] url: expected an https URL: credentials would be sent unencrypted"
    ),
    (
      "[auth]\ntype = \"login\"\n[auth.login]\nurl = \"https://a.example/l\"\ntoken = \"t\"\nparams = { q = \"{query}\" }",
      "8:7: [auth.login] url: {query} is not known when a token is requested. Use options and secrets"
    ),
    (
      "[auth]\ntype = \"login\"\n[auth.login]\nurl = \"https://a.example/l\"\ntoken = \"t\"\nbody = { password = \"abc\" }",
      "10:21: [auth.login.body] password: \(literal)"
    ),
    (
      "[auth]\ntype = \"login\"\n[auth.login]\nurl = \"https://a.example/l\"\ntoken = \"t\"\nbody = { password = \"{secret:pw}\" }",
      "10:21: [auth.login.body] password: unknown placeholder {secret:pw}. Add [secrets.pw] with from = [\"env:NAME\"]"
    ),
    (
      "[auth]\ntype = \"login\"\n[auth.login]\nurl = \"https://a.example/l\"\ntoken = \"t\"\nlifetime = \"5m\"\nexpires = \"e\"",
      "11:11: [auth.login] expires: lifetime and expires cannot be used together"
    ),
    (
      "[auth]\ntype = \"login\"\n[auth.login]\nurl = \"https://a.example/l\"\ntoken = \"t\"\nsend = \"cookie\"",
      "10:8: [auth.login] send: expected \"bearer\", \"header:NAME\" or \"query:NAME\", found \"cookie\""
    ),
    (
      "[auth]\ntype = \"login\"\n[auth.login]\nurl = \"https://a.example/l\"\ntoken = \"t\"\nsend = \"header:X Y\"",
      "10:8: [auth.login] send: \"X Y\" is not a valid header name: use letters, digits and hyphens"
    ),
    (
      "[auth]\ntype = \"login\"\n[auth.login]\nurl = \"https://a.example/l\"\ntoken = \"t\"\nprefix = \"Token \"",
      "10:10: [auth.login] prefix: only allowed with send = \"header:NAME\""
    ),
    (
      "[auth]\ntype = \"login\"\n[auth.login]\nurl = \"https://a.example/l\"\ntoken = \"t\"\nsafe = true",
      "10:1: [auth.login] safe: unknown setting. Expected one of url, method, params, headers, body, body_type, timeout, token, lifetime, expires, send, prefix"
    ),
    (
      "[auth]\ntype = \"basic\"\nuser_from = \"env:A\"",
      "5:1: [auth] from: missing (where the credential comes from, like [\"env:NAME\"])"
    ),
    (
      "[auth]\ntype = \"basic\"\nfrom = \"env:A\"\nas = \"usr\"",
      "8:6: [auth] as: expected one of \"password\", \"user\", found \"usr\". Did you mean \"user\"?"
    ),
    (
      "[auth]\ntype = \"basic\"\nfrom = \"env:A\"\nas = \"user\"\nuser = \"ann\"",
      "9:8: [auth] user: not allowed with as = \"user\""
    ),
    (
      "[auth]\ntype = \"basic\"\nfrom = \"env:A\"\nas = \"user\"\nuser_from = \"env:B\"",
      "9:13: [auth] user_from: not allowed with as = \"user\""
    ),
    (
      "[auth]\ntype = \"basic\"\nfrom = \"env:A\"\npassword = \"x\"",
      "8:12: [auth] password: only allowed with as = \"user\""
    ),
    (
      "[auth]\ntype = \"basic\"\nfrom = \"env:A\"\nuser = \"ann\"\nuser_from = \"env:B\"",
      "8:8: [auth] user: not allowed together with user_from"
    ),
    (
      "[auth]\ntype = \"basic\"\nfrom = \"env:A\"\nuser = \"a:b\"",
      "8:8: [auth] user: a user name must not contain colons or control characters"
    ),
    (
      "[auth]\ntype = \"bearer\"\nfrom = \"env:A\"\nuser_from = \"env:B\"",
      "8:1: [auth] user_from: not allowed with type = \"bearer\""
    ),
    (
      "[auth]\ntype = \"bearer\"\nfrom = []",
      "7:8: [auth] from: expected at least one place, found none"
    ),
    (
      "[auth]\ntype = \"bearer\"",
      "5:1: [auth] from: missing (where the credential comes from, like [\"env:NAME\"])"
    ),
    ("[auth]\ntype = \"bearer\"\nfrom = [\"s3cr3t\"]", "7:9: [auth] from: \(literalPlace)"),
    ("[auth]\ntype = \"bearer\"\nfrom = \"evn:GH_TOKEN\"", "7:8: [auth] from: \(misspelt("env"))"),
    ("[auth]\ntype = \"bearer\"\nfrom = \"Environment:A\"", "7:8: [auth] from: \(misspelt("env"))"),
    (
      "[auth]\ntype = \"bearer\"\nfrom = [\"env:A\", \"cdm:pass x\"]", "7:18: [auth] from: \(misspelt("cmd"))"
    ),
    ("[auth]\ntype = \"bearer\"\nfrom = \"fil:/a\"", "7:8: [auth] from: \(misspelt("file"))"),
    ("[auth]\ntype = \"bearer\"\nfrom = \"user:s3cr3t\"", "7:8: [auth] from: \(literalPlace)"),
    (
      "[auth]\ntype = \"bearer\"\nfrom = [\"file:token\"]",
      "7:9: [auth] from: expected an absolute path or ~/…, found \"file:token\""
    ),
    (
      "[auth]\ntype = \"bearer\"\nfrom = \"env:A\"\nparam = \"key\"",
      "8:1: [auth] param: not allowed with type = \"bearer\""
    ),
    (
      "[auth]\ntype = \"header\"\nfrom = \"env:A\"",
      "5:1: [auth] header: missing (the name of the header for the credential)"
    ),
    (
      "[auth]\ntype = \"query\"\nfrom = \"env:A\"",
      "5:1: [auth] param: missing (the name of the query parameter for the credential)"
    ),
    ("[auth]\ntype = \"none\"\nfrom = \"env:A\"", "7:1: [auth] from: not allowed with type = \"none\""),
    (
      "[auth]\ntype = \"bearer\"\nfrom = \"env:A\"\nhosts = [\"a/b\"]",
      "8:10: [auth] hosts: expected a host like \"cdn.example.org\" or \"cdn.example.org:8080\", found \"a/b\""
    ),
    ("headers.Authorization = \"Bearer s3cr3t\"", "5:25: [request.headers] Authorization: \(literal)"),
    ("headers.X-Api-Key = \"s3cr3t\"", "5:21: [request.headers] X-Api-Key: \(literal)"),
    ("headers.PRIVATE-TOKEN = \"s3cr3t\"", "5:25: [request.headers] PRIVATE-TOKEN: \(literal)"),
    ("params.access_token = \"s3cr3t\"", "5:23: [request.params] access_token: \(literal)"),
    ("body.api_key = \"s3cr3t\"", "5:16: [request.body] api_key: \(literal)"),
    ("headers.X-Auth-Key = \"s3cr3t\"", "5:22: [request.headers] X-Auth-Key: \(literal)"),
    ("headers.X-Auth = \"s3cr3t\"", "5:18: [request.headers] X-Auth: \(literal)"),
    ("params.key = \"s3cr3t\"", "5:14: [request.params] key: \(literal)"),
    ("params.auth = \"s3cr3t\"", "5:15: [request.params] auth: \(literal)"),
    (
      "headers.Ocp-Apim-Subscription-Key = \"s3cr3t\"",
      "5:37: [request.headers] Ocp-Apim-Subscription-Key: \(literal)"
    ),
    (
      "[secrets.key]",
      "5:1: [secrets.key] from: missing (where the credential comes from, like [\"env:NAME\"])"
    ),
    ("[secrets.key]\nfrom = [\"s3cr3t\"]", "6:9: [secrets.key] from: \(literalPlace)"),
    (
      "[secrets.\"a b\"]\nfrom = \"env:A\"",
      "5:10: [secrets.\"a b\"]: expected a name of letters, digits, - and _"
    ),
    (
      "[secrets.key]\nfrom = \"env:A\"\nuser_from = \"env:B\"",
      "7:1: [secrets.key] user_from: unknown setting. Expected one of optional, benefit, from"
    ),
  ])
  func `Secrets are read from outside the source and are never shown.`(text: String, problem: String) {
    #expect(problems(after: text) == "mine.toml:\(problem)")
    #expect(!problems(after: text).contains("s3cr3t"))
  }

  @Test
  func `[D54] A parameter or header whose name suggests a secret is treated as one, even in a URL.`() {
    let literal = Self.literal
    for name in ["key", "auth", "pass", "x_auth_key", "apiKey", "access-key", "client_secret"] {
      #expect(problems(after: "params.\(name) = \"s3cr3t\"").hasSuffix(literal), "\(name)")
      #expect(problems(after: "params.\(name) = \"{query}\"") == "fine", "\(name)")
    }
    // Common words with another meaning.
    for text in [
      "body.order._key = \"asc\"", "body.key = \"state\"", "params.keyword = \"x\"", "params.keys = \"x\"",
    ] {
      #expect(problems(after: text) == "fine", "\(text)")
    }
    func address(_ query: String) -> String {
      problems("schema = 1\nid = \"mine\"\nrequest.url = \"https://a.example/x?\(query)\"")
    }
    #expect(address("a=1&api_key=s3cr3t") == "mine.toml:3:15: [request] url: \(literal)")
    #expect(address("access_token=s3cr3t&q={query}") == "mine.toml:3:15: [request] url: \(literal)")
    #expect(address("key=name&page_token=") == "fine")
  }

  @Test(arguments: [
    (
      "type = \"page\"",
      "5:1: [pagination] param: missing (the name of the page parameter)"
    ),
    (
      "type = \"merge\"",
      "5:1: [pagination] next: missing (where the object with the next parameters is)"
    ),
    (
      "type = \"merge\"\nnext = \"c\"\ninto = \"query:c\"",
      "8:8: [pagination] into: not allowed here: fields go into the query by name. To put them into the body, use \"body:a.b\""
    ),
    (
      "type = \"cursor\"\nnext = \"n\"",
      "5:1: [pagination] into: missing (where to put the cursor, like \"query:NAME\")"
    ),
    (
      "type = \"link\"",
      "5:1: [pagination] next: missing (where the next link is, like \"link:next\")"
    ),
    (
      "type = \"link\"\nnext = \"link:next\"\nparam = \"p\"",
      "8:1: [pagination] param: not allowed with type = \"link\""
    ),
    (
      "type = \"page\"\nparam = \"p\"\ninto = \"query:p\"",
      "8:8: [pagination] into: param and into cannot be used together"
    ),
    (
      "type = \"page\"\ninto = \"body:p[0]\"",
      "7:8: [pagination] into: expected field names like \"a.b\", found \"p[0]\""
    ),
    (
      "type = \"page\"\ninto = \"body:$\"",
      "7:8: [pagination] into: expected a field of the body, like \"body:a.b\""
    ),
    (
      "type = \"page\"\ninto = \"header:Host\"",
      "7:8: [pagination] into: cannot be set: riffle sets this header itself"
    ),
    (
      "type = \"page\"\ninto = \"header:a b\"",
      "7:8: [pagination] into: \"a b\" is not a valid header name: use letters, digits and hyphens"
    ),
    (
      "type = \"page\"\ninto = \"p\"",
      "7:8: [pagination] into: expected \"query:NAME\", \"body:PATH\" or \"header:NAME\", found \"p\""
    ),
    (
      "type = \"page\"\nparam = \"p\"\nfirst = \"*\"",
      "8:9: [pagination] first: expected the number of the first page, 0 or 1"
    ),
    (
      "type = \"page\"\nparam = \"p\"\nfirst = 1.5",
      "8:9: [pagination] first: expected an integer or a string, found a float"
    ),
    (
      "type = \"page\"\nparam = \"p\"\nend_status = [42]",
      "8:15: [pagination] end_status: expected an integer from 300 to 599, found 42"
    ),
    (
      "type = \"page\"\nparam = \"p\"\nend_on = [\"void\"]",
      "8:11: [pagination] end_on: expected one of \"empty\", \"short\", found \"void\""
    ),
    (
      "type = \"link\"\nnext = \"n\"\nend_on = [\"short\"]",
      "8:10: [pagination] end_on: = \"short\" is not allowed here: the next value decides where the list ends"
    ),
    (
      "type = \"page\"\nparam = \"p\"\nsize = { default = 50, max = 20 }",
      "8:20: [pagination.size] default: default = 50 is greater than max = 20"
    ),
    (
      "type = \"page\"\nparam = \"p\"\nsize = { param = \"n\", header = \"n\" }",
      "8:32: [pagination.size] header: param and header cannot be used together"
    ),
    (
      "type = \"page\"\nparam = \"p\"\nsize.body = \"$\"",
      "8:13: [pagination.size] body: expected a field of the body, like \"a.b\""
    ),
    (
      "type = \"page\"\nparam = \"p\"\nsize.actual = \"a[\"",
      "8:15: [pagination.size] actual: path \"a[\", character 3: expected an index, a slice, \"*\", a quoted name or name=text, found the end"
    ),
    (
      "type = \"page\"\nparam = \"p\"\ncap = {}",
      "8:7: [pagination.cap]: a cap needs rows, page or offset"
    ),
    (
      "type = \"page\"\nparam = \"p\"\ncap = { rows = 1, page = 1 }",
      "8:26: [pagination.cap] page: rows and page cannot be used together"
    ),
    (
      "type = \"page\"\nparam = \"p\"\nmore = \"m\"\ndone = \"d\"",
      "9:8: [pagination] done: more and done cannot be used together"
    ),
    (
      "type = \"page\"\nparam = \"p\"\ncap = { page = 1, rule = \"end\" }",
      "8:26: [pagination.cap] rule: not allowed with page: a page is either within the cap or not"
    ),
    (
      "type = \"page\"\nparam = \"p\"\ncap = { offset = 1, unless = \"token\" }",
      "8:30: [pagination.cap] unless: expected \"auth\" or \"secret:NAME\", found \"token\""
    ),
    (
      "type = \"page\"\nparam = \"p\"\nrepeat = \"end\"",
      "8:1: [pagination] repeat: not allowed with type = \"page\""
    ),
    (
      "type = \"link\"\nnext = \"n\"\nrepeat = \"never\"",
      "8:10: [pagination] repeat: expected one of \"stop\", \"progress\", \"end\", found \"never\""
    ),
    (
      "type = \"link\"\nnext = \"n\"\noverlap = -1",
      "8:11: [pagination] overlap: expected an integer from 0 to 1000, found -1"
    ),
    (
      "type = \"link\"\nnext = \"n\"\nend_status = 410\nexpired_status = [404, 410]",
      "9:18: [pagination] expired_status: 410 is also in end_status"
    ),
    (
      "type = \"cursor\"\nnext = \"n\"\nparam = \"c\"\ncarry = [{ from = \"pit\" }]",
      "9:10: [[pagination.carry]] into: missing (where to put the value, like \"body:a.b\")"
    ),
    (
      "type = \"cursor\"\nnext = \"n\"\nparam = \"c\"\ncarry = [{ from = \"pit\", into = \"query:c\" }]",
      "9:9: [pagination] carry: cannot use the same place as the cursor"
    ),
    (
      "type = \"page\"\nparam = \"p\"\nnext = \"a[\"",
      "8:8: [pagination] next: path \"a[\", character 3: expected an index, a slice, \"*\", a quoted name or name=text, found the end"
    ),
    (
      "type = \"link\"\nnext = \"n\"\nhosts = [\"https://x\"]",
      "8:10: [pagination] hosts: expected a host like \"cdn.example.org\" or \"cdn.example.org:8080\", found \"https://x\""
    ),
  ])
  func `Mistakes in the pagination table are reported.`(text: String, problem: String) {
    #expect(problems(after: "[pagination]\n\(text)") == "mine.toml:\(problem)")
  }

  @Test(arguments: [
    ("[rows]\npath = [\"a\"]", "6:8: [rows] path: expected a string, found an array"),
    ("[rows]\nid = []", "6:6: [rows] id: expected at least one expression, found none"),
    ("[columns]\npath = \"a\"", "5:1: columns: expected tables [[columns]], found a table"),
    (
      "columns = [1]",
      "5:1: [request] columns: unknown setting. Expected one of url, method, params, headers, body, body_type, graphql, variables, user_agent, when, safe, timeout"
    ),
    (
      "[[columns]]\npath = \"a\"\nname = \"My Name\"",
      "7:8: [[columns]] name: expected a name of a–z, 0–9 and _, like \"my_name\""
    ),
    (
      "[[columns]]\npath = \"a\"\n[[columns]]\npath = \"b\"\nname = \"a\"",
      "9:8: [[columns]] name: another column is already named \"a\""
    ),
    (
      "[[columns]]\npath = \"a\"\nwidth = { fixed = 3, min = 1 }",
      "7:19: [columns.width] fixed: fixed cannot be used together with min, max or weight"
    ),
    (
      "[[columns]]\npath = \"a\"\nwidth = { min = 3, max = 1 }",
      "7:17: [columns.width] min: min = 3 is greater than max = 1"
    ),
    ("[[columns]]\npath = \"a\"\nwidth = 3", "7:9: [[columns]] width: expected a table, found an integer"),
    (
      "[[columns]]\npath = \"a\"\nalign = \"centre\"",
      "7:9: [[columns]] align: expected one of \"left\", \"right\", \"center\", found \"centre\". Did you mean \"center\"?"
    ),
  ])
  func `Mistakes in rows and columns are reported.`(text: String, problem: String) {
    #expect(problems(after: text) == "mine.toml:\(problem)")
  }

  @Test(arguments: [
    (
      "[limits]\nmin_interval = 2",
      "6:16: [limits] min_interval: expected a duration like \"400ms\" or \"5m\", found an integer"
    ),
    (
      "[limits]\nreset = { kind = \"epoch\" }",
      "6:9: [limits.reset] from: missing (where the reset time is, like \"header:X-RateLimit-Reset\")"
    ),
    (
      "[limits]\nreset = { from = \"r\", kind = \"unix\" }",
      "6:30: [limits.reset] kind: expected one of \"epoch\", \"epoch_ms\", \"seconds\", \"iso8601\", \"http-date\", found \"unix\""
    ),
    (
      "[[errors.when]]\nunless = \"data\"",
      "5:1: [[errors.when]] match: missing (the condition that marks an error in a successful response)"
    ),
    (
      "[[errors.when]]\nmatch = { path = \"e\", exists = true }\nstatus = 200",
      "7:1: [[errors.when]] status: unknown setting. Expected one of match, unless"
    ),
    (
      "[[errors.retry]]\nwait_at_least = 5",
      "5:1: [[errors.retry]]: a rule needs status or match"
    ),
    (
      "[[errors.retry]]\nstatus = 400\nwait_from = { number_after = \"in \" }",
      "7:13: [errors.retry.wait_from]: a wait needs path or header"
    ),
    (
      "[[errors.fatal]]\nstatus = 503\nwait_at_least = 5",
      "7:1: [[errors.fatal]] wait_at_least: unknown setting. Expected one of status, match, unless"
    ),
    (
      "[limits]\nbucket = \"a[\"",
      "6:10: [limits] bucket: path \"a[\", character 3: expected an index, a slice, \"*\", a quoted name or name=text, found the end"
    ),
    (
      "[[errors.rate_limited]]\nmatch = { contains = \"x\" }",
      "6:9: [errors.rate_limited.match]: a condition needs path or header"
    ),
    (
      "[[errors.rate_limited]]\nmatch = { path = \"x\" }",
      "6:9: [errors.rate_limited.match]: a condition needs one of equals, contains, starts_with, exists"
    ),
    (
      "[[errors.rate_limited]]\nmatch = { path = \"x\", equals = \"a\", exists = true }",
      "6:46: [errors.rate_limited.match] exists: equals and exists cannot be used together"
    ),
    (
      "[[errors.rate_limited]]\nstatus = \"429\"",
      "6:10: [[errors.rate_limited]] status: expected an integer from 100 to 599, found a string"
    ),
    ("[detail]\nfeilds = []", "6:1: [detail] feilds: unknown setting. Did you mean \"fields\"?"),
    (
      "[actions.open]\nkey = \"o\"\ncopy = \"id\"\nrnu = \"rm\"",
      "8:1: [actions.open] rnu: unknown setting. Did you mean \"run\"?"
    ),
  ])
  func `Mistakes in limits, errors and presentation are reported.`(text: String, problem: String) {
    #expect(problems(after: text) == "mine.toml:\(problem)")
  }

  @Test func `A key in the file cannot break out of its line.`() {
    #expect(
      problems(after: "\"a\\nmine.toml:1:1: id: fine\" = 1\n[options]\n\"\" = 2")
        == #"""
        mine.toml:5:1: [request] "a\nmine.toml:1:1: id: fine": unknown setting. Expected one of url, method, params, headers, body, body_type, graphql, variables, user_agent, when, safe, timeout
        mine.toml:7:6: options."": expected a table, found an integer
        """#)
  }

  @Test func `Of many problems, only the first hundred are reported.`() {
    let text = (1...5_000).map { "k\($0) = 1\n" }.joined()
    #expect(problems(after: text).split(separator: "\n").count == 100)
  }

  @Test func `A long or unusual value is quoted on one short line.`() {
    #expect(
      problems(after: "[input]\ndebounce = \"\\n\\u001b[31m\(String(repeating: "x", count: 100))\"")
        == "mine.toml:6:12: [input] debounce: expected a duration like \"400ms\" or \"5m\", found "
        + "\"\\n\\u001b[31m\(String(repeating: "x", count: 54))…\"")
  }

  @Test(arguments: [
    "headers.X-Session-Id", "headers.X-Jwt", "params.jwt", "params.session", "params.session_id",
    "params.sig",
    "params.signature", "params.sid", "body.jwt", "body.session_id",
  ]) func `[S7] A literal secret is refused by its name.`(key: String) throws {
    let text = """
      schema = 1
      id = "x"
      [request]
      url = "https://api.example.org/"
      \(key) = "abc123"
      """
    #expect {
      try SourceDecoder.source(TOMLDocument(text, file: "x.toml"))
    } throws: {
      "\($0)".contains("credentials are not allowed in settings or sources")
    }
  }
}
