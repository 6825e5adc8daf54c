import Search

extension SearchInput {
  /// `[input]`.
  ///
  /// - Parameter standard: The defaults for missing keys.
  init(_ reader: inout TableReader, standard: SearchInput) {
    self = standard
    minLength = reader.integer("min_length", in: 0...1_000) ?? minLength
    maxLength = reader.integer("max_length", in: 1...1_000_000) ?? maxLength
    debounce = reader.duration("debounce", in: .zero ... .seconds(10)) ?? debounce
    isLive = reader.bool("live") ?? isLive
    placeholder = reader.string("placeholder") ?? placeholder
    examples = reader.strings("examples").map(\.text)
    filter = reader.choice("filter", of: Filter.self) ?? filter
    if let maxLength, maxLength < minLength {
      reader.report("max_length = \(maxLength) is less than min_length = \(minLength)", for: "max_length")
    }
  }
}
