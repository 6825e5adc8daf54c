import Terminal
import Testing

@testable import Pager

/// Tests the names and default keys of actions, which users rely on.
@Suite struct ActionTableTests {
  /// The name, then the keys in the table, the query line, popups and prompts.
  private static let contract = """
    down | j down ctrl-n | down ctrl-n | j down | down ctrl-n
    up | k up ctrl-p | up ctrl-p | k up | up ctrl-p
    page-down | space f pagedown ctrl-f | pagedown | space f pagedown ctrl-f | pagedown
    page-up | b pageup ctrl-b | pageup | b pageup ctrl-b | pageup
    half-page-down | d ctrl-d | | d ctrl-d |
    half-page-up | u ctrl-u | | u ctrl-u |
    scroll-down | ctrl-e | | ctrl-e |
    scroll-up | ctrl-y | | ctrl-y |
    center-row | z z | | |
    top-of-screen | H | | |
    middle-of-screen | | | |
    bottom-of-screen | | | |
    first | g home | ctrl-home | g home |
    last | G end | ctrl-end | G end |
    go-to-row | | | |
    previous-column | h left | | |
    next-column | l right | | |
    first-column | 0 | | |
    last-column | $ | | |
    edit-query | s i | | |
    submit | | enter | | enter | columns: enter
    cancel | esc | esc | esc q | esc
    options | O | | |
    previous-history | | alt-up | |
    next-history | | alt-down | |
    search-history | | ctrl-r | | ctrl-r
    load-more | M | | |
    load-all | alt-m | alt-m | |
    refresh | r f5 | f5 | |
    toggle-watch | A | | |
    reset | R | | |
    find | / | | / |
    next-match | n | | n |
    previous-match | N | | N |
    filter | & | | |
    filter-by-cell | . | | | | detail: .
    summarize-column | F | | |
    sort-ascending | ] | | |
    sort-descending | [ | | |
    clear-sort | = | | |
    choose-columns | C | | |
    add-column | | | | | detail: c
    toggle-column | | | | | columns: space x
    hide-column | - | | |
    show-all-columns | + | | |
    move-column-left | { | | | | columns: {
    move-column-right | } | | | | columns: }
    narrow-column | < | | |
    widen-column | > | | |
    fit-column | \\ | | |
    keep-columns | K | | |
    toggle-wrap | W | | |
    details | v | | v |
    toggle-json | J | | J |
    unfold | | | | | detail: l right
    fold | | | | | detail: h left
    toggle-fold | | | | | detail: enter
    toggle-preview | p | alt-p | |
    grow-preview | ) | | |
    shrink-preview | ( | | |
    preview-down | alt-j alt-down | alt-j | |
    preview-up | alt-k alt-up | alt-k | |
    next-row | | | ctrl-n |
    previous-row | | | ctrl-p |
    request-log | L | | L |
    open-request | | | enter |
    messages | ! | | ! |
    program-output | " | | " |
    help | ? f1 | f1 | ? f1 | f1
    command-palette | ctrl-x | ctrl-x | |
    toggle-mouse | % | | |
    redraw | ctrl-l | ctrl-l | ctrl-l | ctrl-l
    open-source | : | | |
    new-tab | t | | |
    go-to-tab | alt-1 alt-2 alt-3 alt-4 alt-5 alt-6 alt-7 alt-8 alt-9 | alt-1 alt-2 alt-3 alt-4 alt-5 alt-6 alt-7 alt-8 alt-9 | |
    next-tab | alt-right ctrl-pagedown | ctrl-pagedown | |
    previous-tab | alt-left ctrl-pageup | ctrl-pageup | |
    toggle-mark | x tab | tab | |
    toggle-mark-up | shift-tab | shift-tab | |
    mark-all | a | | |
    invert-marks | * | | |
    clear-marks | alt-a | | |
    accept | enter | | |
    open-rows | c | | |
    open-link | o | alt-o | o |
    copy-row | y y | alt-y | | | detail: y r
    copy-field | | | | | detail: y y y v
    copy-path | | | | | detail: Y y p
    copy-cell | y c | | |
    copy-link | y u | | y u |
    copy-json | y j | | | | detail: y j
    copy-tsv | y t | | |
    copy-jsonl | y l | | |
    copy-markdown | y m | | |
    write-rows | w | | w |
    pipe-rows | BAR | | |
    suspend | ctrl-z | ctrl-z | ctrl-z | ctrl-z
    interrupt | ctrl-c | ctrl-c | ctrl-c | ctrl-c
    delete-or-quit | | ctrl-d | |
    back | backspace | | |
    quit | q | | |
    quit-all | Q | | Q |
    """

