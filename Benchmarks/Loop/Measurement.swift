/// A figure of several runs.
struct Measurement {
  let name: String
  let unit: Unit
  /// One value for each run.
  let values: [Double]

  enum Unit {
    case perSecond
    case microseconds
  }

  func report() {
    let sorted = values.sorted { unit == .perSecond ? $0 > $1 : $0 < $1 }
    print(name.padded(to: 66), text(sorted[sorted.count / 2]).padded(to: 14), text(sorted[0]))
  }

  private func text(_ value: Double) -> String {
    switch unit {
    case .perSecond: "\(Int(value.rounded())) /s"
    case .microseconds: "\((value * 100).rounded() / 100) µs"
    }
  }
}

/// How often a second something happens that one call of `body` does `count` times; the first run is not counted.
func rate(_ name: String, count: Int, runs: Int = 7, _ body: () -> Void) -> Measurement {
  let clock = ContinuousClock()
  body()
  let values = (0..<runs).map { _ in Double(count) / (clock.measure(body) / .seconds(1)) }
  return Measurement(name: name, unit: .perSecond, values: values)
}

/// As ``rate(_:count:runs:_:)``, for a body that waits.
func rate(_ name: String, count: Int, runs: Int = 7, _ body: () async -> Void) async -> Measurement {
  let clock = ContinuousClock()
  await body()
  var values: [Double] = []
  for _ in 0..<runs { values.append(Double(count) / (await clock.measure(body) / .seconds(1))) }
  return Measurement(name: name, unit: .perSecond, values: values)
}

extension Array where Element == Duration {
  /// The value below which the given part of all values lies, in microseconds.
  func percentile(_ part: Double) -> Double {
    let sorted = self.sorted()
    return sorted[Swift.min(sorted.count - 1, Int(Double(sorted.count) * part))] / .microseconds(1)
  }
}

extension String {
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }
}
