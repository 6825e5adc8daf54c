import FoundationEssentials

extension Request {
  /// The body decoded as JSON; members that the type does not have are ignored.
  func jsonBody<Value: Decodable>(_ type: Value.Type) throws(Refusal) -> Value {
    do { return try JSONDecoder().decode(type, from: Data(body)) } catch {
      throw Refusal(400, "the body must be a JSON object as shown at / for \(path)")
    }
  }
}
