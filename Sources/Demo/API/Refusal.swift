/// Why a request gets an error reply: a status and a message.
struct Refusal: Error, Equatable {
  var status: Int
  var message: String

  init(_ status: Int, _ message: String) {
    self.status = status
    self.message = message
  }

  var reply: Reply { Reply(status: status, json: ["message": .string(message)]) }
}
