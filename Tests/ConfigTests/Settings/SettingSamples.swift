import Config
import Text

extension Setting {
  /// Two different values, the first of which also differs from the default.
  var samples: (one: SettingValue, other: SettingValue) {
    switch kind {
    case .integer(let range):
      standard == .integer(range.upperBound)
        ? (.integer(range.lowerBound), .integer(range.upperBound))
        : (.integer(range.upperBound), .integer(range.lowerBound))
    case .bool: standard == .bool(true) ? (.bool(false), .bool(true)) : (.bool(true), .bool(false))
    case .choice(let words):
      words.last.map { .text($0) } == standard
        ? (.text(words[0]), .text(words[1])) : (.text(words[words.count - 1]), .text(words[0]))
    case .duration(let range, _):
      (
        .text(DurationText.text(range.lowerBound + .milliseconds(1_500))),
        .text(DurationText.text(range.lowerBound + .seconds(2)))
      )
    case .path: (.text("/a/b.pem"), .text("~/c.pem"))
    case .source: (.text("github"), .text("hn"))
    case .style: (.text("red 203 #ff5f5f bold"), .text("plain"))
    case .command: (.list(["open", "{url}"]), .list(["w3m", "-T", "{url}"]))
    case .keys: (.list(["f9"]), .list([]))
    }
  }
}

extension SettingValue {
  /// The value as an environment variable contains it; nil for a list.
  var plainText: String? {
    switch self {
    case .integer(let number): "\(number)"
    case .bool(let flag): "\(flag)"
    case .text(let text): text
    case .list: nil
    }
  }
}
