import Demo
import JSON
import NIOHTTP1
import Testing

@testable import DemoTesting

struct ResponseStepTests {
  /// The steps of a plan with the body `abcdefg`, one word each.
  private func picture(
    _ delivery: ResponsePlan.Delivery, delay: Int = 0, isHead: Bool = false, keepsAlive: Bool = true
  ) -> String {
    var response = Response(json: [] as [Int])
    response.headers = [:]
    response.body = Array("abcdefg".utf8)
    let plan = ResponsePlan(response: response, delay: delay, delivery: delivery)
    return plan.steps(isHead: isHead, keepsAlive: keepsAlive).map { step in
      switch step {
      case .pause(let milliseconds): "pause(\(milliseconds))"
      case .head(let status, let headers):
        "\(status)[\(headers.map { "\($0.name)=\($0.value)" }.joined(separator: ","))]"
      case .body(let bytes): String(decoding: bytes, as: UTF8.self)
      case .repeated(let bytes, let times):
        String(decoding: bytes, as: UTF8.self) + (times.map { "*\($0)" } ?? "*")
      case .end: "end"
      case .close: "close"
      }
    }.joined(separator: " ")
  }

  @Test func `A complete response is head, body and end.`() {
    #expect(picture(.whole) == "200[Content-Length=7] abcdefg end")
    #expect(picture(.whole, delay: 50) == "pause(50) 200[Content-Length=7] abcdefg end")
    #expect(picture(.whole, keepsAlive: false) == "200[Content-Length=7,Connection=close] abcdefg end close")
  }

  @Test func `HEAD gets the same head and no body.`() {
    #expect(picture(.whole, isHead: true) == "200[Content-Length=7] end")
    #expect(picture(.truncated(bytes: 3), isHead: true) == "200[Content-Length=7] end")
  }

  @Test func `A truncated body ends by closing the connection.`() {
    #expect(picture(.truncated(bytes: 3)) == "200[Content-Length=7] abc close")
  }

  @Test func `A dripping body is sent in pieces, each after a pause.`() {
    #expect(
      picture(.dripping(bytes: 3, pause: 10))
        == "200[Content-Length=7] pause(10) abc pause(10) def pause(10) g end")
  }

  @Test func `A repeated piece is one step, however long the body.`() {
    let huge = ResponsePlan.Delivery.repeating(piece: Array(",0".utf8), times: 1 << 40, end: Array("]".utf8))
    #expect(picture(huge) == "200[Content-Length=2199023255560] abcdefg ,0*1099511627776 ] end")
    #expect(
      picture(.endless(piece: Array(",0".utf8))) == "200[Transfer-Encoding=chunked] abcdefg ,0* end")
    #expect(
      picture(.endless(piece: [0]), isHead: true)
        == "200[Transfer-Encoding=chunked,Connection=close] close")
    #expect(picture(huge, isHead: true) == "200[Content-Length=2199023255560] end")
  }

  @Test func `A hanging response has no steps.`() {
    #expect(picture(.hanging, delay: 50, keepsAlive: false) == "")
  }
}
