@testable import App
@testable import riffle

/// riffle-security(7): what riffle guarantees. The tests of each guarantee are in `SecurityDocument`.
enum SecurityPage {
  static var page: ManPage {
    var page = ManPage("riffle-security", section: 7, "security guarantees of riffle")
    page.section("DESCRIPTION")
    page.paragraph(
      "riffle shows data from services that could try to attack your terminal, your credentials or your network. This page lists what riffle guarantees. Tests check each guarantee; `docs/SECURITY.md` in the repository names them."
    )
    for group in SecurityClaim.groups {
      page.section(group.title)
      for claim in group.claims { page.paragraph(claim.text) }
    }
    page.section("LIMITATIONS")
    page.paragraph(
      "riffle does not protect you from your own settings, from other programs that run as you, or from what a service learns from your requests: your queries, your IP address, and the name and version of riffle. It does not check the contents of rows, or where a link you open leads."
    )
    page.section("REPORTING A PROBLEM")
    page.paragraph(
      "Report security problems privately, using the security page of the repository. Include the version (`riffle --version`), what you did, and what happened. A recording often helps; read it before you send it. Any way around a guarantee on this page is a security problem, and so is a crash caused by the data of a service, a source or a recording."
    )
    page.section("SEE ALSO")
    page.paragraph("`riffle`(1), `riffle-replay`(1), `riffle-config`(5), `riffle-sources`(5)")
    return page
  }
}
