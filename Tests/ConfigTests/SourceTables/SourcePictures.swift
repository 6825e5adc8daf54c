import Config
import HTTPValues
import JSON
import Search
import Text

/// The problems of a document, one per line; "fine" if there are none.
func problems(_ text: String) -> String {
  do {
    _ = try SourceDecoder.source(TOMLDocument(text, file: "mine.toml"))
    return "fine"
  } catch { return "\(error)" }
}

/// Like `problems`, for text that follows four valid lines.
func problems(after text: String) -> String {
  problems(
    """
    schema = 1
    id = "mine"
    [request]
    url = "https://api.example.org/search"
    \(text)
    """)
}

func source(_ text: String) throws -> Source {
  try SourceDecoder.source(TOMLDocument(text, file: "mine.toml"))
}

/// A decoded source as text, one idea per line.
func picture(_ source: Source) -> String {
  ([
    "\(source.id): \(source.title), \(source.homepage ?? "no homepage"), aliases \(source.aliases)",
    "input: \(source.input.minLength)…\(source.input.maxLength.map(String.init) ?? "") after"
      + " \(DurationText.text(source.input.debounce)), live \(source.input.isLive)",
    "\(source.endpoint.method.rawValue) \(source.endpoint.url.text)",
  ]
    + source.endpoint.parameters.map { "  ?\($0.name)=\($0.value.text)" }
    + source.endpoint.headers.map { "  \($0.name): \($0.value.text)" }
    + source.options.map { "option \($0.name): \($0.values), default \($0.defaultValue ?? "none")" }
    + [
      source.authorization.map {
        "auth: \($0.scheme.name) \($0.place) from \($0.from), optional \($0.isOptional)"
      }
        ?? "no auth"
    ]
    + [picture(source.pagination)]
    + ["rows: \(source.rows.path.map { "\($0)" } ?? "$")"]
    + source.columns.map {
      "| \($0.name) \"\($0.title)\" \($0.format.name) \($0.alignment) \($0.width) p\($0.priority)"
        + " \($0.color.map(picture) ?? "-")"
    }
    + ["limits: every \(DurationText.text(source.limits.minInterval)), \(source.limits.concurrency) at once"]
    + source.errors.rateLimited.map { "rate limited: \($0.statuses) wait \($0.waitAtLeast ?? 0)" })
    .joined(separator: "\n")
}

private func picture(_ color: ColumnColor) -> String {
  switch color {
  case .always(let role): role.rawValue
  case .byText(let roles):
    roles.map { "\($0.key)=\($0.value.rawValue)" }.sorted().joined(separator: ",")
  }
}

private func picture(_ pagination: Pagination) -> String {
  let settings = pagination.settings
  let size = settings.size
  return
    "pages: \(pagination.name) into \(settings.into.map { "\($0)" } ?? "-") first \(settings.first?.text ?? "-"),"
    + " size \(size.slot.map { "\($0)" } ?? "-") \(size.standard ?? 0)/\(size.maximum ?? 0),"
    + " cap \(settings.cap.map { "\($0.count) \($0.unit) \($0.rule)" } ?? "-"), end \(settings.endStatuses)"
}
