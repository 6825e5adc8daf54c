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
    | Keys before the first table.
    schema | `1`, required | The schema version.
    id | a name, required | The name of the source: `a-z`, `0-9` and `-`. With the id of a built-in source, this document overrides it key by key.
    aliases | names | Other names.
    title | text | The title to display. Default: the id.
    homepage | an address | The documentation of the API.
    extends | an id | The source to inherit from: all keys not set here are taken from it. Credentials are inherited only for the same origin.
    enabled | `true` or `false` | Whether the source can be used.

    input | Query input.
    min_length | 0 to 1000 | Minimum number of characters in a query. Default: 1.
    max_length | 1 to 1000000 | Maximum number of characters in a query.
    debounce | a duration | Pause in typing before a live search. Default: the setting.
    live | `true` or `false` | Whether to search while typing. Default: the setting.
    filter | `"server"` or `"client"` | `client` if the service cannot search: riffle loads everything and filters it.
    placeholder | text | Hint shown in an empty query line.
    examples | texts | Example queries.

    request | The request.
    url | an address, required | The address, with placeholders. A placeholder for scheme and host must come first.
    method | `"GET"` or `"POST"` | Default: POST with a body, else GET.
    params | a table | Query parameters: text, numbers or booleans; a list repeats the parameter.
    headers | a table | Headers, which replace riffle's own.
    body | a table | A JSON body; members keep their order.
    graphql | text | A GraphQL document, sent as POST with `variables`. It cannot contain placeholders.
    variables | a table | Variables of the GraphQL document.
    safe | `true` or `false` | Whether the request can be repeated safely. Default: true for GET and for GraphQL other than mutations.
    timeout | a duration | Time limit for one page.
    user_agent | text | Shorthand for `headers.User-Agent`.
    when | tables | See `[request.when.NAME]`.

    request.when.NAME | Additions to the request when the query (`NAME` is `query`) or an option is not empty.
    params | a table | As in `[request]`.
    headers | a table | As in `[request]`.
    body | a table | As in `[request]`.

    options.NAME | An option of the source: set with `--set NAME=value`, used as `{NAME}` in the request. Required if it has neither a default nor values.
    values | a list | The allowed values.
    default | one value | The default. If not set, the first of `values`.
    charset | like `a-z0-9-` | The allowed characters. Required (or `values`) for an option that is part of the host.
    max_length | 1 to 10000 | Maximum number of characters.
    title | text | The title to display.
    key | one character | The key that, after `,` in the pager, selects the next of `values`.

    auth | The credential. Never write its value here.
    type | required | `none`, `bearer` (Authorization: Bearer …), `basic`, `header` or `query`.
    from | places, required | Where the credential comes from: `env:NAME`, `file:PATH` (absolute or `~/…`; its first line), `cmd:PROGRAM ARGUMENT …` (no shell; the first line of its output, within ten seconds). The first place that has a value is used, environment variables before the others. If the service rejects a credential (401), its program is run again.
    user_from | places | With `basic`: where the user name comes from.
    header | a name | With `header`: the header.
    prefix | text | With `header`: the text before the credential.
    param | a name | With `query`: the parameter.
    optional | `true` or `false` | Whether requests may be sent without a credential.
    hosts | hosts | Other hosts that the credential may be sent to.

    secrets.NAME | More credentials, used as `{secret:NAME}` in headers and parameters.
    from | places, required | As in `[auth]`.
    optional | `true` or `false` | As in `[auth]`.

    pagination | How to get the next page.
    type | required | One of the styles above.
    param | a name | Shorthand for `into = "query:NAME"`.
    into | a slot | Where to put the number or cursor: `query:NAME`, `body:a.b` or `header:NAME`. With `merge`, the default is `query`.
    first | a number or text | The value for the first page. Default: 1 with `page`, 0 with `offset`; with `cursor` the parameter is omitted.
    size | a table | The page size.
    next | an expression | The next position (`cursor`, `link`, `merge`); with `page` and `offset`, only whether there is one.
    more | an expression | True if there are more pages: `true`, `"true"`, `"yes"` or a number other than 0. Anything else is false.
    done | an expression | True on the last page, with values as for `more`.
    pages | an expression | The number of pages.
    advance | `"received"` or `"asked"` | With `offset`: advance by the number of rows received or by the page size.
    carry | tables | `[[pagination.carry]]`: other values to send with the next request.
    end_on | `"empty"`, `"short"` | Kinds of pages that end the list. By default, a short page does not end it by itself.
    end_status | numbers | Statuses that mean the end of the list, after the first page.
    expired_status | numbers | Statuses that mean the cursor has expired.
    repeat | `"stop"`, `"progress"`, `"end"` | How often the next request may equal the previous one: once, if its rows are new (`stop`); as long as its rows are new (`progress`); never (`end`).
    overlap | a number | Number of rows at the start of a page that repeat the end of the previous page.
    max_empty_pages | a number | Maximum number of empty pages in a row. Default: 3 in the pager, 100 in a pipe.
    hosts | hosts | Other hosts that a next page may be on. They are not sent the credential.
    cap | a table | The point after which the service returns no more rows, whatever the total.

    pagination.size | The page size. It does not change during a run.
    param | a name | The query parameter.
    body | like `a.b` | The member of the body.
    header | a name | The header.
    default | a number | The page size in the pager.
    max | a number | The largest page the service allows; used by `--all`.
    actual | an expression | The page size that the service reports.
    template | text | The value to send, if not just the number: `"0-{page_size}"`.

    pagination.cap | One of rows, page or offset.
    rows | a number | The number of rows that can be loaded.
    page | a number | The last page.
    offset | a number | The last offset.
    rule | `"start"` or `"end"` | Whether the first or the last row of a page must be within the cap.
    unless | `"auth"` or `"secret:NAME"` | The credential that lifts the cap.

    pagination.carry | A value of each reply to send with the next request.
    from | an expression, required | Where the value is.
    into | a slot, required | Where to put it.

    rows | Where the rows are.
    path | a path | The path of the list of rows. Default: the reply itself. In `columns`, a slice or `[*]` selects the rows: `table[1:]`.
    shape | `"list"`, `"map"`, `"columns"`, `"columnar"`, `"scalars"` | `list`: a list of objects. `map`: an object whose values are the rows (`@key` is their key). `columns`: one list of values per row. `columnar`: one list of values per column. `scalars`: a list of plain values.
    names | names, or a path | With `columns` and `columnar`: the names of the values.
    required | `true` or `false` | Whether a reply without the path is an error, not an empty page.
    key | an expression | The unique key of a row. Default: `id`, or else the link.
    total | an expression | The total number of rows.
    total_exact | an expression | True if the total is exact.
    total_at_least | a condition | When the total is a lower bound.
    total_request | a table | A separate request for the total.
    incomplete | an expression | True if the service stopped the search early.
    link | an expression | The link of a row, http or https.

    rows.total_request | A request for the total, sent once with the first page, to the same origin.
    method | as in `[request]` | Also params, url and body.
    url | an address, required | As in `[request]`.
    params | a table | As in `[request]`.
    body | a table | As in `[request]`.
    total | an expression, required | Where the total is.

    columns | `[[columns]]`, in order. Without any, all keys of the first page are columns, and tables show six of them.
    path | an expression, required | Where the value is in a row.
    name | `a-z0-9_` | The name for `--columns` and `--sort`. Default: the last key of the path.
    title | text | The heading. Default: made from the name.
    format | a format | One of the column formats below. Default: `text`.
    html | `"none"`, `"strip"`, `"entities"` | How to handle HTML: keep it, strip tags, or decode entities only.
    when | a condition | If it is not met, the value is empty.
    zone | `"UTC"` or `"+09:00"` | The time zone of times without one.
    align | `"left"`, `"right"`, `"center"` | The alignment. Default: depends on the format.
    width | a table | The width, in terminal columns.
    wrap | `true` or `false` | Whether to wrap long cells.
    priority | 0 to 1000 | Columns with higher numbers are hidden first on a narrow screen.
    color | a role, or a table | A role of `riffle-config`(5), or one per text: `{ map = { open = "success" } }`.
    join | text | Separator between the elements of a list. Default: `", "`.
    empty | text | Text shown for an empty value.

    columns.width | Either `fixed` alone, or any of the others.
    fixed | a number | Exact width.
    min | a number | Minimum width.
    max | a number | Maximum width, while other columns need the space.
    weight | a number | Share of the remaining space.

    columns.color | A role for each text.
    map | a table, required | `open = "success"`, ignoring case.

    limits | Rate limits reported by the service, and limits for riffle.
    limit | an expression | Number of requests allowed per window.
    remaining | an expression | Number of requests left.
    reset | a table | When the window ends.
    bucket | an expression | The name of the limit that the request counts toward.
    backoff | an expression | Seconds to wait before the next request.
    min_interval | a duration | Minimum time between requests.
    concurrency | 1 to 64 | Maximum number of parallel requests. Default: 4.

    limits.reset | The time of the reset.
    from | an expression, required | Where the time is.
    kind | a word | `epoch`, `epoch_ms`, `seconds` (from now), `iso8601`, `http-date`. Default: detected from the number.

    errors | How to recognize errors.
    message | an expression | The error message of the service.
    when | tables | `[[errors.when]]`: errors in replies with a success status.
    rate_limited | tables | `[[errors.rate_limited]]`: wait, then retry.
    retry | tables | `[[errors.retry]]`: retry.
    fatal | tables | `[[errors.fatal]]`: do not retry.

    errors.when | An error in a reply with a success status.
    match | a condition, required | The condition for an error.
    unless | an expression | If it has a value, the reply is not an error.

    errors.rate_limited | A rule with a status, a match or both.
    status | numbers | Any of these statuses.
    match | a condition | The condition for the reply.
    unless | an expression | If it has a value, the rule does not apply.
    wait_from | a table | Where the wait in seconds is.
    wait_at_least | a duration | Minimum wait. A number means seconds.

    errors.retry | A rule as in `[[errors.rate_limited]]`.
    status | numbers | Any of these statuses.
    match | a condition | The condition for the reply.
    unless | an expression | If it has a value, the rule does not apply.
    wait_from | a table | Where the wait in seconds is.
    wait_at_least | a duration | Minimum wait. A number means seconds.

    errors.fatal | A rule as in `[[errors.rate_limited]]`, without waits.
    status | numbers | Any of these statuses.
    match | a condition | The condition for the reply.
    unless | an expression | If it has a value, the rule does not apply.

    wait_from | Either path or header.
    path | a path | A value in the body.
    header | a name | A header.
    number_after | text | The text before the number.

    condition | Either path or header, and one test. Case is ignored; a list matches any of its values.
    path | a path | A value in the body.
    header | a name | A header.
    equals | texts | The value is equal.
    contains | texts | The value contains the text.
    starts_with | texts | The value starts with the text.
    exists | `true` or `false` | Whether the value exists.

    detail | The detail view of a row.
    fields | expressions | The fields shown, in order. Default: all columns.
    body | a table | A long text shown below the fields.
    request | a table | A request for more data about the row.

    detail.body | A long text of the row.
    path | an expression, required | Where the text is.
    format | `"text"`, `"markdown"`, `"html"`, `"json"` | The format of the text.

    detail.request | A request for more data about the row, to the same origin only.
    url | an expression, required | The address, like `"=https://api.example.org/items/{id}"`.
    params | a table | Query parameters.

    actions.NAME | An action on a row, with a key pressed after `,`.
    key | one character, required | The key.
    open | an expression | The address to open.
    copy | an expression | The text to copy.
    """#
}
