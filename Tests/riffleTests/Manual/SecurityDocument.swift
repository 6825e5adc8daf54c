/// docs/SECURITY.md: each guarantee of riffle-security(7), and the tests that check it.
enum SecurityDocument {
  static var text: String {
    var lines = [
      "<!-- Made by the tests of riffle: RIFFLE_WRITE=1 swift test --filter ManualTests -->", "",
      "# Security guarantees and their tests", "",
      "The guarantees of riffle-security(7), and the tests that check each of them. `swift test` runs the tests.",
      "",
      "Report security problems privately, using the security page of the repository. riffle-security(7) says what",
      "to include.",
    ]
    for group in SecurityClaim.groups {
      let title = "\(group.title.prefix(1))\(group.title.dropFirst().lowercased())"
      lines += ["", "## \(title)", "", "| guarantee | tests |", "|---|---|"]
      for claim in group.claims {
        lines.append(
          "| \(cell(claim.text)) | \(claim.tests.map { cell($0.hasSuffix(".") ? $0 : "\($0).") }.joined(separator: "<br>")) |"
        )
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A vertical bar would end the cell.
  private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
