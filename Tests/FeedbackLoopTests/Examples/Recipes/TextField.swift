import FeedbackLoop
import FeedbackLoopSwiftTesting
import FeedbackLoopTesting
import Observation
import Testing

/// The text of a field, and whether it may be sent.
struct Name: Sendable, Equatable {
  var text = ""
  var greeting: String?

  var isValid: Bool { !text.isEmpty }

  enum Event: Sendable, Equatable { case typed(String), greeted }

  @Sendable static func reduce(_ name: inout Name, _ event: Event) {
    switch event {
    case .typed(let text): name = Name(text: text)
    case .greeted: if name.isValid { name.greeting = "Hello, \(name.text)!" }
    }
  }
}

#if canImport(SwiftUI)
  import SwiftUI

  struct NameView: View {
    let store: FeedbackStore<Name, Name.Event>

    var body: some View {
      TextField("Name", text: Binding(get: { store.state.text }, set: { store.send(.typed($0)) }))
      Button("Greet") { store.send(.greeted) }.disabled(!store.state.isValid)
      if let greeting = store.state.greeting { Text(greeting) }
    }
  }
#endif

@MainActor @Suite struct NameTests {
  @Test func `What was typed is in the state before the next key`() {
    let system = FeedbackSystem(initialState: Name(), reduce: Name.reduce)
    system.start()
    let store = FeedbackStore(system)
    // As a text field does: it reads the text, appends a key, and sets the text.
    for key in "Ann" { store.send(.typed(store.state.text + String(key))) }
    #expect(store.state == Name(text: "Ann"))
    store.send(.greeted)
    #expect(store.state.greeting == "Hello, Ann!")
    store.send(.typed(""))
    store.send(.greeted)
    #expect(store.state == Name())
    system.stop()
  }
}
