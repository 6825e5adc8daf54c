import Search
import Text

extension Target {
  static let markup = Target(name: "markup", summary: "HTML and Markdown taken out of texts") { bytes in
    let text = bytes.text
    hold(HTMLText.stripped(text).utf8.count <= 4 * text.utf8.count + 16, "stripping makes no text")
    _ = HTMLText.decoded(text)
    // A bullet is three bytes for one.
    hold(MarkdownText.plain(text).utf8.count <= 3 * text.utf8.count + 16, "taking marks out makes no text")
  }
}
