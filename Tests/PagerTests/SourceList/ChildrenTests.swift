import Search
import Terminal
import Testing
import Text

@testable import Pager

/// Tests how the rows under a row are opened, and left.
@Suite struct ChildrenTests {
  private static let issues = SourceChoice(id: "issues", title: "Issues")
  private static let tags = SourceChoice(id: "tags", title: "Tags")

  private func pager(
    _ children: [SourceChoice], _ purpose: PagerRules.Purpose = .browse, leadsBack: Bool = false
  ) throws -> PagerDriver {
    var pager = try PagerDriver(
      query: "x",
      pager: {
        $0.purpose = purpose
        $0.leadsBack = leadsBack
      })
    try pager.answer(numbers: 0..<5, more: false)
    pager.reduce(.childrenFound(children))
    return pager
  }

  @Test
  func `Enter opens the nested list of a row if one source has it, and shows its fields if none has.`()
    throws
  {
    var parent = try pager([Self.issues])
    try parent.press("j enter")
    #expect(parent.state.exitReason == .children)
    #expect(parent.state.selectedReference?.row == 1)
    var other = try pager([])
    try other.press("j enter")
    #expect(other.state.exitReason == nil)
    #expect(other.state.overlays.popup?.kind == .detail)
  }

  @Test func `If several sources have nested lists for the row, the user is asked to choose one.`() throws {
    var pager = try pager([Self.issues, Self.tags])
    try pager.press("enter")
    pager.reduce(.childSources([Self.issues, Self.tags]))
    #expect(pager.state.exitReason == nil)
    let prompt = try #require(pager.state.overlays.prompt)
    #expect(PromptList(pager.state, prompt).items.map(\.text) == ["issues", "tags"])
    try pager.press("t a g enter")
    #expect(pager.state.exitReason == .child(id: "tags"))
    #expect(pager.state.overlays.isEmpty)
  }

  @Test func `In pick, Enter chooses the row, and c opens its nested list.`() throws {
    var pick = try pager([Self.issues], .pick)
    try pick.press("enter")
    #expect(pick.state.exitReason == .accept)
    pick = try pager([Self.issues], .pick)
    try pick.press("c")
    #expect(pick.state.exitReason == .children)
  }

  @Test func `c reports that there is no nested list.`() throws {
    var pager = try pager([])
    try pager.press("c")
    #expect(pager.state.exitReason == nil)
    #expect(pager.state.messages.current?.text == "these rows have no nested lists")
  }

  @Test(arguments: ["backspace", "esc", "q"])
  func `These keys return from a nested list.`(key: String) throws {
    var pager = try pager([], leadsBack: true)
    try pager.press(key)
    #expect(pager.state.exitReason == .quit)
  }

  @Test func `[U12] Esc returns at once from a nested list that failed before its first row.`() throws {
    var child = try PagerDriver(query: "x", pager: { $0.leadsBack = true })
    try child.fail(PageError(.rejected, status: 404, message: "not found"))
    #expect(child.state.session.phase.isFailed)
    try child.press("esc")
    #expect(child.state.exitReason == .quit)
  }

  @Test func `Esc first clears the filter, and Backspace reports that there is nothing to return to.`() throws
  {
    var child = try pager([], leadsBack: true)
    try child.press("& r o w enter esc")
    #expect(child.state.exitReason == nil)
    try child.press("esc")
    #expect(child.state.exitReason == .quit)
    var first = try pager([])
    try first.press("backspace")
    #expect(first.state.exitReason == nil)
    #expect(first.state.messages.current?.text == "there is nothing to go back to")
  }

  @Test func `The parent list is unchanged when it is shown again.`() throws {
    var pager = try pager([Self.issues])
    try pager.press("j j enter")
    let before = pager.state.list.viewport.selection
    pager.reduce(.resumed(pager.state.canvas))
    #expect(pager.state.exitReason == nil)
    #expect(pager.state.list.viewport.selection == before)
    pager.reduce(.refused("this row has no issues"))
    #expect(pager.state.messages.current?.text == "this row has no issues")
  }

  @Test func `A new query of a nested list has the same parent row.`() throws {
    var query = Query("x", options: ["project": "7"])
    query.parent = ParentRow(value: "7", copies: #"{"name":"p"}"#)
    var state = PagerState(
      PagerRules(title: "Issues · p"), Session.Rules(first: .start), columns: [],
      canvas: Canvas(size: Size(columns: 80, rows: 12), widthModel: .codePoints), query: query, now: 0)
    for key in "sy" { state.reduce(.key(Key(key))) }
    state.reduce(.key(Key(.enter)))
    #expect(
      state.session.query
        == {
          var next = query
          next.text = "y"
          return next
        }())
  }
}
