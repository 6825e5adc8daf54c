// Mistakes in the use of the library. The comment before each is a part of the message that the compiler must give.
import FeedbackLoop

struct State: Sendable {
  struct Job: Sendable, Hashable, Identifiable {
    let id: Int
  }

  var request: Int?
  var isReady = false
  var jobs: [Job] = []
}

enum Event: Sendable { case loaded(String), failed }

func fetch(_ number: Int) async throws -> String { "\(number)" }
func store(_ number: Int) async {}

typealias Mistake = Feedback<State, Event>

// An effect that throws.

// expected: an effect that throws needs failure: { error, query in … }
let single: Mistake = .react(to: \.request) { number in .loaded(try await fetch(number)) }

// expected: an effect that throws needs failure: { error, query in … }
let singleBlock: Mistake = .react(to: \.request, debounce: .seconds(1), name: "request") { number in
  let text = try await fetch(number)
  return .loaded(text)
}

// expected: an effect that throws needs failure: { error, query in … }
let singleNothing: Mistake = .react(to: \.request) { number in _ = try await fetch(number) }

// expected: an effect with emit must not throw: write do { … } catch { emit(…) }
let singleEmit: Mistake = .react(to: \.request) { number, emit in emit(.loaded(try await fetch(number))) }

// expected: an effect that throws needs failure: { error, query in … }
let each: Mistake = .react(toEach: \.jobs, maxConcurrent: 2) { job in .loaded(try await fetch(job.id)) }

// expected: an effect with emit must not throw: write do { … } catch { emit(…) }
let eachEmit: Mistake = .react(toEach: \.jobs) { job, emit in emit(.loaded(try await fetch(job.id))) }

// expected: an effect with emit must not throw: write do { … } catch { emit(…) }
let keyed: Mistake = .react(toEach: \.jobs) { job, updates, emit in
  for await _ in updates { emit(.loaded(try await fetch(job.id))) }
}

// expected: an effect of whenBecomesTrue must not throw: write do { … } catch { return … }
let condition: Mistake = .whenBecomesTrue(\.isReady) { .loaded(try await fetch(1)) }

// expected: an effect with emit must not throw: write do { … } catch { emit(…) }
let conditionEmit: Mistake = .whenBecomesTrue(\.isReady) { emit in emit(.loaded(try await fetch(1))) }

// An effect that returns nothing.

// expected: an effect that sends no event ends with: return nil. One that sends several takes { query, emit in … }
let singleDone: Mistake = .react(to: \.request) { number in await store(number) }

// expected: an effect that sends no event ends with: return nil. One that sends several takes { query, emit in … }
let eachDone: Mistake = .react(toEach: \.jobs) { job in await store(job.id) }

// expected: an effect that sends no event ends with: return nil. One that sends several takes { emit in … }
let conditionDone: Mistake = .whenBecomesTrue(\.isReady) { await store(1) }

// An effect with emit that returns an event.

// expected: an effect with emit sends all its events with emit(…), also the last one, and returns nothing
let singleReturn: Mistake = .react(to: \.request) { number, emit in
  await store(number)
  return .loaded("")
}

// expected: an effect with emit sends all its events with emit(…), also the last one, and returns nothing
let eachReturn: Mistake = .react(toEach: \.jobs) { job, emit in
  emit(.failed)
  return .loaded("")
}

// expected: an effect with emit sends all its events with emit(…), also the last one, and returns nothing
let keyedReturn: Mistake = .react(toEach: \.jobs) { job, updates, emit in
  for await _ in updates { emit(.failed) }
  return .loaded("")
}

// An event that does not exist.

// expected: has no member 'load'
let singleName: Mistake = .react(to: \.request) { number in .load("\(number)") }

// expected: has no member 'load'
let failingName: Mistake = .react(
  to: \.request, effect: { number in .load(try await fetch(number)) }, failure: { _, _ in .failed })

// expected: has no member 'fail'
let failureName: Mistake = .react(
  to: \.request, effect: { number in .loaded(try await fetch(number)) }, failure: { _, _ in .fail })

// expected: has no member 'load'
let emitName: Mistake = .react(to: \.request) { number, emit in emit(.load("\(number)")) }

// expected: has no member 'load'
let eachName: Mistake = .react(toEach: \.jobs) { job in .load("\(job.id)") }

// expected: has no member 'load'
let keyedName: Mistake = .react(toEach: \.jobs) { job, updates, emit in emit(.load("\(job.id)")) }

// expected: has no member 'load'
let conditionName: Mistake = .whenBecomesTrue(\.isReady) { .load("") }
