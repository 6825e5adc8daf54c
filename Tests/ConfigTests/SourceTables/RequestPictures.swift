import Config
import HTTPValues

@testable import Search

/// The request of a source as it is sent: first line, headers, credentials and body.
struct RequestPicture {
  /// A document. `schema` and `id` are added if they are missing.
  var source: String
  var query = "swift"
  var options: [String: String] = [:]
  var pageSize: Int? = 30
  var credentials = ResolvedCredentials()
  var position = Position(ordinal: 0, value: .start)

  var text: String {
    get throws {
      let document = source.contains("schema = 1") ? source : "schema = 1\nid = \"mine\"\n\(source)"
      let source = try SourceDecoder.source(TOMLDocument(document, file: "mine.toml"))
      let page = PageRequest(query: Query(query, options: options), position: position, generation: 1)
      let run = RunContext(pageSize: pageSize, credentials: credentials, version: "1")
      do { return picture(try source.request(for: page, in: run)) } catch {
        return error.fullMessage
      }
    }
  }

  /// Leaves out the two headers that every request has.
  private func picture(_ request: HTTPRequest) -> String {
    let usual = ["application/json, */*;q=0.1", "riffle/1"]
    var lines = ["\(request.method.rawValue) \(request.url)\(request.isSafe ? "" : " (once)")"]
    lines += request.headers.filter { !usual.contains($0.value) }.map { "\($0.name): \($0.value)" }
    lines += request.credentials.map {
      "+ \($0.place) \($0.secret.reveal()) from \($0.provenance)"
    }
    if !request.body.isEmpty { lines += ["", String(decoding: request.body, as: UTF8.self)] }
    if let body = request.confidentialBody { lines.append("+ \(body.reveal())") }
    return lines.joined(separator: "\n")
  }
}

extension ResolvedCredentials {
  /// Named secrets, each from the environment variable of the same name.
  static func named(_ values: [String: String]) -> ResolvedCredentials {
    ResolvedCredentials(
      secrets: Dictionary(
        uniqueKeysWithValues: values.map { name, value in
          (name, Finding(secret: Secret(value), provenance: "env:\(name.uppercased())"))
        }))
  }
}