  @Test func `The actions and their default keys are the ones documented.`() {
    let table = Actions.all.map { action in
      let keys = [Mode.table, .query, .popup, .prompt].map { mode in
        // A sequence looks like two keys here; only its first key shows that it is one.
        (action.keys[mode] ?? []).joined(separator: " ").replacing("|", with: "BAR")
      }
      let own = [Mode.detail, .columns].compactMap { mode in
        action.keys[mode].map { "\(mode): \($0.joined(separator: " "))" }
      }
      return ([action.name] + keys + own).joined(separator: " | ").replacing("  ", with: " ").trimmingBlanks
    }
    #expect(table.joined(separator: "\n") == Self.contract)
  }

  @Test func `No action takes a key that edits a line.`() {
    for mode in [Mode.query, .prompt] {
      for action in Actions.all {
        for notation in action.keys[mode] ?? [] {
          var line = LineEditor("one two")
          let isEditing = (try? Key(notation: notation)).map { line.handle($0) } ?? false
          #expect(!isEditing, "\(notation) in \(mode)")
        }
      }
    }
  }

  /// Words that a newcomer types into the palette, and the intended action, which must be among the first three.
  @Test(arguments: [
    ("sort", "sort-ascending"), ("service", "options"), ("parameters", "options"), ("filter", "filter"),
    ("where", "filter"), ("remove filter", "cancel"), ("cell", "filter-by-cell"),
    ("summary", "summarize-column"), ("histogram", "summarize-column"), ("count values", "summarize-column"),
    ("preview", "toggle-preview"), ("split", "toggle-preview"), ("resize preview", "grow-preview"),
    ("source", "open-source"), ("switch source", "open-source"), ("saved", "open-source"),
    ("new tab", "new-tab"), ("switch tab", "go-to-tab"), ("close tab", "quit"), ("exit", "quit-all"),
    ("csv", "write-rows"), ("export", "write-rows"), ("markdown", "copy-markdown"),
    ("clipboard", "copy-row"), ("mark", "mark-all"), ("select", "toggle-mark"),
    ("output", "program-output"), ("reload", "refresh"), ("refresh", "refresh"), ("retry", "refresh"),
    ("watch", "toggle-watch"), ("every", "toggle-watch"), ("automatic", "toggle-watch"),
    ("detail", "details"), ("json", "toggle-json"), ("browser", "open-link"), ("url", "open-link"),
    ("hide", "hide-column"), ("unhide", "show-all-columns"), ("reorder", "move-column-left"),
    ("wider", "widen-column"), ("stop", "cancel"), ("abort", "cancel"), ("requests", "request-log"),
    ("log", "request-log"), ("errors", "messages"), ("mouse", "toggle-mouse"),
    ("keys", "help"),
  ])
  func `The palette finds an action by the words people use for it.`(typed: String, action: String) throws {
    var pager = try PagerDriver(query: "x", pager: { $0.opensSources = true })
    try pager.answer(numbers: 0..<3, more: false)
    try pager.press("ctrl-x")
    pager.type(typed)
    let prompt = try #require(pager.state.overlays.prompt)
    let found = PromptList(pager.state, prompt).items.prefix(3).map(\.text)
    #expect(found.contains(action), "\(typed): \(found)")
  }

  @Test func `Synonyms belong to existing actions and add words to the displayed name.`() {
    for (name, words) in Actions.otherWords {
      let action = Actions.all.first { $0.name == name }
      #expect(action != nil, "\(name)")
      let shown = "\(name) \(action?.summary ?? "")"
      for word in words.split(separator: " ") where shown.contains(word) {
        Issue.record("\(name) is found by \(word) already")
      }
    }
  }

  @Test func `Every action has a summary that does not begin with a capital letter.`() {
    for action in Actions.all {
      #expect(!action.summary.isEmpty && action.summary.first?.isUppercase == false)
    }
  }
}

extension String {
  fileprivate var trimmingBlanks: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
