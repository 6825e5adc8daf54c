import Terminal

extension Target {
  static let keys = Target(
    name: "keys", summary: "the terminal's bytes: the same inputs wherever reads cut them"
  ) {
    bytes in
    var whole = InputParser()
    let inputs = whole.inputs(from: bytes) + whole.silence()
    var parted = InputParser()
    var pieces: [Input] = []
    for byte in bytes { pieces += parted.inputs(from: CollectionOfOne(byte)) }
    pieces += parted.silence()
    hold(pieces == inputs, "cut at every byte: \(pieces), whole: \(inputs)")
    for case .key(let key) in inputs {
      // Some keys cannot be bound, such as those that begin the sequences of others.
      if let bound = try? Key(notation: key.notation) {
        hold(bound == key, "a key's notation is that key: \(key)")
      }
    }
  }
}
