import Output
import Search

/// What is kept beside a file while a run writes it (`FILE.riffle`): enough to go on with it row by row, and
/// to tell whether another run may.
struct ResumeRecord: Sendable, Hashable {
  var identity: RunIdentity
  /// Bytes of the file that hold whole rows.
  var bytes: Int
  var rows: Int
  /// Where the run goes on; its keys are those of the rows in the file.
  var resumption: Resumption
  var columns: [SettledColumn]

  /// One JSON object, nothing secret in it.
  var json: String {
    let columns = columns.map { column in
      "[\(JSONText.quoted(column.name))\(column.path.map { ", \(JSONText.quoted($0))" } ?? "")]"
    }
    return """
      {"riffle": 1, "source": \(JSONText.quoted(identity.source)), "request": "\(identity.request)", \
      "form": "\(identity.form)",
       "bytes": \(bytes), "rows": \(rows), "received": \(resumption.received),
       "next": \(resumption.next.json),
       "columns": [\(columns.joined(separator: ", "))],
       "keys": "\(resumption.keys.map(Self.digits).joined())"}

      """
  }

  /// Reads what `json` writes; nil for anything else.
  init?(_ text: [UInt8]) {
    guard let object = try? JSONDocument(text).root, object["riffle"]?.numberText == "1",
      let source = object["source"]?.string, let request = object["request"]?.string,
      let form = object["form"]?.string, let bytes = object.count("bytes"), let rows = object.count("rows"),
      let received = object.count("received"), let next = object["next"].flatMap(Position.init),
      let keys = object["keys"]?.string.flatMap(Self.keys)
    else { return nil }
    let columns = (object["columns"]?.elements ?? []).compactMap { pair in
      pair[0]?.string.map { SettledColumn(name: $0, path: pair[1]?.string) }
    }
    self.init(
      identity: RunIdentity(source: source, request: request, form: form), bytes: bytes, rows: rows,
      resumption: Resumption(next: next, received: received, keys: keys), columns: columns)
  }

  /// Of a run that begins.
  init(identity: RunIdentity) {
    let start = Resumption(next: Position(ordinal: 0, value: .start), received: 0)
    self.init(identity: identity, bytes: 0, rows: 0, resumption: start, columns: [])
  }

  init(
    identity: RunIdentity, bytes: Int, rows: Int, resumption: Resumption, columns: [SettledColumn]
  ) {
    self.identity = identity
    self.bytes = bytes
    self.rows = rows
    self.resumption = resumption
    self.columns = columns
  }

  /// Sixteen digits a key.
  private static func digits(_ key: UInt64) -> String {
    let digits = String(key, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static func keys(_ text: String) -> [UInt64]? {
    let bytes = Array(text.utf8)
    guard bytes.count % 16 == 0 else { return nil }
    var keys: [UInt64] = []
    for start in stride(from: 0, to: bytes.count, by: 16) {
      guard let key = UInt64(String(decoding: bytes[start..<start + 16], as: UTF8.self), radix: 16) else {
        return nil
      }
      keys.append(key)
    }
    return keys
  }
}

extension JSONValue {
  /// A number that counts something.
  fileprivate func count(_ name: String) -> Int? {
    self[name]?.numberText.flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }
}
