/// Converts HTML in a value to plain text. The result may contain any character, so like all text of a response it must
/// be sanitized afterwards. O(bytes).
package enum HTMLText {
  /// Decodes character references; `<` is an ordinary character.
  package static func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    let bytes = Array(text.utf8)
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "&"), let reference = HTMLReference(in: bytes, at: index) {
        output += String(reference.scalar).utf8
        index = reference.end
      } else {
        output.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Removes tags, comments, scripts, and styles, begins a new line for blocks and `<br>`, collapses other white space
  /// to one space, and decodes character references.
  package static func stripped(_ text: String) -> String {
    var stripper = HTMLStripper(Array(text.utf8))
    stripper.run()
    return String(decoding: stripper.output, as: UTF8.self)
  }
}

private struct HTMLStripper {
  private var tags: HTMLTagScanner
  private(set) var output: [UInt8] = []
  /// The separator between the text so far and the text that follows.
  private var gap = Gap.none

  private enum Gap: Int { case none, blank, line }

  init(_ bytes: [UInt8]) {
    tags = HTMLTagScanner(bytes)
    output.reserveCapacity(bytes.count)
  }

  mutating func run() {
    var index = 0
    while index < tags.bytes.count {
      switch tags.bytes[index] {
      case UInt8(ascii: "<"): index = pass(at: index)
      case UInt8(ascii: "&"): index = decode(at: index)
      case 0x09, 0x0A, 0x0C, 0x0D, 0x20:
        widen(.blank)
        index += 1
      default: index = copy(at: index)
      }
    }
  }

  private mutating func pass(at index: Int) -> Int {
    guard let tag = tags.tag(at: index) else { return copy(at: index) }
    if Self.blocks.contains(tag.name) { widen(.line) }
    if Self.cells.contains(tag.name) { widen(.blank) }
    guard Self.hidden.contains(tag.name), !tag.isClosing else { return tag.end }
    return tags.endOfContent(of: tag.name, from: tag.end)
  }

  private mutating func decode(at index: Int) -> Int {
    guard let reference = HTMLReference(in: tags.bytes, at: index) else { return copy(at: index) }
    append(String(reference.scalar).utf8)
    return reference.end
  }

  private mutating func copy(at index: Int) -> Int {
    append(CollectionOfOne(tags.bytes[index]))
    return index + 1
  }

  private mutating func append(_ bytes: some Collection<UInt8>) {
    if !output.isEmpty, gap != .none { output.append(gap == .line ? 0x0A : 0x20) }
    gap = .none
    output += bytes
  }

  private mutating func widen(_ wider: Gap) { if wider.rawValue > gap.rawValue { gap = wider } }

  private static let blocks: Set = [
    "address", "article", "aside", "blockquote", "br", "dd", "details", "div", "dl", "dt", "figcaption",
    "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol",
    "p", "pre", "section", "summary", "table", "tr", "ul",
  ]
  private static let cells: Set = ["td", "th", "option"]
  private static let hidden: Set = ["script", "style"]
}

