import HTTPValues
import Search

extension Target {
  static let links = Target(name: "links", summary: "Link fields, and addresses and what they lead to") {
    bytes in
    let lines = bytes.lines
    _ = LinkHeader.target(rel: "next", in: lines)
    for line in lines {
      guard let url = try? WebURL(line) else { continue }
      guard let again = try? WebURL(url.description) else { fatalError("an address reads back: \(url)") }
      hold(again == url, "an address reads back as itself: \(url)")
      for other in lines {
        guard let target = try? url.resolving(other) else { continue }
        hold((try? WebURL(target.description)) == target, "a target reads back as itself: \(target)")
      }
    }
  }
}
