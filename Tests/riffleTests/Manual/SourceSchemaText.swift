/// Descriptions of the tables of a source's document. A test compares their keys with those that are read.
enum SourceSchemaText {
  struct Table {
    /// Without brackets: `pagination.size`; empty for the top level.
    let name: String
    let meaning: String
    let keys: [Key]
  }

  struct Key {
    let name: String
    /// The values it may have.
    let kind: String
    let meaning: String
  }

  static let tables: [Table] = text.split(separator: "\n\n").map { block in
    let lines = block.split(separator: "\n").map(String.init)
    let head = parts(lines[0])
    return Table(
      name: head[0], meaning: head[1],
      keys: lines.dropFirst().map { line in
        let parts = parts(line)
        return Key(name: parts[0], kind: parts[1], meaning: parts[2])
      })
  }

  private static func parts(_ line: String) -> [String] {
    line.split(separator: "|", maxSplits: 2, omittingEmptySubsequences: false)
      .map { String($0.drop { $0 == " " }) }.map { $0.hasSuffix(" ") ? String($0.dropLast()) : $0 }
  }

  private static let text = #"""
    | The keys before the first table.
    schema | `1`, required | The version of the schema.
    id | a name, required | What the source is called: `a-z`, `0-9` and `-`. The id of a built-in source lays this document over it, key by key.
    aliases | names | Other names.
    title | text | What people read. Default: the id.
    homepage | an address | Where the service describes its API.
    extends | an id | The source this one is made from: all its keys count that are not said here. Credentials are inherited only for the same origin.
    enabled | `true` or `false` | Whether it can be used.

    input | How a query is typed.
    min_length | 0 to 1000 | Fewer characters are not asked. Default: 1.
    max_length | 1 to 1000000 | More are refused.
    debounce | a duration | Quiet time before a live query. Default: the setting.
    live | `true` or `false` | Whether typing asks by itself. Default: the setting.
    filter | `"server"` or `"client"` | `client` where the service cannot search: riffle lists everything and filters.
    placeholder | text | Shown in the empty query line.
    examples | texts | Queries to begin with.

    request | What is asked.
    url | an address, required | With placeholders. One for scheme and host stands only at the beginning.
    method | `"GET"` or `"POST"` | Default: POST with a body, else GET.
    params | a table | Parameters of the query: text, numbers, booleans; a list for several of one name.
    headers | a table | They take the place of riffle's own.
    body | a table | A JSON body, in the order written.
    graphql | text | A GraphQL document, sent as POST with `variables`. Nothing in it is a placeholder.
    variables | a table | Its variables.
    safe | `true` or `false` | Whether it may be sent again. Default: GET, and GraphQL that is no mutation.
    timeout | a duration | The longest time for one page.
    user_agent | text | Short for `headers.User-Agent`.
    when | tables | `[request.when.NAME]`, see there.

    request.when.NAME | What is added when the query (`NAME` is `query`) or an option is not empty.
    params | a table | As in `[request]`.
    headers | a table | As in `[request]`.
    body | a table | As in `[request]`.

    options.NAME | What a user may set: `--set NAME=value`, and `{NAME}` in the request. Without a default and values it is required.
    values | a list | Those allowed.
    default | one value | Without it, the first of `values`.
    charset | like `a-z0-9-` | The characters a value may have. A part of a host needs this or `values`.
    max_length | 1 to 10000 | In characters.
    title | text | What people read.
    key | one character | Pressed after `,` in the pager, it takes the next of `values`.

    auth | The credential. Its value is never written here.
    type | required | `none`, `bearer` (Authorization: Bearer …), `basic`, `header` or `query`.
    from | places, required | Where the secret comes from: `env:NAME`, `file:PATH` (absolute or `~/…`; its first line), `cmd:PROGRAM ARGUMENT …` (no shell; the first line it prints, within ten seconds). The first that has one counts, the environment before the others. A program is run again when the service refuses what it gave (401).
    user_from | places | With `basic`: where the user's name comes from.
    header | a name | With `header`: the header field.
    prefix | text | With `header`: what stands before the secret.
    param | a name | With `query`: the parameter.
    optional | `true` or `false` | Whether requests go out without it.
    hosts | hosts | Others it may go to.

