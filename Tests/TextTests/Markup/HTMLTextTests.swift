import Testing
import Text

@testable import Text

@Suite struct HTMLTextTests {
  @Test(arguments: [
    ("Q&amp;A &lt;T&gt; &quot;x&quot; it&#39;s", "Q&A <T> \"x\" it's"),
    ("&eacute;&Eacute;&nbsp;&hellip;&rsquo;", "éÉ\u{A0}…’"),
    ("&#233;&#xE9;&#XE9;&#x1F600;", "ééé😀"), ("&amp;lt;", "&lt;"),
    ("a & b &c; &unknown; &;", "a & b &c; &unknown; &;"),
    ("?a=1&copy=2&lt", "?a=1&copy=2&lt"), ("&#39 &#x27z", "' 'z"), ("&#;&#x;&#xg;", "&#;&#x;&#xg;"),
    ("&#0;&#xD800;&#x110000;&#99999999999999999999;", "����"), ("&#128;&#x92;&#x81;", "€’\u{81}"),
    ("&#27;[31m&#x202E;", "\u{1B}[31m\u{202E}"), ("<b>&lt;</b>", "<b><</b>"), ("&", "&"), ("&#", "&#"),
    ("", ""),
    ("日本&middot;語", "日本·語"),
  ])
  func `Character references are decoded exactly once.`(html: String, text: String) {
    #expect(HTMLText.decoded(html) == text)
  }

  @Test(arguments: [
    ("<span class=\"searchmatch\">Arrow</span>s &amp; <i>bows</i>", "Arrows & bows"),
    ("<p>One</p>\n<p>Two<br>Three<br/>Four</p>", "One\nTwo\nThree\nFour"), ("  a \t\n b  ", "a b"),
    ("<ul><li>a</li><li>b</li></ul>", "a\nb"), ("<td>a</td><td>b</td>", "a b"),
    ("a < b and 1<2 i <3 u", "a < b and 1<2 i <3 u"),
    ("&lt;script&gt;alert(1)&lt;/script&gt;", "<script>alert(1)</script>"),
    ("a<script>alert('<b>')</script>b<STYLE>p{}</STYLE>c", "abc"),
    ("a<!-- x > y --><!doctype html><?php x ?>b", "ab"),
    ("<a title=\"a > b\" href='>'>link</a>", "link"), ("<a title=\">text</a> more", "text more"),
    ("cut <span class=\"sea", "cut"), ("cut <!-- here", "cut"), ("cut <script> here", "cut"),
    ("cut <", "cut <"),
    ("</", "</"), ("x</b", "x"), ("<p></p>", ""), ("", ""), ("<p>日<b>本</b></p>語", "日本\n語"),
    ("a&nbsp;<b></b>&#10;b", "a\u{A0}\nb"), ("<blockquote>q</blockquote>r", "q\nr"),
  ])
  func `Tags are removed, blocks start a new line, and other white space becomes one space.`(
    html: String, text: String
  ) {
    #expect(HTMLText.stripped(html) == text)
  }

  @Test func `Sanitizing last keeps references from controlling the terminal.`() {
    let hostile = "<b>&#27;]0;x&#7;</b>&#x9b;31m&#x202e;<br>&Tab;"
    #expect(Sanitized(HTMLText.stripped(hostile)).string == "␛]0;x␇›31m  ")
  }

  @Test func `Names of HTML 4 and common names of HTML 5 are known.`() {
    let names = [
      "nbsp", "yuml", "euro", "Omega", "thetasym", "clubs", "zwj", "apos", "check", "Scaron", "frac18",
    ]
    let scalars = names.map { HTMLEntities.byName[$0].map { String($0) } }
    #expect(scalars == ["\u{A0}", "ÿ", "€", "Ω", "ϑ", "♣", "\u{200D}", "'", "✓", "Š", "⅛"])
    #expect(HTMLEntities.byName["EURO"] == nil)
  }

  /// Each of these would take minutes if unclosed constructs were searched for repeatedly.
  @Test(arguments: [
    "<", "<a ", "<a '", "<a \"'", "<a \">", "<!--", "<script>", "&", "&#", "&#x1", "<a '\">\"'", "</a", "<!",
  ])
  func `Hostile text of 100,000 bytes is read in one pass.`(part: String) {
    let text = String(repeating: part, count: 100_000 / part.utf8.count)
    #expect(HTMLText.stripped(text).utf8.count <= 100_000)
    #expect(HTMLText.decoded(text).utf8.count <= 100_000)
  }
}
