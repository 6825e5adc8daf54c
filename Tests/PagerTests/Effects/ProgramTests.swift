import JSON
import Search
import Terminal
import Testing

@testable import Pager

/// Tests actions that run a program for rows, and their reports.
@Suite struct ProgramTests {
  static func action(_ name: String, key: Character = "g", terminal: Bool = false) throws -> RowAction {
    let words = try ["gh", "repo", "clone", "{name}"].map { try ValueTemplate($0) }
    return RowAction(name: name, key: key, effect: .run(RowCommand(words, usesTerminal: terminal)))
  }

  private func pager(rows: Int = 9) throws -> PagerDriver {
    let own = [try Self.action("clone"), try Self.action("edit", key: "e", terminal: true)]
    let map = try KeyMap(Actions.all + SourceActions.actions(options: [], rowActions: own))
    var pager = try PagerDriver(query: "x", size: (80, 16), pager: { $0.keyMap = map })
    try pager.answer(numbers: 0..<rows, more: false)
    return pager
  }

  private func requests(_ pager: PagerDriver) -> [String] {
    pager.state.effects.requests.map {
      if case .run(let request) = $0.task {
        "\(request.name) \(request.rows.numbers) \(request.places)"
      } else {
        ""
      }
    }
  }

  /// A report of runs given as `status output`, or as a refusal.
  private func end(_ pager: inout PagerDriver, _ runs: [(end: ProgramReport.End, output: [String])]) throws {
    let effect = try #require(pager.state.effects.started.first)
    guard case .run(let request) = effect.task else { return }
    var report = ProgramReport(name: request.name)
    for run in runs {
      report.append(ProgramReport.Run(command: "gh repo clone 'a b'", output: run.output, end: run.end))
    }
    pager.reduce(.effectEnded(id: effect.id, .ran(report)))
  }

  @Test
  func
    `[P7] A command typed for rows shows its output, or how it failed, and is in the history of its line.`()
    throws
  {
    var pager = try pager()
    try pager.press("| w c space - l enter")
    #expect(pager.notice == "wc -l: running (Esc: stop)")
    func end(_ output: [String], _ end: ProgramReport.End) throws {
      let effect = try #require(pager.state.effects.started.first)
      var report = ProgramReport(name: "wc -l", isForOutput: true)
      report.append(ProgramReport.Run(command: "wc -l", output: output, end: end))
      pager.reduce(.effectEnded(id: effect.id, .ran(report)))
    }
    try end(["1"], .status(0))
    #expect(pager.state.overlays.popup?.kind == .output && pager.notice == "wc -l: done")
    try pager.press("esc | up")
    #expect(pager.notice == "pipe rows to› wc -l")
    try pager.press("enter")
    try end([], .status(3))
    #expect(pager.state.mode == .table && pager.notice == "wc -l failed with status 3")
    try pager.press("| enter")
    #expect(pager.notice == "nothing run: no command" && pager.state.effects.requests.isEmpty)
  }

  @Test(arguments: ["esc", "ctrl-c"]) func `[P7] A program that does not end is stopped by a key.`(
    key: String
  ) throws {
    var pager = try pager()
    try pager.press("| y e s enter , g")
    #expect(pager.notice == "clone: waiting for the previous program")
    try pager.press(key)
    #expect(pager.notice == "yes: stopped" && pager.state.effects.started.count == 1)
    try pager.press(key)
    #expect(pager.notice == "clone: stopped" && pager.state.effects.requests.isEmpty)
    #expect(pager.state.exitReason == nil)
    try pager.press(", e \(key)")
    #expect(pager.state.effects.requests.count == 1, "a program on the terminal gets the key itself")
  }

  @Test(arguments: [
    ("j , g", "clone [1] [2]"), ("x j x , g", "clone [0, 2] [1, 3]"), ("l [ , g", "clone [0] [9]"),
    ("v , g", "clone [0] [1]"), ("L , g", ""), ("6 x , g", ""), ("6 x , g n", ""),
    ("6 x , g y", "clone [0, 1, 2, 3, 4, 5] [1, 2, 3, 4, 5, 6]"),
    ("6 x l [ , g y", "clone [5, 4, 3, 2, 1, 0] [4, 5, 6, 7, 8, 9]"),
  ])
  func `A program runs for the marked rows, else for the selected one.`(keys: String, request: String)
    async throws
  {
    var pager = try pager()
    for key in keys.split(separator: " ") {
      try pager.press(String(key))
      await pager.order()
    }
    #expect(requests(pager).joined() == request)
  }

