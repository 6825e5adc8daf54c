import Text

/// The title of the sort column with its sort indicator. The title keeps its position; the indicator follows
/// it, after a space if the column is wide enough, else directly, if necessary in the gap before the next
/// column. If there is no space even there, the title is truncated, unless too little of it would be left.
struct SortedTitle {
  let title: Sanitized
  let sign: Sanitized
  let alignment: Alignment
  /// The width of the column.
  let width: Int
  /// The terminal columns available: those of the column, possibly with one of the gap.
  let room: Int

  func text(ellipsis: Sanitized, _ model: WidthModel) -> Sanitized {
    let whole = title.fitted(to: width, alignment, ellipsis: ellipsis, model)
    let end = alignment == .leading ? min(title.width(model), width) : width
    let signWidth = sign.width(model)
    if end + 1 + signWidth <= width { return whole.prefix(columns: end, model) + Sanitized(" ") + sign }
    if end + signWidth <= room { return whole.prefix(columns: end, model) + sign }
    guard room - signWidth >= max(Self.leastTitle, signWidth) else { return whole }
    return title.fitted(to: room - signWidth, alignment, ellipsis: ellipsis, model) + sign
  }

  private static let leastTitle = 3
}
