import Testing

@testable import HTTPValues

@Suite struct SecretTests {
  @Test func `The description of a secret does not reveal it.`() {
    let secret = Secret("Bearer abcdefgh-1234")
    #expect("\(secret)" == "<secret>")
    #expect(String(reflecting: secret) == "<secret>")
  }
}