  @Test func `riffle asks before it runs a program for more than five rows, and runs one at a time.`() throws
  {
    var pager = try pager()
    try pager.press("6 x , g")
    #expect(pager.notice == "Run clone for 6 rows? (y/N)")
    try pager.press("y")
    #expect(pager.notice == "clone: running")
    try pager.press(", e n")
    try pager.press("alt-a , e")
    #expect(pager.notice == "edit: waiting for the previous program")
    #expect(pager.state.effects.requests.count == 2)
    #expect(pager.state.effects.started.map(\.id) == [1])
    try end(&pager, [(.status(0), [])])
    #expect(pager.notice == "clone: done")
    #expect(pager.state.effects.started.map(\.id) == [2])
  }

  @Test(
    arguments: [
      ([(.status(0), [])], "clone: done", false), ([(.status(0), ["x"])], "clone: done (\": output)", false),
      ([(.status(1), [])], "clone failed with status 1", false),
      ([(.status(1), ["x"])], "clone failed with status 1", true),
      ([(.notRun("row 3 has no value at name"), [])], "clone: row 3 has no value at name", false),
      ([(.status(0), []), (.status(0), [])], "clone: done, 2 times", false),
      (
        [(.status(0), []), (.notRun("row 3 has no value at name"), []), (.status(2), [])],
        "clone: 2 of 3 failed: row 3 has no value at name (\": output)", false
      ),
      ([(.status(2), []), (.status(0), ["x"])], "clone: 1 of 2 failed: status 2", true),
    ] as [([(end: ProgramReport.End, output: [String])], String, Bool)])
  func `The exit of a program is a message, and a failure shows its output.`(
    runs: [(end: ProgramReport.End, output: [String])], message: String, showsOutput: Bool
  ) throws {
    var pager = try pager()
    try pager.press(", g")
    try end(&pager, runs)
    #expect(pager.notice == message)
    #expect((pager.state.overlays.popup?.kind == .output) == showsOutput)
    if showsOutput { try pager.press("esc") }
    try pager.press("\"")
    #expect(pager.state.overlays.popup?.kind == .output)
  }

  @Test func `Output does not open over what is being typed or read.`() throws {
    for keys in ["s", "?", "&"] {
      var pager = try pager()
      try pager.press(", g \(keys)")
      let kind = pager.state.overlays.popup?.kind
      try end(&pager, [(.status(1), ["x"])])
      #expect(pager.state.overlays.popup?.kind == kind)
    }
    var pager = try pager()
    try pager.press("\"")
    #expect(pager.notice == "no program has run yet")
  }

  @Test func `Output can be searched, and has each command line and status.`() throws {
    var pager = try pager()
    try pager.press(", g")
    try end(&pager, [(.status(0), ["one", "\u{1B}[31mtwo"]), (.notRun("row 2 has no value at name"), [])])
    let lines = pager.state.popupLines.map(\.text)
    #expect(
      lines == [
        " gh repo clone 'a b'", " one", " ␛[31mtwo", " status 0", "", " gh repo clone 'a b'",
        " not run: row 2 has no value at name",
      ])
    try pager.press("/ t w o enter")
    #expect(pager.notice == "\"two\": line 1 of 1 (n: next, N: previous)")
  }

  @Test func `Of many runs, those that fit are stored, and all are counted.`() throws {
    var report = ProgramReport(name: "a")
    for _ in 0..<30 {
      report.append(
        ProgramReport.Run(command: "a", output: [String(repeating: "x", count: 100_000)], end: .status(3)))
    }
    #expect(report.runs.count == 10)
    #expect(report.leftOut == 20)
    #expect(report.summary == "a: 30 of 30 failed: status 3")
  }

  @Test func `A program that a source may not run is rejected with the reason.`() throws {
    var action = try Self.action("clone")
    action.refusal = "cannot run a program for source mine: it is not in your sources directory"
    let map = try KeyMap(Actions.all + SourceActions.actions(options: [], rowActions: [action]))
    var pager = try PagerDriver(query: "x", size: (90, 16), pager: { $0.keyMap = map })
    try pager.answer(numbers: 0..<3, more: false)
    try pager.press(", g")
    #expect(pager.notice == action.refusal)
    #expect(pager.state.effects.requests.isEmpty)
  }

  @Test func `An action of the user's own takes the key of one of the source's options.`() throws {
    let option = SourceOption(name: "sort", values: ["a", "b"], key: "g")
    let own = [try Self.action("clone")]
    let actions = Actions.all + SourceActions.actions(options: [option], rowActions: own)
    let map = try KeyMap(actions, bindings: KeyBindings(SourceActions.bindings(own)))
    #expect(map.keys(of: "action-clone", in: .table) == [", g"])
    #expect(map.keys(of: "option-sort", in: .table) == [])
    #expect(map.action(named: "action-clone")?.summary == "run gh repo clone {name}")
  }
}
