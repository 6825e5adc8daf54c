import JSON
import Pager
import Search
import Terminal
import Text

extension Target {
  static let recordings = Target(
    name: "recordings",
    summary: "recordings, whole or a line of events each: read back as themselves, played and drawn",
    vary: RecordingVariation.vary
  ) { bytes in
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    guard let beginning: PagerInitialState = start(of: lines.first ?? []) else { return }
    var state = beginning.state
    draw(state)
    for line in lines {
      guard let event: PagerEvent = form(in: line, named: "event") else { continue }
      state.reduce(event)
      draw(state)
      holdTogether(state)
    }
  }

  private static let sessionRules = {
    var rules = Session.Rules(first: Position(ordinal: 0, value: .number(1)))
    rules.numbering = .pages(from: 1)
    rules.concurrency = 4
    return rules
  }()

  /// Where events are played that no beginning stands before: it takes most of a short recording.
  private static let plain = PagerInitialState(
    rules: PagerRules(title: "plain"),
    session: sessionRules,
    columns: ["name", "stars"].map { Column(name: $0, title: $0, value: ValueExpression([])) },
    canvas: Canvas(size: Size(columns: 60, rows: 12), widthModel: .clusters), query: Query("a"), now: 1000)

  /// Nil for a first line that should be a beginning and is none.
  private static func start(of line: ArraySlice<UInt8>) -> PagerInitialState? {
    guard let json = try? JSONDocument(Array(line)).root, let start = json["initialState"]?["pager"]?["_0"]
    else {
      return plain
    }
    return form(of: start)
  }

  /// What a member of a line's object says; nil when that is nothing of this kind.
  private static func form<Form: JSONChecked>(in line: ArraySlice<UInt8>, named name: String) -> Form? {
    (try? JSONDocument(Array(line)).root[name]).flatMap { form(of: $0) }
  }

  private static func form<Form: JSONChecked>(of json: JSONValue) -> Form? {
    guard let form: Form = try? json.decoded() else { return nil }
    let written = JSONCoding.bytes(of: form)
    guard let again: Form = try? JSONDocument(written).root.decoded() else {
      fatalError("what is written is read: \(written.text)")
    }
    hold(JSONCoding.bytes(of: again) == written, "what is read back is the same: \(written.text)")
    return form
  }

  private static func draw(_ state: PagerState) {
    let frame = PagerView.frame(state)
    let size = state.canvas.size
    hold(
      frame.lines.count <= max(size.rows, 1), "the picture is \(frame.lines.count) lines high of \(size.rows)"
    )
    for line in frame.lines {
      let width = line.width(state.canvas.widthModel)
      hold(width <= size.columns, "a line is \(width) wide of \(size.columns): \(frame.text)")
    }
    guard let caret = frame.caret, frame.lines.count == size.rows else { return }
    hold(
      0..<size.columns ~= caret.column && 0..<size.rows ~= caret.row, "the cursor is on the screen: \(caret)")
  }

  private static func holdTogether(_ state: PagerState) {
    hold(state.rows.count == state.session.rows.count, "the rows are those of the session")
    for position in [0, state.viewport.selection, state.listCount - 1] {
      if let row = state.row(at: position) { hold(row < state.rows.count, "a row that is listed is there") }
    }
    hold(state.session.requests.count <= 64, "\(state.session.requests.count) pages are asked for at once")
  }
}
