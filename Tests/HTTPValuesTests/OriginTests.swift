import HTTPValues
import Testing

@Suite struct OriginTests {
  @Test(arguments: [
    ("https://API.example.org/x?y", "https://api.example.org"),
    ("https://api.example.org:443/", "https://api.example.org"),
    ("http://h:8080/", "http://h:8080"), ("http://h:443/", "http://h:443"),
    ("http://[::1]:80/", "http://[::1]"),
  ])
  func `An origin is scheme, host and effective port.`(url: String, origin: String) throws {
    #expect(try WebURL(url).origin.description == origin)
    #expect(try WebURL(url).origin == WebURL(origin).origin)
  }

  @Test func `A different scheme, host or port is a different origin.`() throws {
    let origins = try ["https://h", "http://h", "https://h:444", "https://h.", "https://g"].map {
      try WebURL($0).origin
    }
    #expect(Set(origins).count == origins.count)
  }

  @Test(arguments: [
    (
      HostClass.loopback,
      "localhost LOCALHOST. api.localhost 127.0.0.1 127.255.0.9 127.1 0x7f000001 0177.0.0.1"
    ),
    (
      .loopback,
      "2130706433 127.0.0.1. [::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::127.0.0.1] [64:ff9b::7f00:1]"
    ),
    (.loopback, "[2002:7f00:1::] 0X7F.1"),
    (.linkLocal, "169.254.169.254 0xA9FEA9FE [fe80::1] [febf::1] [::ffff:169.254.1.1]"),
    (.privateNetwork, "10.0.0.1 10.1 172.16.0.1 172.31.255.255 192.168.0.1 192.168.1 100.64.0.1 100.127.0.1"),
    (.privateNetwork, "[fc00::1] [fd12:3456::1] [fec0::1] [::ffff:10.0.0.1]"),
    (.unspecified, "0.0.0.0 0 0x0 00.0 0.1.2.3 [::] [::ffff:0.0.0.0]"),
    (
      .global,
      "example.org localhost.example.org 8.8.8.8 172.32.0.1 172.15.0.1 100.128.0.1 192.169.0.1 11.0.0.1"
    ),
    (.global, "[2001:db8::1] [::ffff:8.8.8.8] [2002:808:808::] 127.example.org notlocalhost [ff02::1]"),
  ])
  func `A literal host is classified by its network, in every notation.`(
    hostClass: HostClass, hosts: String
  ) throws {
    for host in hosts.split(separator: " ") {
      #expect(try WebURL("http://\(host)/").origin.hostClass == hostClass, "\(host)")
    }
  }

  @Test(arguments: [
    ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"), ("0:0:0:0:0:0:0:0", "::"), ("1::", "1::"), ("::1", "::1"),
    ("1:0:0:2:0:0:0:3", "1:0:0:2::3"), ("1:0:0:2:0:0:3:4", "1::2:0:0:3:4"),
    ("1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"),
    ("ABCD::00ef", "abcd::ef"), ("::1.2.3.4", "::102:304"), ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"),
    ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
  ])
  func `An IPv6 address has one canonical text.`(text: String, canonical: String) throws {
    #expect(try WebURL("http://[\(text)]/").host == "[\(canonical)]")
  }

  @Test(arguments: [
    "", ":", ":::", "1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "::1:2:3:4:5:6:7:8", "12345::",
    "g::",
    "1.2.3.4", "::1.2.3", "::1.2.3.4:5", "::01.2.3.4", "::256.1.1.1", "1:2:3:4:5:6:7:1.2.3.4", "+1::", ":1::",
    "::1:",
  ])
  func `A text that is not an IPv6 address is refused.`(text: String) {
    #expect(throws: WebURLError.self) { try WebURL("http://[\(text)]/") }
  }
}
