import HTTPValues
package import Search
import Text

/// A one-time side effect. It stays in the state until it has ended, and is identified by its number.
package struct EffectRequest: Sendable, Hashable, Identifiable {
  package enum Task: Sendable {
    /// Open an http or https address with the user's opener.
    case open(String)
    /// Copy sanitized lines; `what` describes them.
    case copy(String, what: String)
    case copyJSON(RowSelection)
    case copyRows(RowSelection, as: CopyFormat)
    case perform(RowAction, RowReference)
    case run(ProgramRequest)
    /// Run a shell command that reads the rows as JSON Lines.
    case pipe(RowSelection, into: String)
    case write(RowSelection, file: String)
    /// Save these columns for the source, in a file of the user.
    case keepColumns([Column])
    /// Append a submitted query to the history file.
    case remember(String)
  }

  package let id: Int
  package let task: Task

  package static func == (a: EffectRequest, b: EffectRequest) -> Bool { a.id == b.id }
  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// The form of copied rows: an output format, by its name.
package enum CopyFormat: String, Sendable, Hashable { case tsv, jsonl, markdown }

/// How an effect ended, as a message for the user.
package enum EffectOutcome: Sendable, Hashable {
  /// The message for the user, such as `copied the row (OSC 52)`; nil for none.
  case done(String?)
  /// What failed, why, and what to do.
  case failed(String)
  /// Nothing is carried out here.
  case refused(String)
  /// A program was run, or refused.
  indirect case ran(ProgramReport)
}

package struct RowReference: Sendable {
  package let content: PageContent
  /// The row's index in the content.
  package let row: Int
  package let key: UInt64?
}

/// Rows in list order.
package struct RowSelection: Sendable {
  package let rows: RowStore
  package internal(set) var numbers: [Int]
  /// The displayed columns, from left to right.
  package let columns: [Column]
}

/// The effects that were requested and have not ended, in order, and how the latest program ended.
package struct EffectQueue: Sendable {
  package private(set) var requests: [EffectRequest] = []
  private var count = 0
  var report: ProgramReport?

  /// Those to carry out now: programs run one after the other.
  package var started: [EffectRequest] {
    let first = requests.first(where: \.isProgram)
    return requests.filter { !$0.isProgram || $0 == first }
  }

  var hasProgram: Bool { requests.contains(where: \.isProgram) }

  /// The name of the program that runs without the terminal; nil if there is none.
  var running: String? { requests.first(where: \.isProgram)?.stoppableProgram }

  /// Shows what a program has printed so far, unless it has ended.
  mutating func note(_ report: ProgramReport, of id: Int) {
    if requests.contains(where: { $0.id == id }) { self.report = report }
  }

  fileprivate mutating func append(_ task: EffectRequest.Task) {
    count += 1
    requests.append(EffectRequest(id: count, task: task))
  }

  /// Removes the program that runs, which ends it; returns its name. Nil if none runs, or it has the terminal.
  mutating func stopProgram() -> String? {
    guard let first = requests.first(where: \.isProgram), let name = first.stoppableProgram else {
      return nil
    }
    _ = remove(id: first.id)
    report?.stop()
    return name
  }

  /// Nil if it has ended already.
  fileprivate mutating func remove(id: Int) -> EffectRequest? {
    requests.firstIndex { $0.id == id }.map { requests.remove(at: $0) }
  }
}

extension EffectRequest {
  fileprivate var isProgram: Bool {
    switch task {
    case .run, .pipe: true
    case .open, .copy, .copyJSON, .copyRows, .perform, .write, .keepColumns, .remember: false
    }
  }

  /// The name of a program that can be stopped: one that does not have the terminal.
  fileprivate var stoppableProgram: String? {
    switch task {
    case .run(let request): request.program.usesTerminal ? nil : request.name
    case .pipe(_, let command): command
    case .open, .copy, .copyJSON, .copyRows, .perform, .write, .keepColumns, .remember: nil
    }
  }
}

extension PagerState {
  mutating func request(_ task: EffectRequest.Task) { effects.append(task) }

  mutating func end(effect id: Int, _ outcome: EffectOutcome) {
    guard let effect = effects.remove(id: id) else { return }
    switch outcome {
    case .done(let report): if let report { notify(report, .success) }
    case .ran(let report): take(report)
    case .refused(let reason): notify(reason, .error)
    case .failed(let report):
      promptAgain(for: effect)
      guard opensLink(effect) else { return notify(report, .error) }
      let copy = keyLabel("copy-link", in: baseMode)
      let remedy = copy.map { ", or press \($0) to copy the link" } ?? ""
      notify(
        "\(report). Set opener.command\(remedy)", .error,
        brief: copy.map { "\(report) (\($0): copy the link)" })
    }
  }

  private func opensLink(_ effect: EffectRequest) -> Bool {
    switch effect.task {
    case .open: true
    case .perform(let action, _): if case .open = action.effect { true } else { false }
    case .copy, .copyJSON, .copyRows, .run, .pipe, .write, .keepColumns, .remember: false
    }
  }

  /// Reopens the prompt of a failed write, so that the user can edit the file name, unless a line is being typed.
  private mutating func promptAgain(for effect: EffectRequest) {
    guard !rules.readsLines, mode == .table || mode.isPopup else { return }
    if case .write(_, let file) = effect.task { ask(.file, text: file) }
  }

  /// The rows that `pick` prints and `write-rows` writes, in list order: the marked rows, else the selected
  /// one (or, to a file, all listed rows).
  package var picked: RowSelection { selection(elseAll: false) }

  func selection(elseAll: Bool) -> RowSelection {
    let others = elseAll ? 0..<list.count : list.viewport.selection..<list.viewport.selection + 1
    let numbers = list.marks.isEmpty ? others.compactMap { list.row(at: $0) } : markedInOrder
    return RowSelection(rows: list.rows, numbers: numbers, columns: table.shown.map { table.columns[$0] })
  }

  /// The marked rows in table order, including those hidden by the filter. O(rows · log rows) if sorted.
  private var markedInOrder: [Int] {
    var rules = orderRules
    rules.filter = ""
    guard rules.sort != nil else { return list.marks.rows }
    let ordering = RowOrdering(
      continuing: RowOrder(rules, version: list.version), over: list.rows, columns: table.columns)
    return ordering.completed().rows.map(Int.init).filter { list.marks.contains($0) }
  }

  mutating func choose() {
    switch rules.purpose {
    case .browse where !sources.children.isEmpty: openChild()
    case .browse: overlays.toggle(.detail)
    case .pick where list.marks.elsewhere > 0: overlays.ask(.accept)
    case .pick: exitReason = .accept
    }
  }

  /// Opens the rows under the selected row.
  mutating func openChild() { if list.selectedRow == nil { notifyNoRow() } else { exitReason = .children } }

  /// The selected row, for the rows under it.
  package var selectedReference: RowReference? { list.selectedRow.flatMap { list.reference(to: $0) } }

  /// The text of the selected row in the first column that has words, not only digits.
  package var selectedName: String {
    guard let (cells, row) = selectedCells else { return "" }
    let texts = table.shown.lazy.map { cells.cell(row: row, column: $0).string }
    return texts.first { $0.contains(where: \.isLetter) } ?? ""
  }

  /// The rows to copy: those that `picked` has, but in a popup the one that it shows.
  private var copied: RowSelection {
    var rows = picked
    if mode.isPopup { rows.numbers = list.selectedRow.map { [$0] } ?? [] }
    return rows
  }

  /// Copies a line for each row, if it has one.
  ///
  /// - Parameters:
  ///   - what: Describes the line of one row, or those of several.
  ///   - missing: The message if there is no line.
  private mutating func copyLines(
    _ what: (Int) -> String, missing: String? = nil, _ line: (CellTable, Int) -> String?
  ) {
    let rows = copied.numbers
    if rows.isEmpty { return notifyNoRow() }
    let lines = rows.compactMap { list.cells(of: $0) }.compactMap { line($0, $1) }
    if lines.isEmpty, let missing { return notify(missing, .warning) }
    request(.copy(lines.joined(separator: "\n"), what: what(lines.count)))
  }

  mutating func copyRow() {
    guard overlays.takesRow else { return }
    let columns = table.shown
    copyLines({ $0 == 1 ? "row" : Digits.counted($0, "row") }) { cells, row in
      columns.map { cells.cell(row: row, column: $0).string }.filter { !$0.isEmpty }.joined(separator: "  ")
    }
  }

  mutating func copyCell() {
    guard let column = table.currentColumn else { return notifyNoRow() }
    let title = table.columns[column].title
    copyLines({ $0 == 1 ? title : "\(title) of \(Digits.counted($0, "row"))" }) {
      $0.cell(row: $1, column: column).string
    }
  }

  mutating func copyLink() {
    let missing = copied.numbers.count > 1 ? "these rows have no link" : "this row has no link"
    copyLines({ $0 == 1 ? "link" : Digits.counted($0, "link") }, missing: missing) {
      let link = $0.link(row: $1)
      return link.isEmpty ? nil : Sanitized(link).string
    }
  }

  mutating func copyJSON() {
    let rows = copied
    if rows.numbers.isEmpty { return notifyNoRow() }
    request(.copyJSON(rows))
  }

  /// Copies the marked rows, else the selected one.
  mutating func copyRows(as format: CopyFormat) {
    let rows = picked
    if rows.numbers.isEmpty { return notifyNoRow() }
    request(.copyRows(rows, as: format))
  }

  mutating func openLink() {
    guard overlays.takesRow else { return }
    guard let link = fieldAddress ?? selectedLink else { return notify("this row has no link", .warning) }
    guard (try? WebURL(link)) != nil else {
      return notify("cannot open \(link): not an http or https URL", .warning)
    }
    request(.open(link))
  }

  private var selectedCells: (CellTable, Int)? { list.selectedRow.flatMap { list.cells(of: $0) } }

  /// A cell of the selected row.
  func selectedCell(_ column: Int) -> Sanitized? {
    selectedCells.map { $0.cell(row: $1, column: column) }
  }

  private var selectedLink: String? {
    selectedCells.map { $0.link(row: $1) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
