@testable import App
@testable import riffle

/// Every page of the manual, by file name.
enum ManualPages {
  static func all() throws -> [String: String] {
    let riffle = try CommandTree.riffle()
    var pages = [
      "riffle.1": try MainPage.page(riffle).text, "riffle-config.5": ConfigPage.page.text,
      "riffle-sources.5": SourcesPage.page.text, "riffle-security.7": SecurityPage.page.text,
    ]
    for command in riffle.commands {
      let page = CommandPage(command: command)
      pages["\(page.name).1"] = page.page.text
    }
    return pages
  }
}
