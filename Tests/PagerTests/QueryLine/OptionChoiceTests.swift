import Search
import Testing
import Text

@testable import Pager

/// The options of the source, changed on the screen.
@Suite struct OptionChoiceTests {
  private static let sort = SourceOption(
    name: "sort", title: "Order", values: ["", "stars", "name"], key: "s")

  private func pager(_ options: [SourceOption]? = nil) throws -> PagerDriver {
    let site = SourceOption(name: "site", defaultValue: "main", charset: try Charset("a-z0-9"), maxLength: 8)
    var pager = try PagerDriver(query: "x", pager: { $0.options = options ?? [Self.sort, site] })
    try pager.answer(numbers: 0..<5, more: false)
    return pager
  }

  /// The lines of the open list.
  private func list(_ pager: PagerDriver) -> [String] {
    guard let prompt = pager.state.overlays.prompt else { return [] }
    let list = PromptList(pager.state, prompt)
    return list.items.enumerated().map { index, item in
      "\(index == list.selection ? "› " : "")\(item.text): \(item.note)"
    }
  }

  @Test func `The options are listed with their values, and Enter on one lists its allowed values.`() throws {
    var pager = try pager()
    try pager.press("O")
    #expect(list(pager) == ["› sort: any  (stars, name)  Order", "site: main"])
    try pager.press("enter")
    #expect(list(pager) == ["› any: current, default", "stars: ", "name: "])
    try pager.press("down enter")
    #expect(pager.state.pageRequests.first?.query.options == ["sort": "stars"])
    #expect(pager.state.overlays.prompt == nil)
    try pager.press("O")
    #expect(list(pager)[0] == "› sort: stars  (any, name)  Order")
  }

  @Test func `An option without a list of values accepts typed text that is allowed.`() throws {
    var pager = try pager()
    try pager.press("O down enter")
    #expect(list(pager) == [])
    pager.type("west")
    #expect(list(pager) == ["› west: as typed"])
    try pager.press("enter")
    #expect(pager.state.pageRequests.first?.query.options == ["site": "west"])
    try pager.press("O down enter")
    pager.type("not/it")
    try pager.press("enter")
    #expect(
      pager.state.messages.all.last?.text
        == "site cannot be \"not/it\": use only the characters a-z0-9")
    #expect(pager.state.query.options == ["site": "west"])
  }

  @Test func `Esc leads back to the options, then to the table, and changes nothing.`() throws {
    var pager = try pager()
    try pager.press("O enter esc")
    #expect(pager.state.overlays.prompt?.purpose == .option)
    try pager.press("esc")
    #expect(
      pager.state.mode == .table && pager.state.query.options.isEmpty && pager.state.pageRequests.isEmpty)
  }

  @Test func `A single option is opened directly, and a source without options reports that.`() throws {
    var one = try pager([Self.sort])
    try one.press("O")
    #expect(one.state.overlays.prompt?.purpose == .optionValue)
    var none = try pager([])
    try none.press("O")
    #expect(none.state.messages.all.last?.text == "source Test things has no options")
  }

  @Test
  func
    `The selection stays at its row if the changed list has it on the first page, and else begins at the top.`()
    throws
  {
    var pager = try pager()
    try pager.press("j j j O enter down enter")
    try pager.answer([9, 3, 1, 0, 2].map(PagerDriver.row), more: false)
    #expect(pager.listed == "thing 9 [thing 3] thing 1 thing 0 thing 2")
    try pager.press("O enter down enter")
    try pager.answer([7, 8].map(PagerDriver.row), more: false)
    #expect(pager.listed == "[thing 7] thing 8")
  }
}