    secrets.NAME | Further secrets, for `{secret:NAME}` in headers and parameters.
    from | places, required | As in `[auth]`.
    optional | `true` or `false` | As in `[auth]`.

    pagination | How there is a next page.
    type | required | One of the styles above.
    param | a name | Short for `into = "query:NAME"`.
    into | a slot | Where number or cursor goes: `query:NAME`, `body:a.b` or `header:NAME`. With `merge`: `query` is where nothing is said.
    first | a number or text | For the first page. Default: 1 with `page`, 0 with `offset`; with `cursor` the parameter is left out.
    size | a table | How many rows a page has.
    next | an expression | The next position (`cursor`, `link`, `merge`); with `page` and `offset` only whether there is one.
    more | an expression | True while there is more: `true`, `"true"`, `"yes"` or a number other than 0. Anything else is false.
    done | an expression | True at the end, as with `more`.
    pages | an expression | The number of pages.
    advance | `"received"` or `"asked"` | With `offset`: what is counted on by.
    carry | tables | `[[pagination.carry]]`: other values that travel along.
    end_on | `"empty"`, `"short"` | Pages that end the list whatever else is said. A short page alone never does.
    end_status | numbers | Statuses that mean the end after the first page.
    expired_status | numbers | Statuses that mean that the cursor has expired.
    repeat | `"stop"`, `"progress"`, `"end"` | Whether an equal request may follow: once while rows are new; as often as rows are new; never.
    overlap | a number | Rows at the beginning of a page that the page before had too.
    max_empty_pages | a number | Default: 3 in the pager, 100 in a pipe.
    hosts | hosts | Others that a next page may be at; they get no credential.
    cap | a table | Where the service stops, whatever its total says.

    pagination.size | The size of a page; it never changes within a run.
    param | a name | The parameter of the query.
    body | like `a.b` | The member of the body.
    header | a name | The header field.
    default | a number | In the pager.
    max | a number | The most the service gives; `--all` asks for it.
    actual | an expression | What the service says it gives.
    template | text | The size in words: `"0-{page_size}"`.

    pagination.cap | One of rows, page and offset.
    rows | a number | Rows that can be reached.
    page | a number | The last page.
    offset | a number | The last offset.
    rule | `"start"` or `"end"` | Whether the first or the last row of a page must be within.
    unless | `"auth"` or `"secret:NAME"` | The credential that lifts it.

    pagination.carry | A value of each reply that goes into the next request.
    from | an expression, required | Where it stands.
    into | a slot, required | Where it goes.

    rows | Where the rows are.
    path | a path | Leads to the list of rows. Default: the reply itself. In `columns` a slice or `[*]` selects the rows: `table[1:]`.
    shape | `"list"`, `"map"`, `"columns"`, `"columnar"`, `"scalars"` | Objects in a list; values of a table, whose keys are `@key`; lists of values; lists that each hold one column; plain values.
    names | names, or a path | With `columns` and `columnar`: what the values are called.
    required | `true` or `false` | Whether a reply without the path is an error rather than an empty page.
    key | an expression | What tells rows apart. Default: `id`, else the link.
    total | an expression | How many there are.
    total_exact | an expression | True when the total is exact.
    total_at_least | a condition | When it is a lower bound.
    total_request | a table | Asks for the total by itself.
    incomplete | an expression | True when the service gave up early.
    link | an expression | The address a row leads to, http or https.

    rows.total_request | Asked once, beside the first page, at the same origin.
    method | as in `[request]` | Also params, url and body.
    url | an address, required | As in `[request]`.
    params | a table | As in `[request]`.
    body | a table | As in `[request]`.
    total | an expression, required | Where the number stands.

