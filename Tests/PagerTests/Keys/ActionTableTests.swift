import Terminal
import Testing

@testable import Pager

/// Tests the names and default keys of actions, which users rely on.
@Suite struct ActionTableTests {
  /// The name, then the keys in the table, the query line, popups and prompts.
  private static let contract = """
    down | j down ctrl-n | down ctrl-n | j down | down
    up | k up ctrl-p | up ctrl-p | k up | up
    page-down | space f pagedown | pagedown | space pagedown | pagedown
    page-up | b pageup | pageup | b pageup | pageup
    half-page-down | d | | d |
    half-page-up | u | | u |
    first | g home | ctrl-home | g home |
    last | G end | ctrl-end | G end |
    go-to-row | | | |
    previous-column | h left | | |
    next-column | l right | | |
    first-column | 0 | | |
    last-column | $ | | |
    edit-query | s i | | |
    submit | | enter | | enter
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
    filter-by-cell | . | | |
    summarize-column | F | | |
    sort-ascending | ] | | |
    sort-descending | [ | | |
    clear-sort | = | | |
    hide-column | - | | |
    show-all-columns | + | | |
    move-column-left | { | | |
    move-column-right | } | | |
    narrow-column | < | | |
    widen-column | > | | |
    fit-column | BAR | | |
    toggle-wrap | W | | |
    details | v | | v |
    toggle-json | J | | J |
    toggle-preview | p | alt-p | |
    grow-preview | ) | | |
    shrink-preview | ( | | |
    preview-down | alt-j alt-down | alt-j | |
    preview-up | alt-k alt-up | alt-k | |
    next-row | | | ctrl-n |
    previous-row | | | ctrl-p |
    request-log | L | | L |
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
    copy-row | y y | alt-y | y y |
    copy-cell | y c | | |
    copy-link | y u | | |
    copy-json | y j | | |
    copy-tsv | y t | | |
    copy-jsonl | y l | | |
    copy-markdown | y m | | |
    write-rows | w | | w |
    save-recording | alt-w | | alt-w |
    suspend | ctrl-z | ctrl-z | ctrl-z | ctrl-z
    interrupt | ctrl-c | ctrl-c | ctrl-c | ctrl-c
    delete-or-quit | | ctrl-d | |
    back | backspace | | |
    quit | q | | |
    quit-all | Q | | |
    """

  @Test func `The actions and their default keys are the ones documented.`() {
    let table = Actions.all.map { action in
      let keys = [Mode.table, .query, .popup, .prompt].map { mode in
        // A sequence looks like two keys here; only its first key shows that it is one.
        (action.keys[mode] ?? []).joined(separator: " ").replacing("|", with: "BAR")
      }
      return ([action.name] + keys).joined(separator: " | ").replacing("  ", with: " ").trimmingBlanks
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

  @Test func `A name of the previous version is not used again, and leads to an action.`() {
    let names = Set(Actions.all.map(\.name))
    for (previous, name) in Actions.oldNames {
      #expect(!names.contains(previous) && names.contains(name), "\(previous) is now \(name)")
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
