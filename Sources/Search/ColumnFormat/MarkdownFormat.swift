extension ColumnFormat {
  package static let markdown = ColumnFormat("markdown", "Markdown as plain text") { value, context in
    MarkdownText.plain(value.text(separator: context.separator))
  }
}
