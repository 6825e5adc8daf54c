import TestSupport
import Testing
import Text

@Suite struct ColumnLayoutTests {
  typealias Column = ColumnLayout.Column

  /// Columns name, stars, language, updated and description.
  private let repositories = [
    Column(content: 24, width: .flexible(min: 16, max: 48, weight: 2)),
    Column(content: 5),
    Column(content: 10),
    Column(content: 8, priority: 3),
    Column(content: 200, width: .flexible(min: 10, weight: 5)),
  ]

  @Test(arguments: [
    (300, [24, 5, 10, 8, 200]),
    (120, [24, 5, 10, 8, 65]),
    (80, [23, 5, 10, 8, 26]),
    (57, [16, 5, 10, 8, 10]),
    (56, [16, 5, 9, 8, 10]),
    (55, [16, 5, 8, 8, 10]),
    (54, [18, 5, 10, 0, 15]),
    (45, [16, 5, 8, 0, 10]),
    (44, [24, 5, 10, 0, 0]),
    (20, [20, 0, 0, 0, 0]),
    (7, [7, 0, 0, 0, 0]),
    (1, [1, 0, 0, 0, 0]),
    (0, [0, 0, 0, 0, 0]),
    (-5, [0, 0, 0, 0, 0]),
  ])
  func `A narrow screen drops columns by priority, then shrinks by weight`(available: Int, widths: [Int]) {
    #expect(ColumnLayout(repositories, available: available, gap: 2).widths == widths)
  }

  @Test(arguments: [
    (36, [4, 8, 20]), (35, [4, 10, 17]), (30, [4, 10, 12]), (26, [4, 10, 8]), (25, [4, 10, 0]),
  ])
  func `The column dropped last is restored, narrower than preferred, if enough space remains`(
    available: Int, widths: [Int]
  ) {
    let characters = [
      Column(content: 1, width: .fixed(4)), Column(content: 10, width: .flexible(min: 8, max: 10)),
      Column(content: 80, width: .flexible(min: 20, weight: 5)),
    ]
    #expect(ColumnLayout(characters, available: available, gap: 2).widths == widths)
  }

  @Test(arguments: [
    (60, [22, 9, 25]), (40, [12, 9, 15]), (34, [9, 9, 12]), (32, [8, 8, 12]), (31, [20, 9, 0]),
    (18, [8, 8, 0]),
    (13, [13, 0, 0]),
  ])
  func `[D11] A number is shown whole while another column can shrink`(available: Int, widths: [Int]) {
    let columns = [
      Column(content: 22), Column(content: 9, whole: 6), Column(content: 28, width: .flexible(min: 12)),
    ]
    #expect(ColumnLayout(columns, available: available, gap: 2).widths == widths)
  }

  @Test
  func `[D11] A number is shown whole even in a column that should be narrower, unless it is very long`() {
    let columns = [
      Column(content: 30, width: .fixed(10)), Column(content: 6, width: .fixed(4), whole: 6),
      Column(content: 900, whole: 900),
    ]
    #expect(ColumnLayout(columns, available: 38, gap: 2).widths == [10, 6, 18])
  }

  @Test(arguments: [(22, 9), (21, 9), (20, 0), (19, 0)])
  func `[D11] A number that would be cut is not shown at all`(available: Int, width: Int) {
    let columns = [Column(content: 10, width: .fixed(10)), Column(content: 9, whole: 9)]
    #expect(ColumnLayout(columns, available: available, gap: 2).widths == [10, width])
  }

  @Test(arguments: [(80, [48, 28]), (70, [40, 28]), (60, [30, 28]), (40, [30, 8])])
  func `[D11] A column exceeds its maximum width if space would otherwise stay empty`(
    available: Int, widths: [Int]
  ) {
    let columns = [
      Column(content: 48, width: .flexible(max: 30)), Column(content: 28, width: .flexible(weight: 1)),
    ]
    #expect(ColumnLayout(columns, available: available, gap: 2).widths == widths)
  }

  @Test func `Without columns there are no widths`() {
    #expect(ColumnLayout([], available: 80, gap: 2).widths == [])
  }

  @Test func `A fixed width is kept, whatever the preferred width`() {
    let columns = [Column(content: 3, width: .fixed(10)), Column(content: 30, width: .fixed(10))]
    #expect(ColumnLayout(columns, available: 80, gap: 1).widths == [10, 10])
  }

