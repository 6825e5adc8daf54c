import TestSupport
import Testing

@testable import Demo

@Suite(.takesTurns) struct LoopbackNameTests {
  @Test(arguments: [
    (8080, ["127.0.0.1:8080"], true), (8080, ["LocalHost:8080"], true), (80, ["localhost"], true),
    (8080, ["127.0.0.1"], false), (8080, ["evil.example:8080"], false), (8080, [], false),
    (8080, ["localhost:8080", "localhost:8080"], false), (8080, ["localhost:8080.evil.example"], false),
  ])
  func `Only the server's own names are accepted.`(port: Int, hosts: [String], isAccepted: Bool) {
    #expect((LoopbackName(port: port).refusal(ofHosts: hosts) == nil) == isAccepted)
  }
}
