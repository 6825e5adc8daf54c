import FeedbackLoop
import FeedbackLoopSwiftTesting
import FeedbackLoopTesting
import Testing

/// A feature that knows nothing of the program around it: a file that is uploaded.
struct Upload: Sendable, Equatable, Identifiable {
  let id: String
  var attempt = 0
  var isDone = false

  enum Event: Sendable, Equatable { case restarted, done }

  @Sendable static func reduce(_ upload: inout Upload, _ event: Event) {
    switch event {
    case .restarted: upload.attempt += 1
    case .done: upload.isDone = true
    }
  }

  static func uploading(_ send: @escaping @Sendable (String) async -> Void) -> Feedback<Upload, Event> {
    .react(to: { $0.isDone ? nil : $0 }, name: "upload") { upload in
      await send(upload.id)
      return .done
    }
  }
}

/// Another feature: details of a file, while they are shown.
struct Details: Sendable, Equatable {
  let file: String
  var text: String?

  enum Event: Sendable, Equatable { case loaded(String) }

  @Sendable static func reduce(_ details: inout Details, _ event: Event) {
    switch event {
    case .loaded(let text): details.text = text
    }
  }

  static func loading(_ load: @escaping @Sendable (String) async -> String) -> Feedback<Details, Event> {
    .react(to: { $0.text == nil ? $0.file : nil }, name: "details") { file in .loaded(await load(file)) }
  }
}

/// The program: its state contains those of the features, and its events contain theirs.
struct Files: Sendable, Equatable {
  var uploads: [Upload] = []
  var details: Details?
  var account = Account()

  enum Event: Sendable, Equatable {
    case added(String)
    case removed(String)
    case opened(String)
    case closed
    case upload(String, Upload.Event)
    case details(Details.Event)
    case account(Account.Event)
  }

  @Sendable static func reduce(_ files: inout Files, _ event: Event) {
    switch event {
    case .added(let id): files.uploads.append(Upload(id: id))
    case .removed(let id): files.uploads.removeAll { $0.id == id }
    case .opened(let file): files.details = Details(file: file)
    case .closed: files.details = nil
    case .upload(let id, let event):
      guard let index = files.uploads.firstIndex(where: { $0.id == id }) else { return }
      Upload.reduce(&files.uploads[index], event)
    case .details(let event):
      guard var details = files.details else { return }
      Details.reduce(&details, event)
      files.details = details
    case .account(let event): Account.reduce(&files.account, event)
    }
  }

  static func feedbacks(
    send: @escaping @Sendable (String) async -> Void, load: @escaping @Sendable (String) async -> String,
    clock: any Clock<Duration>
  ) -> [Feedback<Files, Event>] {
    [
      // One instance for each upload in the list: one that is removed is canceled.
      Upload.uploading(send).pullback(toEach: \.uploads) { id, event in .upload(id, event) },
      // Runs only while there are details.
      Details.loading(load).pullback(optional: \.details) { .details($0) },
      // Always there.
      Account.signingOut(clock).pullback(state: \.account) { .account($0) },
    ]
  }
}

/// A feature that signs out a minute after the last activity.
struct Account: Sendable, Equatable {
  var activities = 0
  var isSignedIn = true

  enum Event: Sendable, Equatable { case active, signedOut }

  @Sendable static func reduce(_ account: inout Account, _ event: Event) {
    switch event {
    case .active: account.activities += 1
    case .signedOut: account.isSignedIn = false
    }
  }

  static func signingOut(_ clock: any Clock<Duration>) -> Feedback<Account, Event> {
    .react(
      to: { $0.isSignedIn ? $0.activities : nil }, debounce: .seconds(60), clock: clock, name: "sign out"
    ) { _ in .signedOut }
  }
}

@Suite struct CompositionExampleTests {
  private static func files() -> TestSystem<Files, Files.Event> {
    TestSystem(
      initialState: Files(), reduce: Files.reduce,
      feedbacks: { clock in
        Files.feedbacks(
          send: { _ in try? await clock.sleep(for: .seconds(2)) }, load: { "about \($0)" }, clock: clock)
      })
  }

  @Test func `Each upload has its own effect, which ends with it`() {
    let files = Self.files()
    files.send(.added("a")) { $0.uploads = [Upload(id: "a")] }
    files.advance(by: .seconds(1))
    files.send(.added("b")) { $0.uploads.append(Upload(id: "b")) }
    files.send(.removed("a")) { $0.uploads.removeFirst() }
    files.advance(by: .seconds(2))
    files.receive(.upload("b", .done), from: "upload") { $0.uploads[0].isDone = true }
    files.skipEffects()
    files.finish()
  }

  @Test func `Details are loaded while the state has them`() {
    let files = Self.files()
    files.send(.opened("a")) { $0.details = Details(file: "a") }
    files.receive(.details(.loaded("about a")), from: "details") { $0.details?.text = "about a" }
    files.send(.closed) { $0.details = nil }
    files.skipEffects()
    files.finish()
  }

  @Test func `An account is signed out one minute after its last activity`() {
    let files = Self.files()
    files.advance(by: .seconds(59))
    files.send(.account(.active)) { $0.account.activities = 1 }
    files.advance(by: .seconds(59))
    files.advance(by: .seconds(1))
    files.receive(.account(.signedOut), from: "sign out") { $0.account.isSignedIn = false }
    files.finish()
  }

  @Test func `A screen sees its part of the system`() async {
    let system = FeedbackSystem(initialState: Files(), reduce: Files.reduce)
    system.start()
    let account = system.scoped(state: \.account) { (event: Account.Event) in Files.Event.account(event) }
    let signedIn = account.select(\.isSignedIn, .every)
    account.send(.active)
    account.send(.signedOut)
    #expect(account.state == Account(activities: 1, isSignedIn: false))
    system.stop()
    #expect(await signedIn.reduce(into: []) { $0.append($1) } == [true, false])
  }

  @Test func `A feedback is reused as a function of closures`() {
    struct Screen: Sendable, Equatable {
      var wanted: String?
      var text = ""
    }
    let system = TestSystem<Screen, String>(
      initialState: Screen(wanted: "a"), reduce: { $0 = Screen(wanted: nil, text: $1) },
      feedbacks: { _ in
        [loading(\.wanted, from: { "about \($0)" }) { text, _ in text }]
      })
    system.receive("about a", from: "load") { $0 = Screen(wanted: nil, text: "about a") }
    system.finish()
  }
}

/// Loads what a state requests, for any state and event.
func loading<State, Event>(
  _ request: @escaping @Sendable (State) -> String?, from load: @escaping @Sendable (String) async -> String,
  _ loaded: @escaping @Sendable (String, String) -> Event
) -> Feedback<State, Event> {
  .react(to: request, name: "load") { request in loaded(await load(request), request) }
}
