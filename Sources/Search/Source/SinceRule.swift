import HTTPValues
import JSON
import Text

/// How a service lists only the rows that changed since a time, or since a number (`[since]`).
package struct SinceRule: Sendable {
  package enum Format: String, Sendable, CaseIterable {
    case iso8601
    case date
    case epoch
    case epochMilliseconds = "epoch_ms"
    /// A number that grows with each row, such as an id.
    case number
  }

  /// The time or number of a row.
  package var value = ValueExpression([])
  /// The query parameter for it; nil if it is part of the query's text.
  package var parameter: String?
  /// The value of the parameter, or the text of the query, with the placeholders `since` and, for the query, `query`. Nil
  /// for a parameter with nothing else.
  package var template: Template?
  /// How a request contains it.
  package var format = Format.iso8601
  /// How much earlier the request asks, because clocks differ, and rows may appear late.
  package var overlap = Duration.seconds(60)
  /// The options on which the filter depends, with the values that they must have.
  package var options: [String: String] = [:]

  package init() {}
}

/// The greatest time or number among the rows that runs have received.
package struct SinceMark: Sendable, Hashable, Comparable {
  /// The number, or the seconds since 1970, rounded down.
  package let whole: Int64
  /// The fraction of a second.
  package let nanoseconds: Int32

  private init(whole: Int64, nanoseconds: Int32 = 0) {
    self.whole = whole
    self.nanoseconds = nanoseconds
  }

  private init(_ time: Timestamp) { self.init(whole: time.epochSeconds, nanoseconds: time.nanoseconds) }

  /// Reads the value of a row, or the text of a stored mark.
  ///
  /// - Returns: Nil for anything but a whole number or a time, whichever the format is for.
  package init?(_ text: String, as format: SinceRule.Format) {
    if format == .number {
      guard let number = Int64(text) else { return nil }
      self.init(whole: number)
    } else {
      let value = Double(text) == nil ? CellValue.text(text) : .number(text)
      guard let time = ColumnFormat.datetime.time(of: value) else { return nil }
      self.init(time)
    }
  }

  package static func < (a: SinceMark, b: SinceMark) -> Bool {
    (a.whole, a.nanoseconds) < (b.whole, b.nanoseconds)
  }

  /// The text that `init(_:as:)` reads as this mark.
  package func text(as format: SinceRule.Format) -> String {
    let time = Timestamp(epochSeconds: whole, nanoseconds: nanoseconds)
    return format == .number ? "\(whole)" : time?.rfc3339 ?? "\(whole)"
  }

  /// The earlier of the mark and a time in seconds since 1970.
  package func limited(to time: Double) -> SinceMark {
    Timestamp(epoch: time).map { min(self, SinceMark($0)) } ?? self
  }
}

extension SinceRule {
  /// The greatest value of these rows; nil if none has one.
  package func mark(of rows: DocumentRows) -> SinceMark? {
    rows.nodes.compactMap { node in
      rows.response.text(of: value, at: node).flatMap { SinceMark($0, as: format) }
    }.max()
  }

  /// Whether the filter applies to a query with these values of the source's options.
  package func applies(to values: [String: String]) -> Bool {
    options.allSatisfy { values[$0.key] == $0.value }
  }

  /// The mark less the overlap, as a request contains it.
  package func text(of mark: SinceMark) -> String {
    if format == .number { return "\(mark.whole)" }
    let (seconds, attoseconds) = overlap.components
    let start = mark.whole - seconds - (attoseconds > 0 ? 1 : 0)
    switch format {
    case .iso8601: return Timestamp(epochSeconds: start)?.rfc3339 ?? ""
    case .date: return Timestamp(epochSeconds: start)?.date(in: .utc) ?? ""
    case .epoch, .number: return "\(start)"
    case .epochMilliseconds: return "\(start * 1_000)"
    }
  }

  /// Changes a source and a query to list only the rows since a mark.
  package func apply(_ mark: SinceMark, to source: inout Source, _ query: inout Query) {
    let (since, words) = (text(of: mark), query.text)
    let text = template?.filled { $0 == "since" ? since : words } ?? since
    guard let parameter else {
      query.text = String(text.trimmedBlanks)
      return
    }
    let pattern = text.replacing("{", with: "{{").replacing("}", with: "}}")
    guard let value = try? Template(pattern) else { return }
    source.endpoint.parameters.removeAll { $0.name == parameter }
    source.endpoint.parameters.append(Endpoint.Field(name: parameter, value: value))
  }
}