/// Finds the tags, comments, and declarations of a text. Each byte is read a bounded number of times even if
/// tags are left open, so hostile text costs no more than its length.
struct HTMLTagScanner {
  let bytes: [UInt8]
  private let lastQuote: Int
  private let lastApostrophe: Int
  /// Whether quotes count; false after an unclosed quote has left a tag open to the end of the text.
  private var quotesCount = true

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    lastQuote = bytes.lastIndex(of: UInt8(ascii: "\"")) ?? -1
    lastApostrophe = bytes.lastIndex(of: UInt8(ascii: "'")) ?? -1
  }

  struct Tag {
    /// The name in lower case; "" for comments and declarations.
    let name: String
    let isClosing: Bool
    /// The index after the tag; the end of the text if it is not closed.
    let end: Int
  }

  /// The tag whose `<` is at an index; nil if it is only a character (`a < b`).
  mutating func tag(at start: Int) -> Tag? {
    guard start + 1 < bytes.count else { return nil }
    switch bytes[start + 1] {
    case UInt8(ascii: "!"), UInt8(ascii: "?"):
      return Tag(name: "", isClosing: false, end: endOfDeclaration(start))
    case UInt8(ascii: "/") where start + 2 < bytes.count && bytes[start + 2].isASCIILetter:
      return Tag(name: name(at: start + 2), isClosing: true, end: endOfTag(start))
    case let letter where letter.isASCIILetter:
      return Tag(name: name(at: start + 1), isClosing: false, end: endOfTag(start))
    default: return nil
    }
  }

  /// The index of the closing tag of an element whose content is not text, searched from an index; the end if
  /// there is none.
  func endOfContent(of name: String, from start: Int) -> Int {
    let ending = Array("</\(name)".utf8)
    var index = start
    while let open = self.index(of: UInt8(ascii: "<"), from: index) {
      if bytes[open...].prefix(ending.count).elementsEqual(ending, by: { $0 == $1 || $0 | 0x20 == $1 }) {
        return open
      }
      index = open + 1
    }
    return bytes.count
  }

  /// Names longer than any element name are truncated.
  private func name(at start: Int) -> String {
    let name = bytes[start...].prefix(16).prefix(while: \.isASCIILetterOrDigit)
    return String(decoding: name, as: UTF8.self).lowercased()
  }

  private func endOfDeclaration(_ start: Int) -> Int {
    guard bytes[start...].starts(with: "<!--".utf8) else {
      return index(of: UInt8(ascii: ">"), from: start).map { $0 + 1 } ?? bytes.count
    }
    var index = start + 4
    while let close = self.index(of: UInt8(ascii: ">"), from: index) {
      if bytes[..<close].suffix(2).elementsEqual("--".utf8) { return close + 1 }
      index = close + 1
    }
    return bytes.count
  }

  /// A `>` inside quotes does not close the tag, unless the quotes are never closed.
  private mutating func endOfTag(_ start: Int) -> Int {
    var index = start + 1
    while quotesCount, index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: ">"): return index + 1
      case UInt8(ascii: "\"") where index < lastQuote, UInt8(ascii: "'") where index < lastApostrophe:
        index = (self.index(of: bytes[index], from: index + 1) ?? index) + 1
      default: index += 1
      }
    }
    quotesCount = false
    return self.index(of: UInt8(ascii: ">"), from: start).map { $0 + 1 } ?? bytes.count
  }

  private func index(of byte: UInt8, from start: Int) -> Int? { bytes[start...].firstIndex(of: byte) }
}

/// A character reference: `&amp;`, `&#8217;`, `&#x2019;` (HTML Living Standard, section 13.2.5.72 ff.).
struct HTMLReference {
  let scalar: Unicode.Scalar
  /// The index after the reference.
  let end: Int

  /// Parses the reference whose `&` is at an index; nil if there is none.
  ///
  /// A name requires its `;`, so that the `&copy=1` of a URL is unchanged; a number does not. Numbers that
  /// are not characters become U+FFFD, and those of C1 controls are mapped as in Windows-1252.
  init?(in bytes: [UInt8], at start: Int) {
    var end = start + 1
    let scalar =
      end < bytes.count && bytes[end] == UInt8(ascii: "#")
      ? Self.number(in: bytes, at: &end) : Self.name(in: bytes, at: &end)
    guard let scalar else { return nil }
    self.scalar = scalar
    self.end = end
  }

  private static func name(in bytes: [UInt8], at index: inout Int) -> Unicode.Scalar? {
    let name = bytes[index...].prefix(32).prefix(while: \.isASCIILetterOrDigit)
    guard name.endIndex < bytes.count, bytes[name.endIndex] == UInt8(ascii: ";") else { return nil }
    index = name.endIndex + 1
    return HTMLEntities.byName[String(decoding: name, as: UTF8.self)]
  }

  private static func number(in bytes: [UInt8], at index: inout Int) -> Unicode.Scalar? {
    index += 1
    let isHexadecimal = index < bytes.count && bytes[index] | 0x20 == UInt8(ascii: "x")
    if isHexadecimal { index += 1 }
    let start = index
    var code: UInt32 = 0
    while index < bytes.count, let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue,
      isHexadecimal || digit < 10
    {
      // Clamped above all characters, however many digits follow.
      code = min(code * (isHexadecimal ? 16 : 10) + UInt32(digit), 0x11_0000)
      index += 1
    }
    guard index > start else { return nil }
    if index < bytes.count, bytes[index] == UInt8(ascii: ";") { index += 1 }
    return switch code {
    case 0: "\u{FFFD}"
    case 0x80..<0xA0: windows1252[Int(code - 0x80)]
    default: Unicode.Scalar(code) ?? "\u{FFFD}"
    }
  }

  /// The Windows-1252 characters for the codes 0x80 to 0x9F.
  private static let windows1252 = Array(
    "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)
}

extension UInt8 {
  var isASCIILetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }
  var isASCIIDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
  var isASCIILetterOrDigit: Bool { isASCIILetter || isASCIIDigit }
}

