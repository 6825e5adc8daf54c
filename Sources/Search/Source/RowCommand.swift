package import JSON

/// A program that an action runs for rows. Its arguments are passed directly, without a shell.
package struct RowCommand: Sendable, Hashable {
  package enum Rows: String, Sendable, Hashable, CaseIterable {
    /// The program runs once for each row.
    case each
    /// It runs once; an argument that is one placeholder is repeated for each row.
    case together
  }

  /// The program and its arguments; `{path}` is replaced with a value of the row. The program has no placeholder, and
  /// with `.together` a placeholder is a whole argument.
  package var words: [ValueTemplate]
  package var rows = Rows.each
  /// Whether the program gets the terminal until it exits. Otherwise it runs without one, and its output is captured.
  package var usesTerminal = false

  package init(_ words: [ValueTemplate], rows: Rows = .each, usesTerminal: Bool = false) {
    self.words = words
    self.rows = rows
    self.usesTerminal = usesTerminal
  }

  /// The values of a row that the placeholders need: numbers and flags as in the response, not as formatted for a cell.
  package struct Values: Sendable {
    /// The number of the row for messages, from 1.
    package var row: Int
    package var values: [JSONPath: String]
    package var options: [String: String]

    package init(row: Int, values: [JSONPath: String], options: [String: String] = [:]) {
      self.row = row
      self.values = values
      self.options = options
    }
  }

  /// The reason why the program is not run for a row.
  package struct ArgumentError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String
  }

  /// The paths of all values that the arguments need.
  package var paths: Set<JSONPath> { Set(words.flatMap(\.paths)) }

  /// The program with its arguments: one for each word or, with `.together`, one for each row in place of a word that
  /// is one placeholder. A value is always part of its argument, never an option.
  ///
  /// - Parameter rows: One row; with `.together` all rows.
  /// - Throws: If a value is missing, has a control character, or would begin an argument with `-` although no word
  ///   before it is `--`.
  package func arguments(for rows: [Values]) throws(ArgumentError) -> [String] {
    var arguments: [String] = []
    var takesDashes = false
    for word in words {
      for row in word.isPlaceholder ? rows[...] : rows.prefix(1) {
        let argument = try Self.argument(word, row)
        // The first byte: to Swift, a dash with a combining mark is another character.
        if !word.beginsLiterally, argument.utf8.first == UInt8(ascii: "-"), !takesDashes {
          throw ArgumentError(
            description:
              "\(word.names) of row \(row.row) begins with -, so it would be an option. Put \"--\" before it in run"
          )
        }
        arguments.append(argument)
      }
      takesDashes = takesDashes || word.pieces == [.literal("--")]
    }
    return arguments
  }

  private static func argument(_ word: ValueTemplate, _ row: Values) throws(ArgumentError) -> String {
    for piece in word.pieces {
      guard let name = piece.name else { continue }
      guard let value = row.value(of: piece), !value.isEmpty else {
        throw ArgumentError(description: "row \(row.row) has no value at \(name)")
      }
      if value.unicodeScalars.contains(where: \.isControl) {
        throw ArgumentError(description: "\(name) of row \(row.row) has a control character")
      }
    }
    guard let argument = word.filled(option: { row.options[$0] }, value: { row.values[$0] }) else {
      throw ArgumentError(description: "\(word.names) of row \(row.row) would lead to another address")
    }
    return argument
  }
}

extension RowCommand.Values {
  fileprivate func value(of piece: ValueTemplate.Piece) -> String? {
    switch piece {
    case .literal: nil
    case .path(let path, _): values[path]
    case .option(let name): options[name]
    }
  }
}

extension RowCommand: CustomStringConvertible {
  /// The words as written, separated by spaces.
  package var description: String { words.map(\.description).joined(separator: " ") }
}

extension ValueTemplate: CustomStringConvertible {
  /// The template as written, with the canonical form of each path.
  package var description: String {
    pieces.map { piece in
      switch piece {
      case .literal(let text): text.replacing("{", with: "{{").replacing("}", with: "}}")
      case .path(let path, let keepsSlashes): "{\(keepsSlashes ? "+" : "")\(path)}"
      case .option(let name): "{\(name)}"
      }
    }.joined()
  }

  /// Whether it is one placeholder and nothing else.
  package var isPlaceholder: Bool { pieces.count == 1 && pieces[0].name != nil }

  /// Whether the template begins with literal text.
  fileprivate var beginsLiterally: Bool { pieces.first?.name == nil }

  /// The names of its placeholders: `owner.login and name`.
  fileprivate var names: String { pieces.compactMap(\.name).joined(separator: " and ") }
}

extension ValueTemplate.Piece {
  /// The name of the value that it stands for; nil for literal text.
  package var name: String? {
    switch self {
    case .literal: nil
    case .path(let path, _): "\(path)"
    case .option(let name): name
    }
  }
}

extension Unicode.Scalar {
  /// Whether a terminal or a program that reads lines could interpret the character as more than text.
  fileprivate var isControl: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
