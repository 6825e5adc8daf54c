@testable import riffle

/// riffle-security(7): what is promised, and which tests back it.
enum SecurityPage {
  static var page: ManPage {
    var page = ManPage("riffle-security", section: 7, "what riffle trusts, and what it never does")
    page.section("DESCRIPTION")
    page.paragraph(
      "A pager of other people's data is a way for them to reach your terminal, your credentials and your network. These are the promises of riffle about that. The numbers behind each name the tests that hold it; they are listed at the end, and run with `swift test`."
    )
    let tests = tests
    for group in SecurityClaim.groups {
      page.section(group.title)
      for claim in group.claims {
        let numbers = claim.tests.compactMap { tests.firstIndex(of: $0) }.map { String($0 + 1) }
        page.paragraph("\(claim.text) [\(numbers.joined(separator: ", "))]")
      }
    }
    page.section("WHAT IT DOES NOT DO")
    page.paragraph(
      "riffle does not protect you from your own settings, from programs that run as you, or from what a service learns by being asked: your queries, your address, and the name and version of the program. It does not judge what rows say, nor where a link leads that you open."
    )
    page.section("REPORTING A PROBLEM")
    page.paragraph(
      "Tell the maintainers in private first, by the security page of the repository, with the version (`riffle --version`), what you did and what came of it. A recording often shows it; read it before you send it. A way around any promise of this page is such a problem, and so is a crash by anything that a service, a source or a recording says."
    )
    page.section("TESTS")
    for (index, test) in tests.enumerated() { page.term("[\(index + 1)]", test) }
    page.section("SEE ALSO")
    page.paragraph("`riffle`(1), `riffle-replay`(1), `riffle-config`(5), `riffle-sources`(5)")
    return page
  }

  /// Each test once, in the order of the claims.
  static var tests: [String] {
    var seen: Set<String> = []
    return SecurityClaim.groups.flatMap(\.claims).flatMap(\.tests).filter { seen.insert($0).inserted }
  }
}
