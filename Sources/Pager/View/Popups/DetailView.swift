private import Search
import Terminal
private import Text

/// One row, whole: its fields one below the other and its longer text, or its JSON. Until it is read from its
/// reply, the cells of the table stand for it.
enum DetailView {
  /// Lines of JSON that are shown.
  private static let mostLines = 5_000

  static func lines(_ state: PagerState, showsJSON: Bool) -> [StyledText] {
    let failure = state.readDetail?.failure.map { why in
      state.paragraph("\(state.rules.glyphs.failure)\(why)", state.theme[.error]) + [StyledText()]
    }
    return (failure ?? []) + known(state, showsJSON: showsJSON)
  }

  private static func known(_ state: PagerState, showsJSON: Bool) -> [StyledText] {
    switch state.readDetail?.content {
    case .read(_, _, let json) where showsJSON:
      let more = json.count - mostLines
      let note = more > 0 ? state.paragraph("\(more) more lines are not shown", state.theme[.dim]) : []
      return json.prefix(mostLines).flatMap { state.paragraph($0) } + note
    case .read(let fields, let body, _):
      let text = body.map { $0.isEmpty ? [] : [StyledText()] + paragraphs($0, state) }
      return lines(of: fields, state) + (text ?? [])
    case nil, .failed: return cells(state)
    }
  }

  private static func paragraphs(_ text: String, _ state: PagerState) -> [StyledText] {
    text.split(separator: "\n", maxSplits: mostLines, omittingEmptySubsequences: false).flatMap {
      state.paragraph(String($0))
    }
  }

  private static func cells(_ state: PagerState) -> [StyledText] {
    guard let row = state.selectedRow, let (block, place) = state.rows.locate(row),
      case .cells(let cells)? = block.content
    else { return [] }
    var fields = cells.columns.indices.map { column in
      RowDetail.Field(
        title: cells.columns[column].title, text: cells.cell(row: place, column: column).string)
    }
    let link = cells.link(row: place)
    if !link.isEmpty { fields.append(RowDetail.Field(title: "Link", text: link)) }
    return lines(of: fields, state)
  }

  private static func lines(of fields: [RowDetail.Field], _ state: PagerState) -> [StyledText] {
    let model = state.canvas.widthModel
    let widest = fields.map { Sanitized($0.title).width(model) }.max() ?? 0
    let width = min(widest, state.canvas.size.columns / 3)
    return fields.flatMap { field -> [StyledText] in
      let title = Sanitized(field.title).fitted(to: width, ellipsis: state.rules.glyphs.ellipsis, model)
      // A text with blanks only begins like an address.
      let link = field.text.contains(where: \.isWhitespace) ? nil : Link(field.text)
      let texts = Sanitized(field.text).wrapped(to: state.canvas.size.columns - width - 4, model)
      return texts.enumerated().map { number, text in
        var line = StyledText(.spaces(1))
        line.append((number == 0 ? title : .spaces(width)) + .spaces(2), state.theme[.header])
        line.append(text, link: link)
        return line
      }
    }
  }
}
