import Terminal
import Text

/// What it costs to draw one frame over another: a table of 120 × 40 with CJK and emoji, as the pager shows it.
///
///     RIFFLE_BENCHMARKS=1 swift run -c release DrawingBenchmark
@main
struct Drawing {
  private static let canvas = Canvas(size: Size(columns: 120, rows: 40), widthModel: .codePoints)
  private static let descriptions = [
    "A powerful little TUI framework", "日本語の検索システムとデータ", "Fast, extensible parser for JSON and TOML",
    "naïve café, 한국어 문자열", "👩‍👩‍👧‍👦 emoji families and ❤️ hearts",
    "The quick brown fox jumps over the lazy dog",
  ]

  static func main() {
    report("a move of the selection") { (frame($0, $0 + 5), frame($0, $0 + 6)) }
    report("a scroll by one row") { (frame($0, $0 + 36), frame($0 + 1, $0 + 37)) }
    report("a page") { (frame($0, $0 + 5), frame($0 + 37, $0 + 42)) }
    report("everything") { (nil, frame($0, $0 + 5)) }
  }

  private static func report(_ name: String, _ frames: (Int) -> (Frame?, Frame)) {
    let diff = FrameDiff(colors: .direct, isSynchronized: true)
    var times: [Double] = []
    var bytes = 0
    for top in 0..<400 {
      let (old, new) = frames(top)
      let time = ContinuousClock().measure { bytes += diff.bytes(from: old, to: new).count }
      times.append(time / .microseconds(1))
    }
    times.sort()
    let (least, median, p95) = (Int(times[0]), Int(times[200]), Int(times[380]))
    print("\(name): least \(least) µs, median \(median) µs, p95 \(p95) µs; \(bytes / 400) bytes")
  }

  private static func frame(_ top: Int, _ selection: Int) -> Frame {
    var lines: [Line] = [Line("riffle  a source"), Line("search› text")]
    for row in top..<top + 37 { lines.append(line(row, isSelected: row == selection)) }
    lines.append(
      Line(Sanitized(" \(top + 1)–\(top + 37) of 1200 loaded · 52,341 found"), style: Style(attributes: .dim))
    )
    return Frame(canvas, lines: lines)
  }

  private static func line(_ row: Int, isSelected: Bool) -> Line {
    var line = Line()
    if isSelected { line.append("▌", style: Style(foreground: .indexed(6))) }
    line.advance(to: 2)
    line.append(Sanitized("owner\(row % 97)/repository-\(row)"), style: Style(attributes: .bold))
    line.advance(to: 30)
    line.append(Sanitized("\(row &* 7919 % 100_003)"))
    line.advance(to: 38)
    line.append("Swift", style: Style(foreground: .indexed(3)))
    line.advance(to: 48)
    line.append(Sanitized(descriptions[row % descriptions.count]))
    line.advance(to: 118)
    return line
  }
}
