/// A fault in a mode: one cell of the matrix.
struct MatrixCell: Sendable {
  enum Mode: String, Sendable, CaseIterable {
    case interactive, oneShot = "one-shot", batch, pick, add
  }

  let fault: ServiceFault
  let mode: Mode
  /// The page that has the fault; nil for the whole list.
  let page: Int?

  /// The pages on which a mode can meet a fault. A one-shot search requests one page; a batch tests later pages.
  private static func pages(of mode: Mode) -> [Int] {
    switch mode {
    case .oneShot: [1]
    case .batch: [2]
    case .interactive, .pick, .add: [1, 2]
    }
  }

  static func cells(of fault: ServiceFault) -> [MatrixCell] {
    Mode.allCases.flatMap { mode in
      fault.reach == .list
        ? [MatrixCell(fault: fault, mode: mode, page: nil)]
        : pages(of: mode).map { MatrixCell(fault: fault, mode: mode, page: $0) }
    }
  }

  var isOnTerminal: Bool { [.interactive, .pick].contains(mode) }

  /// Whether the built program is started; otherwise the command line is run in this process.
  var needsProcess: Bool {
    // RES_OPTIONS is read by the resolver of the process.
    fault.place == .unknownName || isMeasured
  }

  /// Whether the memory of the run is known.
  var isMeasured: Bool { isOnTerminal && fault.isExhausting }

  /// The name of the cell, such as `pick, page 2`.
  var name: String { mode.rawValue + (page.map { ", page \($0)" } ?? "") }

  /// Why the fault cannot occur in this cell; nil when the cell is run.
  var reasonToSkip: String? {
    switch (fault.reach, page) {
    case (.firstPage(let reason), 2), (.secondPage(let reason), 1): reason
    default: nil
    }
  }
}
