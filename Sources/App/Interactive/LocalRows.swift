import Config
import HTTPTransport
import HTTPValues
import JSON
import Output
import Search

/// Rows of the program itself for the pager: a document in place of the responses of a service.
struct LocalRows: Sendable {
  let entry: CatalogEntry
  /// A JSON list of objects.
  let document: [UInt8]

  /// - Parameters:
  ///   - source: A source in TOML. Its address is never requested.
  ///   - rows: The rows, each with its members.
  init(source: String, _ rows: [[(name: String, value: String)]]) throws(ConfigError) {
    entry = try CatalogEntry(ownDocument: TOMLDocument(source, file: "source.toml"))
    let texts = rows.enumerated().map { number, members in
      let fields = members.map { "\(JSONText.quoted($0.name)):\(JSONText.quoted($0.value))" }
      return "{\((["\(Self.number):\(number)"] + fields).joined(separator: ","))}"
    }
    document = Array("[\(texts.joined(separator: ","))]".utf8)
  }

  /// The member with the index of a row.
  private static let number = "\"@number\""

  var transport: Transport {
    Transport { [document] request, _ throws(TransportError) in
      HTTPResponse(status: 200, headers: [], body: document, url: request.url)
    }
  }

  /// The indices of chosen rows, in the order of the table.
  static func indices(in choice: Choice) throws(CommandError) -> [Int] {
    var indices: [Int] = []
    do {
      try choice.session.reader.forEachPage(of: choice.rows) { rows in
        let document = rows.response.document
        indices += rows.nodes.compactMap { node in
          document.member(of: node, named: JSONKey("@number")).flatMap { document.text(of: $0) }.flatMap {
            Int($0)
          }
        }
      }
    } catch { throw CommandError("\(error)", .failed) }
    return indices
  }
}
