import Terminal
import Testing

@testable import Pager

/// The names and default keys of actions are a contract with users.
@Suite struct ActionTableTests {
  /// Name, then keys in the table, the query line, popups and prompts.
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
    column-left | h left | | |
    column-right | l right | | |
    first-column | 0 | | |
    last-column | $ | | |
    edit-query | s i | | |
    submit | | enter | | enter
    cancel | esc | esc | esc q | esc
    history-previous | | alt-up | |
    history-next | | alt-down | |
    history-search | | ctrl-r | | ctrl-r
    load-more | M | | |
    load-all | alt-m | alt-m | |
    refresh | r f5 | f5 | |
    reset | R | | |
    search | / | | / |
    next-match | n | | n |
    previous-match | N | | N |
    filter | & | | |
    sort-ascending | ] | | |
    sort-descending | [ | | |
    sort-clear | = | | |
    column-hide | - | | |
    columns-show-all | + | | |
    column-move-left | { | | |
    column-move-right | } | | |
    column-narrower | < | | |
    column-wider | > | | |
    column-fit | BAR | | |
    wrap | W | | |
    detail | v | | v |
    raw-json | J | | J |
    next-row | | | ctrl-n |
    previous-row | | | ctrl-p |
    log | L | | L |
    messages | ! | | ! |
    help | ? f1 | f1 | ? f1 | f1
    palette | ctrl-x | ctrl-x | |
    mouse | % | | |
    redraw | ctrl-l | ctrl-l | ctrl-l | ctrl-l
    mark | x tab | tab | |
    mark-up | shift-tab | shift-tab | |
    mark-all | a | | |
    mark-invert | * | | |
    clear-marks | alt-a | | |
    choose | enter | | |
    open-link | o | alt-o | o |
    copy-row | y y | alt-y | y y |
    copy-cell | y c | | |
    copy-link | y u | | |
    copy-json | y j | | |
    write-rows | w | | w |
    save-recording | alt-w | | alt-w |
    suspend | ctrl-z | ctrl-z | ctrl-z | ctrl-z
    interrupt | ctrl-c | ctrl-c | ctrl-c | ctrl-c
    delete-or-quit | | ctrl-d | |
    quit | q | | |
    """

  @Test func `Actions and their default keys are those that are promised.`() {
    let table = Actions.all.map { action in
      let keys = [Mode.table, .query, .popup, .prompt].map { mode in
        // A sequence is told from two keys by its first key alone.
        (action.keys[mode] ?? []).joined(separator: " ").replacing("|", with: "BAR")
      }
      return ([action.name] + keys).joined(separator: " | ").replacing("  ", with: " ").trimmingBlanks
    }
    #expect(table.joined(separator: "\n") == Self.contract)
  }

  @Test func `No key of a line that is typed is taken by an action twice.`() {
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

  @Test func `Every action says what it does.`() {
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
