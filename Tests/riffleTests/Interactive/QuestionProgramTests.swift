import Foundation
import TestSupport
import Testing

/// Tests in a real pseudo-terminal, against a real server, what a user asks of a list: its options, its rows in full, its
/// filters and its values.
@Suite(.takesTurns, .serialized, .timeLimit(.minutes(3))) struct QuestionProgramTests {
  private static let names = ["lark", "wren", "gull", "rook", "kite", "swan"]

  /// Six birds, in the order of their number or of their name, and each in full.
  private static let server: @Sendable (ScriptedServer.Request) -> ScriptedServer.Answer = { request in
    if let number = request.target.split(separator: "/").last.flatMap({ Int($0) }) {
      return .json(#"{"id": \#(number), "name": "\#(names[number])", "song": "sings \#(number) notes"}"#)
    }
    let order =
      request.target.contains("sort=name")
      ? names.indices.sorted { names[$0] < names[$1] } : [0, 1, 2, 3, 4, 5]
    let rows = order.map {
      #"{"id": \#($0), "name": "\#(names[$0])", "grams": \#(($0 + 1) * 10), "kind": "\#($0 < 2 ? "song" : "other")"}"#
    }
    return .json("[\(rows.joined(separator: ","))]")
  }

  private static func source(_ base: String) -> String {
    """
    schema = 1
    id = "birds"
    [request]
    url = "\(base)/birds"
    params = { sort = "{sort}" }
    [options.sort]
    title = "Order"
    values = ["number", "name"]
    default = "number"
    key = "s"
    [rows]
    id = "id"
    [detail]
    request.url = "={api}/birds/{id}"
    [[columns]]
    path = "name"
    [[columns]]
    path = "grams"
    format = "number"
    [[columns]]
    path = "kind"
    """
  }

  /// The birds; when they are refreshed, the gull is heavier and there is a robin, and after that nothing changes.
  private static let changingServer: @Sendable (ScriptedServer.Request) -> ScriptedServer.Answer = {
    request in
    if request.text.contains("\nIf-None-Match: \"2\"\n") { return .status(304, "", ("ETag", "\"2\"")) }
    let isLater = request.text.contains("\nIf-None-Match: \"1\"\n")
    let rows = (isLater ? ["robin"] + names : names).map {
      #"{"id": "\#($0)", "name": "\#($0)", "grams": \#(isLater && $0 == "gull" ? 35 : 30), "kind": "bird"}"#
    }
    return .json("[\(rows.joined(separator: ","))]", ("ETag", isLater ? "\"2\"" : "\"1\""))
  }

  /// - Parameter body: Each step types keys, and then the screen, redrawn, shows a text. No step ends in Esc: together
  ///   with the key that redraws the screen it would be another key.
  private func withTerminal(
    columns: UInt16 = 130,
    _ answer: @escaping @Sendable (ScriptedServer.Request) -> ScriptedServer.Answer = server,
    _ body: (_ step: (_ name: String, _ keys: String, _ shown: String) throws -> Void) throws -> Void
  ) async throws {
    let server = try ScriptedServer(answer)
    defer { server.stop() }
    let document = Self.source(server.baseURL).replacing("{api}", with: server.baseURL)
    try await withFile("birds.toml", document) { file in
      let home = URL(filePath: file).deletingLastPathComponent().path
      let terminal = try Program.onTerminal(
        [file], columns: columns, rows: 24,
        environment: ["HOME=\(home)", "PATH=/usr/bin:/bin"])
      try body { name, keys, shown in
        terminal.type(keys)
        try #require(terminal.shows(shown, within: .seconds(30)), "\(name): \(terminal.output.suffix(2_000))")
      }
      terminal.type("q")
      #expect(terminal.ending() == .exit(0))
    }
  }

  @Test func `An option is changed from its list or by its key, and the selection stays at its row.`()
    async throws
  {
    try await withTerminal { step in
      try step("lists the birds", "", "swan")
      try step("shows the option in the title", "", "sort: number")
      try step("lists what it can be", "jjO", "number  current, default")
      try step("takes another value", "\u{1B}[B\r", "sort: name")
      try step("with the same row selected", "v", "row 1 of 6")
      try step("which is the gull", "", "gull")
      try step("closes it", "v", "Enter: details")
      try step("takes the next value by its key", ",s", "sort: number")
      try step("with the same row selected", "v", "row 3 of 6")
      try step("closes it", "v", "Enter: details")
    }
  }

  @Test(arguments: [130, 90] as [UInt16])
  func `The preview shows the selected row in full, and follows the selection.`(columns: UInt16) async throws
  {
    try await withTerminal(columns: columns) { step in
      try step("lists the birds", "", "swan")
      try step("opens the preview", "p", "row 1 of 6")
      try step("with what the service adds", "", "sings 0 notes")
      try step("follows the selection", "jj", "sings 2 notes")
      try step("gets larger", "))", "row 3 of 6")
      try step("closes", "p", "swan")
      try step("and opens again", "p", "sings 2 notes")
    }
  }

  @Test func `Rows are filtered by values, by the current cell, and by a value of a summary.`() async throws {
    try await withTerminal { step in
      try step("filters while it is typed", "&grams>20 -ki", "3 of 6 rows match")
      try step("says what is wrong, and where", "\u{15}grams>", "nothing after \"grams>\"")
      try step("keeps the last good filter", "30 kind!=song\r", "3 of 6 loaded rows match")
      try step("drops it", "&\u{15}\r", "6 of 6")
      try step("filters by the cell", "ll.", "4 of 6 loaded rows match")
      try step("counts the values of the column", "&\u{15}\rF", "6 rows, 2 distinct, 0 empty")
      try step("with their shares", "", "66.7%")
      try step("and filters by one", "\r", "4 of 6 loaded rows match")
    }
  }

  @Test func `A refresh reports new and changed rows and keeps the selection, and A starts a watch.`()
    async throws
  {
    try await withTerminal(Self.changingServer) { step in
      try step("lists the birds", "", "swan")
      try step("looks again", "jjr", "1 new, 1 changed")
      try step("shows what is new", "", "robin")
      try step("and what changed", "", "35")
      try step("with the same row selected", "v", "row 4 of 7")
      try step("closes it", "v", "Enter: details")
      try step("looks again by itself", "A", "refreshing every 60 s")
      try step("no more", "A!", "automatic refresh off")
      try step("closes the messages", "q", "Enter: details")
    }
  }
}
