import FeedbackLoop

private let count = 200_000

/// A state with something for five feedbacks to look at.
private struct Screen: Sendable {
  var counter = 0
  var query: String?
  var page: Int?
  var downloads: [Int] = []
  var isLoading = false
}

private func fiveFeedbacks() -> [Feedback<Screen, Int>] {
  [
    .react(to: \.query, effect: { _ in nil }),
    .react(to: \.page, effect: { _ in nil }),
    .react(to: { $0.isLoading ? true : nil }, effect: { _ in nil }),
    .react(toEach: \.downloads, effect: { _ in nil }),
    .observe { _ in },
  ]
}

private func screen() -> FeedbackSystem<Screen, Int> {
  let system = FeedbackSystem<Screen, Int>(
    initialState: Screen(query: "swift", page: 1, downloads: [1, 2, 3], isLoading: true),
    reduce: { $0.counter += $1 }, feedbacks: fiveFeedbacks())
  system.start()
  return system
}

func eventsBare() -> Measurement {
  let system = FeedbackSystem<Int, Int>(initialState: 0, reduce: { $0 += $1 })
  system.start()
  return rate("events, no feedback", count: count) {
    for _ in 0..<count { system.send(1) }
  }
}

func eventsWithFiveFeedbacks() -> Measurement {
  let system = screen()
  return rate("events, 5 feedbacks", count: count) {
    for _ in 0..<count { system.send(1) }
  }
}

func eventsFromFourSenders() -> Measurement {
  let system = screen()
  return rate("events, 5 feedbacks, 4 threads sending at once", count: count) {
    let senders = (0..<4).map { _ in
      Thread { for _ in 0..<(count / 4) { system.send(1) } }
    }
    for sender in senders { sender.join() }
  }
}

/// An event that changes nothing about the rows, of which a react looks at the last.
func unchangedState(rows: Int) -> Measurement {
  struct Table: Sendable {
    var rows: [String]
    var counter = 0
  }
  let system = FeedbackSystem<Table, Int>(
    initialState: Table(rows: (0..<rows).map { "row \($0)" }), reduce: { $0.counter += $1 },
    feedbacks: [
      .react(to: { $0.rows.last }, effect: { _ in nil }),
      .observe { _ in },
    ])
  system.start()
  return rate("events, state of \(rows) rows left unchanged", count: count) {
    for _ in 0..<count { system.send(1) }
  }
}