/// The named characters of HTML: all names of HTML 4, and those of HTML 5 for Latin letters, punctuation,
/// fractions, arrows, and common symbols (HTML Living Standard, section 13.5).
enum HTMLEntities {
  /// The characters by name, without `&` and `;`. Names are case-sensitive.
  static let byName: [String: Unicode.Scalar] = {
    let words = namesAndCodes.split { $0 == " " || $0 == "\n" }
    var table: [String: Unicode.Scalar] = [:]
    for index in stride(from: 0, to: words.count - 1, by: 2) {
      table[String(words[index])] = UInt32(words[index + 1], radix: 16).flatMap(Unicode.Scalar.init)
    }
    return table
  }()

  /// Each name and the code point of its character, in hexadecimal.
  private static let namesAndCodes = """
    Tab 9  NewLine A  excl 21  QUOT 22  quot 22  num 23  dollar 24  percnt 25  AMP 26  amp 26  apos 27
    lpar 28  rpar 29  ast 2A  plus 2B  comma 2C  period 2E  sol 2F  colon 3A  semi 3B  LT 3C  lt 3C
    equals 3D  GT 3E  gt 3E  quest 3F  commat 40  lbrack 5B  lsqb 5B  bsol 5C  rbrack 5D  rsqb 5D  Hat 5E
    lowbar 5F  grave 60  lbrace 7B  lcub 7B  verbar 7C  vert 7C  rbrace 7D  rcub 7D  NonBreakingSpace A0
    nbsp A0  iexcl A1  cent A2  pound A3  curren A4  yen A5  brvbar A6  sect A7  uml A8  COPY A9  copy A9
    ordf AA  laquo AB  not AC  shy AD  REG AE  reg AE  macr AF  deg B0  plusmn B1  pm B1  sup2 B2  sup3 B3
    acute B4  micro B5  para B6  middot B7  cedil B8  sup1 B9  ordm BA  raquo BB  frac14 BC  frac12 BD
    half BD  frac34 BE  iquest BF  Agrave C0  Aacute C1  Acirc C2  Atilde C3  Auml C4  Aring C5  angst C5
    AElig C6  Ccedil C7  Egrave C8  Eacute C9  Ecirc CA  Euml CB  Igrave CC  Iacute CD  Icirc CE  Iuml CF
    ETH D0  Ntilde D1  Ograve D2  Oacute D3  Ocirc D4  Otilde D5  Ouml D6  times D7  Oslash D8  Ugrave D9
    Uacute DA  Ucirc DB  Uuml DC  Yacute DD  THORN DE  szlig DF  agrave E0  aacute E1  acirc E2  atilde E3
    auml E4  aring E5  aelig E6  ccedil E7  egrave E8  eacute E9  ecirc EA  euml EB  igrave EC  iacute ED
    icirc EE  iuml EF  eth F0  ntilde F1  ograve F2  oacute F3  ocirc F4  otilde F5  ouml F6  div F7
    divide F7  oslash F8  ugrave F9  uacute FA  ucirc FB  uuml FC  yacute FD  thorn FE  yuml FF  Amacr 100
    amacr 101  Abreve 102  abreve 103  Aogon 104  aogon 105  Cacute 106  cacute 107  Ccirc 108  ccirc 109
    Cdot 10A  cdot 10B  Ccaron 10C  ccaron 10D  Dcaron 10E  dcaron 10F  Dstrok 110  dstrok 111  Emacr 112
    emacr 113  Edot 116  edot 117  Eogon 118  eogon 119  Ecaron 11A  ecaron 11B  Gcirc 11C  gcirc 11D
    Gbreve 11E  gbreve 11F  Gdot 120  gdot 121  Gcedil 122  Hcirc 124  hcirc 125  Hstrok 126  hstrok 127
    Itilde 128  itilde 129  Imacr 12A  imacr 12B  Iogon 12E  iogon 12F  Idot 130  imath 131  inodot 131
    IJlig 132  ijlig 133  Jcirc 134  jcirc 135  Kcedil 136  kcedil 137  Lacute 139  lacute 13A  Lcedil 13B
    lcedil 13C  Lcaron 13D  lcaron 13E  Lmidot 13F  lmidot 140  Lstrok 141  lstrok 142  Nacute 143
    nacute 144  Ncedil 145  ncedil 146  Ncaron 147  ncaron 148  ENG 14A  eng 14B  Omacr 14C  omacr 14D
    Odblac 150  odblac 151  OElig 152  oelig 153  Racute 154  racute 155  Rcedil 156  rcedil 157  Rcaron 158
    rcaron 159  Sacute 15A  sacute 15B  Scirc 15C  scirc 15D  Scedil 15E  scedil 15F  Scaron 160  scaron 161
    Tcedil 162  tcedil 163  Tcaron 164  tcaron 165  Tstrok 166  tstrok 167  Utilde 168  utilde 169
    Umacr 16A  umacr 16B  Ubreve 16C  ubreve 16D  Uring 16E  uring 16F  Udblac 170  udblac 171  Uogon 172
    uogon 173  Wcirc 174  wcirc 175  Ycirc 176  ycirc 177  Yuml 178  Zacute 179  zacute 17A  Zdot 17B
    zdot 17C  Zcaron 17D  zcaron 17E  fnof 192  circ 2C6  tilde 2DC  Alpha 391  Beta 392  Gamma 393
    Delta 394  Epsilon 395  Zeta 396  Eta 397  Theta 398  Iota 399  Kappa 39A  Lambda 39B  Mu 39C  Nu 39D
    Xi 39E  Omicron 39F  Pi 3A0  Rho 3A1  Sigma 3A3  Tau 3A4  Upsilon 3A5  Phi 3A6  Chi 3A7  Psi 3A8
    Omega 3A9  ohm 3A9  alpha 3B1  beta 3B2  gamma 3B3  delta 3B4  epsilon 3B5  zeta 3B6  eta 3B7  theta 3B8
    iota 3B9  kappa 3BA  lambda 3BB  mu 3BC  nu 3BD  xi 3BE  omicron 3BF  pi 3C0  rho 3C1  sigmaf 3C2
    sigma 3C3  tau 3C4  upsilon 3C5  phi 3C6  chi 3C7  psi 3C8  omega 3C9  thetasym 3D1  upsih 3D2  piv 3D6
    ensp 2002  emsp 2003  emsp13 2004  emsp14 2005  numsp 2007  puncsp 2008  ThinSpace 2009  thinsp 2009
    hairsp 200A  ZeroWidthSpace 200B  zwnj 200C  zwj 200D  lrm 200E  rlm 200F  dash 2010  hyphen 2010
    ndash 2013  mdash 2014  lsquo 2018  rsquo 2019  rsquor 2019  lsquor 201A  sbquo 201A  ldquo 201C
    rdquo 201D  rdquor 201D  bdquo 201E  ldquor 201E  dagger 2020  Dagger 2021  bull 2022  nldr 2025
    hellip 2026  mldr 2026  permil 2030  prime 2032  Prime 2033  lsaquo 2039  rsaquo 203A  oline 203E
    frasl 2044  NoBreak 2060  euro 20AC  incare 2105  hbar 210F  planck 210F  image 2111  ell 2113
    numero 2116  copysr 2117  weierp 2118  real 211C  TRADE 2122  trade 2122  alefsym 2135  aleph 2135
    beth 2136  gimel 2137  frac13 2153  frac23 2154  frac15 2155  frac25 2156  frac35 2157  frac45 2158
    frac16 2159  frac56 215A  frac18 215B  frac38 215C  frac58 215D  frac78 215E  larr 2190  leftarrow 2190
    uarr 2191  uparrow 2191  rarr 2192  rightarrow 2192  darr 2193  downarrow 2193  harr 2194
    leftrightarrow 2194  rarrw 219D  map 21A6  larrhk 21A9  rarrhk 21AA  crarr 21B5  Leftarrow 21D0
    lArr 21D0  uArr 21D1  Rightarrow 21D2  rArr 21D2  dArr 21D3  hArr 21D4  forall 2200  part 2202
    exist 2203  nexist 2204  empty 2205  nabla 2207  isin 2208  notin 2209  ni 220B  prod 220F  sum 2211
    minus 2212  mp 2213  lowast 2217  radic 221A  prop 221D  infin 221E  ang 2220  nmid 2224  and 2227
    or 2228  cap 2229  cup 222A  int 222B  there4 2234  sim 223C  cong 2245  ap 2248  approx 2248
    asymp 2248  ne 2260  equiv 2261  le 2264  leq 2264  ge 2265  geq 2265  sub 2282  sup 2283  nsub 2284
    sube 2286  supe 2287  oplus 2295  otimes 2297  perp 22A5  sdot 22C5  vellip 22EE  ctdot 22EF  dtdot 22F1
    lceil 2308  rceil 2309  lfloor 230A  rfloor 230B  squ 25A1  square 25A1  blacksquare 25AA  squf 25AA
    utrif 25B4  triangle 25B5  utri 25B5  rtri 25B9  dtrif 25BE  dtri 25BF  ltri 25C3  loz 25CA
    bigstar 2605  starf 2605  star 2606  phone 260E  female 2640  male 2642  spades 2660  clubs 2663
    hearts 2665  diams 2666  flat 266D  natural 266E  sharp 266F  check 2713  checkmark 2713  cross 2717
    malt 2720  lang 27E8  rang 27E9  fflig FB00  filig FB01  fllig FB02  ffilig FB03  ffllig FB04
    """
}
