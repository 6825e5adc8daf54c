import HTTPValues
import Text

/// How a list that the service ends early is cut into parts that together are the whole (`[split]`): ranges of one
/// field, each requested as a list of its own.
package struct Split: Sendable, Hashable {
  /// The smallest range. Limits of a range are counted in it: seconds or days since 1970, or the numbers themselves.
  package enum Unit: String, Sendable, Hashable, CaseIterable { case second, day, integer }

  /// How the service sorts the list by the field.
  package enum Order: String, Sendable, Hashable, CaseIterable {
    /// The greatest value first, as with the latest time.
    case newest
    case oldest
    /// By something else.
    case none
  }

  /// Whether the end of a range that is sent belongs to the range.
  package enum Bounds: String, Sendable, Hashable, CaseIterable {
    case closed = "[]"
    case halfOpen = "[)"
  }

  package typealias Parameter = Named<Template>

  /// A value of an option.
  package struct OrderOption: Sendable, Hashable {
    package let name: String
    package let value: String
    /// Whether the option has this value if none is chosen.
    package let isDefault: Bool

    package init(name: String, value: String, isDefault: Bool) {
      self.name = name
      self.value = value
      self.isDefault = isDefault
    }
  }

  package static let standard = Split()

  /// The greatest limit, so that sums of limits do not overflow.
  package static let largest = 1 << 53

  /// The name of the field in messages.
  package var field = ""
  package var unit = Unit.second
  /// The limits of the whole list, in units. `end` nil is the time at which the first part is requested.
  package var begin = 0
  package var end: Int?
  package var bounds = Bounds.closed
  package var order = Order.none
  /// The values of options with which the list has this order; with others, it is sorted by something else.
  package var orderOptions: [OrderOption] = []
  /// Query parameters for a part, with `{from}` and `{to}`; they replace those of the request.
  package var parameters: [Parameter] = []

  /// The order of the list of a query.
  package func order(of query: Query) -> Order {
    let isInOrder = orderOptions.allSatisfy { option in
      query.options[option.name].map { $0 == option.value } ?? option.isDefault
    }
    return isInOrder ? order : .none
  }

  /// A limit in units from a text: a number, a date, or a time in ISO 8601; nil if it is none of these.
  package func limit(_ text: String) -> Int? {
    if unit == .integer { return Int(text) }
    guard let time = Timestamp(iso8601: text) else { return nil }
    return Int(unit == .day ? time.epochSeconds.floored(by: 86_400) : time.epochSeconds)
  }

  /// The greatest value of the list, at a time in seconds since 1970.
  func end(at now: Double) -> Int {
    if let end { return end }
    let seconds = Int64(max(0, min(now, 1e11)))
    return Int(unit == .day ? seconds / 86_400 : seconds)
  }

  /// The value of `{from}` or `{to}`: a time in ISO 8601, or a number. The end of a day is its last second.
  func text(of limit: Int, isEnd: Bool) -> String {
    let isNext = isEnd && bounds == .halfOpen
    let limit = isNext ? limit + 1 : limit
    switch unit {
    case .integer: return String(limit)
    case .second: return time(limit)
    case .day: return time(limit * 86_400 + (isEnd && !isNext ? 86_399 : 0))
    }
  }

  private func time(_ seconds: Int) -> String { Timestamp(epochSeconds: Int64(seconds))?.rfc3339 ?? "" }

  /// A range in messages: `2024-03-01 to 2024-03-31`, or one value.
  package func text(of part: Position.Part) -> String {
    func text(_ limit: Int) -> String {
      let name = self.text(of: limit, isEnd: false)
      return unit == .day ? String(name.prefix(10)) : name
    }
    return part.from == part.to ? text(part.from) : "\(text(part.from)) to \(text(part.to))"
  }
}

extension Int64 {
  fileprivate func floored(by size: Int64) -> Int64 { self >= 0 ? self / size : (self - size + 1) / size }
}

extension Split {
  /// Puts the range of a part into its request.
  func apply(_ part: Position.Part, _ value: (String) -> String?, to draft: inout RequestDraft) {
    for parameter in parameters {
      let text = parameter.value.filled { name in
        switch name {
        case "from": self.text(of: part.from, isEnd: false)
        case "to": self.text(of: part.to, isEnd: true)
        default: value(name)
        }
      }
      guard let text else { continue }
      draft.parameters.append(RequestDraft.Item(name: parameter.name, value: String(text.trimmedBlanks)))
    }
  }
}
