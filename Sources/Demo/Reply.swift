package import NIOHTTP1

/// A reply as a value: status, header fields (without the framing, which the connection adds), and body.
package struct Reply: Sendable {
  package var status: Int
  package var headers: HTTPHeaders = ["Content-Type": "application/json; charset=utf-8"]
  package var body: [UInt8]
  package var delivery = Delivery.whole

  /// - Parameter write: Writes the body.
  package init(status: Int = 200, json write: (inout JSONWriter) -> Void) {
    var json = JSONWriter()
    write(&json)
    self.status = status
    body = json.bytes
  }
}

/// Why a request gets an error reply: a status and a message.
package struct Refusal: Error, Equatable {
  package let status: Int
  package let message: String

  package init(_ status: Int, _ message: String) {
    self.status = status
    self.message = message
  }

  package var reply: Reply { Reply(status: status) { $0.choice("message", message) } }
}