    columns | `[[columns]]`, in order. Without any, all keys of the first page are columns, of which a table shows six.
    path | an expression, required | Where the value stands in a row.
    name | `a-z0-9_` | What `--columns` and `--sort` call it. Default: the last key of the path.
    title | text | Its heading. Default: made from the name.
    format | a format | One of the column formats below. Default: `text`.
    html | `"none"`, `"strip"`, `"entities"` | What is taken out of the text.
    when | a condition | The value is empty where it is not met.
    zone | `"UTC"` or `"+09:00"` | Of times that do not say it.
    align | `"left"`, `"right"`, `"center"` | Default: by the format.
    width | a table | In columns of the terminal.
    wrap | `true` or `false` | Whether long cells go on in the next line.
    priority | 0 to 1000 | Higher ones are dropped first on a narrow screen.
    color | a role, or a table | `riffle-config`(5) names the roles; `{ map = { open = "success" } }` goes by the text.
    join | text | Between the elements of a list. Default: `", "`.
    empty | text | What people see where there is nothing.

    columns.width | Either fixed, or any of the others.
    fixed | a number | Neither more nor less.
    min | a number | At least.
    max | a number | At most, while other columns need the room.
    weight | a number | Its share of what is left over.

    columns.color | The role of each text.
    map | a table, required | `open = "success"`; upper and lower case are the same.

    limits | What the service says about its limits.
    limit | an expression | Requests in a window.
    remaining | an expression | Those that are left.
    reset | a table | When there are new ones.
    bucket | an expression | The name of what is counted together.
    backoff | an expression | Seconds to wait before the next request.
    min_interval | a duration | The least time between requests.
    concurrency | 1 to 64 | Requests at the same time. Default: 4.

    limits.reset | The time of the reset.
    from | an expression, required | Where it stands.
    kind | a word | `epoch`, `epoch_ms`, `seconds` (from now), `iso8601`, `http-date`. Default: told by its size.

    errors | What replies mean that are no rows.
    message | an expression | The service's own words.
    when | tables | `[[errors.when]]`: an error inside a good reply.
    rate_limited | tables | `[[errors.rate_limited]]`: wait, then ask again.
    retry | tables | `[[errors.retry]]`: ask again.
    fatal | tables | `[[errors.fatal]]`: never ask again.

    errors.when | An error inside a good reply.
    match | a condition, required | What tells it.
    unless | an expression | Where it stands, it is none.

    errors.rate_limited | It has a status, a match or both.
    status | numbers | Any of them.
    match | a condition | What the reply holds.
    unless | an expression | Where it stands, the rule does not count.
    wait_from | a table | Where the wait stands, in seconds.
    wait_at_least | a duration | Or a number of seconds.

    errors.retry | As `[[errors.rate_limited]]`.
    status | numbers | Any of them.
    match | a condition | What the reply holds.
    unless | an expression | Where it stands, the rule does not count.
    wait_from | a table | Where the wait stands, in seconds.
    wait_at_least | a duration | Or a number of seconds.

    errors.fatal | As `[[errors.rate_limited]]`, without waits.
    status | numbers | Any of them.
    match | a condition | What the reply holds.
    unless | an expression | Where it stands, the rule does not count.

    wait_from | One of path and header.
    path | a path | In the body.
    header | a name | A header field.
    number_after | text | The words before the number.

    condition | One of path and header, and one test. Upper and lower case are the same; a list means any of them.
    path | a path | In the body.
    header | a name | A header field.
    equals | texts | The whole value.
    contains | texts | A part of it.
    starts_with | texts | Its beginning.
    exists | `true` or `false` | Whether it is there.

    detail | One row, fully.
    fields | expressions | Those shown, in order. Default: all columns.
    body | a table | A long text.
    request | a table | Asks for the row itself.

    detail.body | A long text of the row.
    path | an expression, required | Where it stands.
    format | `"text"`, `"markdown"`, `"html"`, `"json"` | What it is.

    detail.request | At the same origin only.
    url | an expression, required | `"=https://api.example.org/items/{id}"`.
    params | a table | Parameters of the query.

    actions.NAME | What a key does with a row, pressed after `,`.
    key | one character, required | It.
    open | an expression | The address that is opened.
    copy | an expression | The text that is copied.
    """#
}
