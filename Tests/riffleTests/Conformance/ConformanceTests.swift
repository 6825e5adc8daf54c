import Config
import Foundation
import HTTPValues
import JSON
import Testing
import Text

@testable import App
@testable import Search
@testable import riffle

/// Reads recorded responses of real services with the built-in sources. The recordings are not part of this project:
/// `RIFFLE_RECORDINGS` names their folder, and without it the test is skipped.
@Suite(.enabled(if: Recordings.folder != nil, "RIFFLE_RECORDINGS names no folder of recorded responses"))
struct ConformanceTests {
  /// One line per response: its name, the source that reads it with the page number (from 1), and what is read; or `-`
  /// and the reason why no built-in source reads it.
  private static let expectations = try? String(
    contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("recordings.txt"), encoding: .utf8)

  @Test func `Every recorded response is read as expected, or has a reason why no source reads it.`() throws {
    let folder = try #require(Recordings.folder)
    let lines = try #require(Self.expectations).split(separator: "\n").filter { !$0.hasPrefix("#") }
    var names = Set(Recordings.names(in: folder))
    for line in lines {
      let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
      #expect(names.remove(parts[0]) != nil, "\(parts[0]) is expected but missing")
      guard parts[1] != "-" else { continue }
      let picture = try Recordings(folder: folder).picture(of: parts[0], read: parts[1])
      #expect("\(parts[0]) \(parts[1]) \(picture)" == line)
    }
    for name in names.sorted() { Issue.record("\(name) is unexplained") }
  }
}

/// Recorded responses: `NAME.json` or `.txt` with the body, `NAME.headers` with status line and headers,
/// `NAME.request` with the address.
struct Recordings {
  static let folder = ProcessInfo.processInfo.environment["RIFFLE_RECORDINGS"]
  /// Hostile responses, and services without a built-in source.
  private static let others: Set = ["synthetic", "algolia", "drf", "jsonapi", "odata"]

  let folder: String

  static func names(in folder: String) -> [String] {
    let services = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return services.filter { !others.contains($0) }.flatMap { service in
      let files = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(service)")) ?? []
      return files.filter { $0.hasSuffix(".json") || $0.hasSuffix(".txt") }
        .map { "\(service)/\($0.prefix { $0 != "." })" }
    }
  }

  /// - Parameter reader: a source, or `source@page`.
  func picture(of name: String, read reader: String) throws -> String {
    let parts = reader.split(separator: "@")
    let catalog = Catalog(
      builtIns: BuiltInSources.documents, folder: nil, files: .system(), user: 0, input: SearchInput())
    let source = try catalog.entry(named: String(parts[0])).source
    let ordinal = parts.count == 2 ? (Int(parts[1]) ?? 1) - 1 : 0
    let response = try response(name)
    let request = PageRequest(
      query: query(of: source, to: response.url.origin), position: position(ordinal, of: source),
      generation: 1)
    do throws(PageError) {
      let page = try source.page(
        from: response, for: request, in: RunContext(pageSize: 20), makeContent: cells(of: source))
      return PagePicture(page: page).text
    } catch {
      return picture(of: error)
    }
  }

  private func picture(of error: PageError) -> String {
    // The service's own message follows the status.
    let words = error.message.split(separator: ": ", maxSplits: 1).count == 2 ? "says why" : nil
    let wait = error.wait.map { "wait \(Int($0)) s" }
    let status = error.status.map { " \($0)" } ?? ""
    return (["error \(error.kind)\(status)"] + [words, wait].compactMap(\.self)).joined(separator: ", ")
  }

  /// Sends the request of a source with a configurable base to the origin the response came from.
  private func query(of source: Source, to origin: Origin) -> Query {
    let base = source.endpoint.url.baseName.map { [$0: origin.description] } ?? [:]
    return Query(source.input.minLength == 0 ? "" : "x", options: base)
  }

  private func position(_ ordinal: Int, of source: Source) -> Position {
    switch source.pagination.style.first.value {
    case .number(let first): Position(ordinal: ordinal, value: .number(first + ordinal))
    case let value: Position(ordinal: ordinal, value: value)
    }
  }

  private func cells(of source: Source) -> RowMapper {
    { rows in
      let columns =
        source.columns.isEmpty ? Column.guessed(from: rows).filter { !$0.isHidden } : source.columns
      return .cells(
        CellTable(rows, columns: columns, link: source.rows.link, context: FormatContext(now: 1_790_000_000)))
    }
  }

  private func response(_ name: String) throws -> HTTPResponse {
    let body = (try? bytes("\(name).json")) ?? (try? bytes("\(name).txt")) ?? []
    let request = (try? text("\(name).request"))?.split(separator: "\n").first?.split(separator: " ").last
    let head = ((try? text("\(name).headers")) ?? "").split(separator: "\n")
    let status = head.first.flatMap {
      $0.hasPrefix("HTTP/") ? $0.split(separator: " ").dropFirst().first : nil
    }
    var headers: HTTPFields = []
    for line in head.dropFirst(status == nil ? 0 : 1) {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      headers.append(HTTPField(received: String(line[..<colon]), value: String(value)))
    }
    return HTTPResponse(
      status: status.flatMap { Int($0) } ?? 200, headers: headers, body: body,
      url: try (try? WebURL(String(request ?? ""))) ?? WebURL("https://example.com/"),
      sentAt: 1_790_000_000, arrivedAt: 1_790_000_000)
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(path)")))
  }

  private func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }
}

/// The facts read from a response, in one line.
private struct PagePicture {
  let page: Page

  var text: String {
    let notes = page.notes.isEmpty ? [] : ["a note"]
    return ([rows, next] + notes).joined(separator: "; ") + filled
  }

  private var rows: String {
    switch page.total {
    case nil: "\(page.rowCount) rows"
    case .exact(let count): "\(page.rowCount) rows of \(count)"
    case .atLeast(let count): "\(page.rowCount) rows of at least \(count)"
    case .estimate(let count): "\(page.rowCount) rows of about \(count)"
    }
  }

  private var next: String {
    switch page.continuation {
    case .end(let reason): "end: \(reason.name)"
    case .next(let position, _):
      switch position.value {
      case .start: "next start"
      case .number(let number): "next \(number)"
      case .token(let token): "next \(token.text == nil ? "value" : "token")"
      case .link: "next link"
      case .members(let members): "next \(members.map(\.name).joined(separator: " "))"
      }
    }
  }

  /// The columns that are not empty in every row. The values themselves are not repeated here.
  private var filled: String {
    guard case .cells(let table) = page.content, table.rowCount > 0 else { return "" }
    let names = table.columns.indices.filter { column in
      (0..<table.rowCount).contains { !table.cell(row: $0, column: column).string.isEmpty }
    }.map { table.columns[$0].name }
    return ": \(names.joined(separator: " "))"
  }
}
