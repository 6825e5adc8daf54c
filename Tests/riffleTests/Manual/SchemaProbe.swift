@testable import Config

/// The keys that a source's document may have, taken from its reader: an unknown key in a table is reported with the
/// keys expected there.
enum SchemaProbe {
  /// The keys by table, named as in the manual.
  static func keys() -> [String: Set<String>] {
    var keys: [String: Set<String>] = [:]
    for type in ["none", "bearer", "basic", "header", "query"] {
      for style in ["page", "offset", "cursor", "link", "merge", "none"] {
        for problem in problems(document(auth: type, style: style)) {
          guard problem.message.hasPrefix("unknown key. Expected ") else { continue }
          let names = problem.message.replacing("unknown key. Expected ", with: "")
            .replacing("one of ", with: "").split(separator: ", ")
          keys[name(problem.table), default: []].formUnion(names.map(String.init))
        }
      }
    }
    return keys
  }

  private static func problems(_ text: String) -> [ConfigProblem] {
    do throws(ConfigError) {
      _ = try SourceDecoder.source(TOMLDocument(text, file: "probe"))
      return []
    } catch { return error.problems }
  }

  private static func name(_ table: String) -> String {
    let path = table.drop { $0 == "[" }.prefix { $0 != "]" }
    if path.hasSuffix(".match") || path.hasSuffix("total_at_least") || path == "columns.when" {
      return "condition"
    }
    if path.hasSuffix(".wait_from") { return "wait_from" }
    return ["request.when", "options", "secrets", "actions"].first { path.hasPrefix("\($0).") }
      .map { "\($0).NAME" } ?? String(path)
  }

  private static func document(auth: String, style: String) -> String {
    """
    schema = 1
    id = "probe"
    zzqxzzqx = 1
    [input]
    zzqxzzqx = 1
    [request]
    url = "https://x.example"
    zzqxzzqx = 1
    [request.when.query]
    zzqxzzqx = 1
    [options.o]
    zzqxzzqx = 1
    [auth]
    type = "\(auth)"
    zzqxzzqx = 1
    [secrets.s]
    zzqxzzqx = 1
    [pagination]
    type = "\(style)"
    size.zzqxzzqx = 1
    cap.zzqxzzqx = 1
    carry = [{ zzqxzzqx = 1 }]
    zzqxzzqx = 1
    [rows]
    shape = "columns"
    total_at_least.zzqxzzqx = 1
    total_request.zzqxzzqx = 1
    zzqxzzqx = 1
    [[columns]]
    zzqxzzqx = 1
    when.zzqxzzqx = 1
    width.zzqxzzqx = 1
    color.zzqxzzqx = 1
    [limits]
    reset.zzqxzzqx = 1
    zzqxzzqx = 1
    [errors]
    zzqxzzqx = 1
    when = [{ zzqxzzqx = 1, match = { zzqxzzqx = 1 } }]
    rate_limited = [{ zzqxzzqx = 1, wait_from = { zzqxzzqx = 1 } }]
    retry = [{ zzqxzzqx = 1 }]
    fatal = [{ zzqxzzqx = 1 }]
    [detail]
    body.zzqxzzqx = 1
    request.zzqxzzqx = 1
    zzqxzzqx = 1
    [actions.a]
    zzqxzzqx = 1
    """
  }
}