  @Test func `Remaining space is shared by weight until a column has its preferred width`() {
    func column(_ content: Int, _ weight: Int) -> Column {
      Column(content: content, width: .flexible(min: 1, weight: weight))
    }
    #expect(ColumnLayout([column(50, 1), column(50, 3)], available: 42, gap: 0).widths == [11, 31])
    #expect(ColumnLayout([column(50, 1), column(5, 3)], available: 42, gap: 0).widths == [37, 5])
    #expect(ColumnLayout([column(50, 1), column(50, 1)], available: 42, gap: 0).widths == [21, 21])
  }

  @Test func `Of columns with equal priority, the rightmost is dropped, and the first column never is`() {
    let columns = [Column(content: 8, priority: 9), Column(content: 8), Column(content: 8)]
    #expect(ColumnLayout(columns, available: 17, gap: 1).widths == [8, 8, 0])
    #expect(ColumnLayout(columns, available: 8, gap: 1).widths == [8, 0, 0])
  }

  @Test func `Extreme numbers are treated as large ones`() {
    let columns = [
      Column(content: .max, width: .flexible(min: .min, max: .max, weight: .max), priority: .min),
      Column(content: .min, width: .fixed(.max), priority: .max),
      Column(content: .max, width: .flexible(min: 5, max: 2, weight: .min)),
    ]
    #expect(ColumnLayout(columns, available: 80, gap: 2).widths == [73, 0, 5])
    #expect(ColumnLayout(columns, available: .max, gap: .max).widths.count == 3)
  }

  @Test func `A layout fits the screen, and a wider screen drops nothing more`() {
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<1_500 {
      let columns = (0..<Int.random(in: 1...8, using: &generator)).map { _ in column(&generator) }
      let gap = Int.random(in: 0...3, using: &generator)
      var shownBefore = 0
      for available in stride(from: 1, through: 120, by: 7) {
        let widths = ColumnLayout(columns, available: available, gap: gap).widths
        let shown = widths.filter { $0 > 0 }
        #expect(widths.count == columns.count && widths[0] > 0)
        #expect(shown.reduce(0, +) + gap * (shown.count - 1) <= available)
        #expect(shown.count >= shownBefore)
        shownBefore = shown.count
        let squeezed = zip(columns, widths).filter { shown.count > 1 && $1 > 0 && !isWithinLimits($1, $0) }
        #expect(squeezed.count <= 1, "\(columns) in \(available): \(widths)")
        #expect(squeezed.allSatisfy { $1 >= 8 && $1 < liked($0) }, "\(columns) in \(available): \(widths)")
      }
    }
  }

  @Test func `No column is narrower than preferred while space remains`() {
    var generator = SeededGenerator(seed: 9)
    for _ in 0..<1_500 {
      let columns = (0..<Int.random(in: 1...6, using: &generator)).map { _ in column(&generator) }
      let available = Int.random(in: 1...120, using: &generator)
      let widths = ColumnLayout(columns, available: available, gap: 1).widths
      let shown = widths.filter { $0 > 0 }
      let left = available - shown.reduce(0, +) - (shown.count - 1)
      let hungry = zip(columns, widths).contains { $1 > 0 && $1 < liked($0) }
      #expect(left == 0 || !hungry, "\(columns) in \(available): \(widths)")
    }
  }

  private func column(_ generator: inout SeededGenerator) -> Column {
    let content = Int.random(in: 1...60, using: &generator)
    let priority = Int.random(in: 0...3, using: &generator)
    let least = Int.random(in: 1...20, using: &generator)
    let widths: [ColumnWidth] = [
      .fixed(least), .preferred, .flexible(weight: 3), .flexible(min: least, max: least + 20, weight: 1),
    ]
    return Column(
      content: content, width: widths.randomElement(using: &generator) ?? .preferred, priority: priority)
  }

  private func isWithinLimits(_ width: Int, _ column: Column) -> Bool {
    switch column.width {
    case .fixed(let fixed): width == fixed
    case .flexible(let min, _, _):
      width >= min ?? Swift.min(column.content, 8) && width <= liked(column)
    }
  }

  private func liked(_ column: Column) -> Int {
    switch column.width {
    case .fixed(let fixed): fixed
    case .flexible(let min, _, _): Swift.max(min ?? 0, column.content)
    }
  }
}
