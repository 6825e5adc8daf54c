import Output
import Search

/// The manual page of one command, generated from its definition.
struct CommandPage {
  let command: CommandTree

  var name: String { "riffle-\(command.commandName)" }

  var page: ManPage {
    var page = ManPage(name, section: 1, Self.summary(command.abstract))
    page.section("SYNOPSIS")
    for synopsis in synopses { page.paragraph(synopsis) }
    page.section("DESCRIPTION")
    Self.describe(command, in: &page)
    Self.list(command.listedArguments, in: &page) { $0.section($1.uppercased()) }
    for sub in command.commands { Self.add(sub, below: command.commandName, to: &page) }
    if command.commandName == "search" { Self.addFilters(to: &page) }
    if ["search", "pick"].contains(command.commandName) { Self.addForms(to: &page) }
    if command.commandName == "search" {
      page.paragraph(Supplements.statistics)
      page.section("NEW AND CHANGED ROWS")
      for paragraph in Supplements.sinceLast { page.paragraph(paragraph) }
      page.example(Supplements.sinceLastExample)
      page.section("COMPLETENESS")
      page.paragraph(Supplements.completeness)
      page.example([Supplements.completenessExample])
      page.section("LISTS IN PARTS")
      page.paragraph(Supplements.parts)
      page.example(Supplements.partsExample.split(separator: "\n"))
    }
    if command.commandName == "browse" {
      page.section("PICTURES")
      for (sentence, rows) in (try? ManualScreens.all()) ?? [] {
        page.paragraph(sentence)
        page.example(rows)
      }
    }
    if let more = Supplements.examples[command.commandName] {
      page.section("EXAMPLES")
      page.paragraph("Using the embedded source, which needs no network:")
      page.example(more.split(separator: "\n", omittingEmptySubsequences: false))
    }
    page.section("EXIT STATUS")
    page.paragraph("See `riffle`(1).")
    page.section("SEE ALSO")
    page.paragraph("`riffle`(1), `riffle-config`(5), `riffle-sources`(5)")
    return page
  }

  private static func addFilters(to page: inout ManPage) {
    page.section("FILTERS")
    page.paragraph(
      "A filter is a list of terms separated by spaces; a row must match all of them. `&` in the pager uses the same syntax."
    )
    for (term, meaning) in RowFilter.notation { page.term("`\(term)`", meaning) }
    page.paragraph("Values are written like this:")
    for (value, meaning) in RowFilter.values { page.term("`\(value)`", meaning) }
  }

  private static func addForms(to page: inout ManPage) {
    page.section("COLUMNS")
    page.paragraph(
      "Name a column by its name or title, by at least the first three letters of either, or by a path into the row (`owner.login`). These names work for every source:"
    )
    for (name, meaning) in Supplements.columns { page.term("`\(name)`", meaning) }
    page.section("OUTPUT FORMATS")
    page.paragraph(Supplements.formats)
    page.paragraph(Supplements.sorting)
    for format in OutputFormats.all { page.term("`\(format.name)`", "\(format.summary).") }
  }

  private var synopses: [String] {
    let own = command.commands.isEmpty ? [command] : []
    return own.map { Self.synopsis($0, "riffle") }
      + command.commands.map { Self.synopsis($0, "riffle \(command.commandName)") }
  }

  private static func synopsis(_ command: CommandTree, _ prefix: String) -> String {
    let words = (command.arguments ?? []).filter { $0.kind == "positional" }
      .map { argument in
        let word = "\(argument.valueName ?? "")\(argument.isRepeating ? " …" : "")"
        return argument.isOptional ? "[\(word)]" : word
      }
    let options =
      (command.arguments ?? []).contains { $0.kind != "positional" && !$0.isGeneral } ? " [options]" : ""
    let required = (command.arguments ?? []).filter { $0.kind == "option" && !$0.isOptional }
      .map { " `\($0.names?.first?.written ?? "")` \($0.valueName ?? "")" }
    return
      "`\(prefix) \(command.commandName)`\(required.joined())\(options)\(words.map { " \($0)" }.joined())"
  }

  private static func add(_ command: CommandTree, below parent: String, to page: inout ManPage) {
    page.section("\(parent) \(command.commandName)".uppercased())
    describe(command, in: &page)
    list(command.listedArguments, in: &page) { $0.subsection($1) }
  }

  /// The summary line for `apropos`.
  static func summary(_ abstract: String?) -> String {
    var text = abstract ?? ""
    if text.hasSuffix(".") { text.removeLast() }
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  private static func describe(_ command: CommandTree, in page: inout ManPage) {
    page.paragraph(command.abstract ?? "")
    for block in (command.discussion ?? "").split(separator: "\n\n") {
      let lines = block.split(separator: "\n")
      if lines.allSatisfy({ $0.hasPrefix("  ") }) {
        page.example(lines.map { $0.dropFirst(2) })
      } else {
        let ownPage = " in riffle-\(command.commandName)(1)"
        page.paragraph(lines.joined(separator: " ").replacing(ownPage, with: " below"))
      }
    }
  }

  private static func list(
    _ arguments: [CommandTree.Argument], in page: inout ManPage, head: (inout ManPage, String) -> Void
  ) {
    var section: String?
    for argument in arguments where !argument.isGeneral && !argument.isInversion(among: arguments) {
      let title = argument.sectionTitle ?? "Options"
      if title != section { head(&page, title) }
      section = title
      page.term(tag(argument, arguments.first { $0.isInversion(of: argument) }), meaning(argument))
    }
  }

  /// - Parameter other: The inversion of a flag, printed with it.
  private static func tag(_ argument: CommandTree.Argument, _ other: CommandTree.Argument?) -> String {
    let value = argument.valueName ?? ""
    guard let names = argument.names else { return value }
    let written = (names + (other?.names ?? [])).map { "`\($0.written)`" }.joined(separator: ", ")
    return argument.kind == "option" ? "\(written) \(value)" : written
  }

  private static func meaning(_ argument: CommandTree.Argument) -> String {
    let values = argument.allValues.map { " One of: \($0.map { "`\($0)`" }.joined(separator: ", "))." } ?? ""
    return (argument.abstract ?? "") + values
  }
}
