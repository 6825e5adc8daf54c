import Text

/// The title of the column that is sorted by, with its sign. The title stays where it is without the sign, which
/// stands behind it: after a blank where the column has room, else next to it, if need be in the gap before the
/// next column. Where there is none the title gives way, unless too little of it would be left.
struct SortedTitle {
  let title: Sanitized
  let sign: Sanitized
  let alignment: Alignment
  /// Of the column.
  let width: Int
  /// Columns that may be written to: those of the column, perhaps with one of the gap.
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
