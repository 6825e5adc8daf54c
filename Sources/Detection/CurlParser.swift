import HTTPValues
import Search

/// Parses command lines of curl, as documentation and the developer tools of browsers show them.
package enum CurlParser {
  /// The request that a command line would make.
  ///
  /// Options that only affect the connection or the output are ignored, as are the headers that a browser adds to every
  /// request.
  /// - Throws: If the line is not a single curl command, or a source cannot make its request. The error repeats only
  ///   the names of options, because the rest of the line may contain a secret.
  package static func request(of line: String) throws(CurlParserError) -> WrittenRequest {
    let words: [WrittenText]
    let line = CommandPromptLine.forShell(line) ?? line
    do { words = try ShellLine.words(of: line) } catch { throw .shell(error) }
    var reader = CurlReader(words: words[...])
    return try reader.read()
  }
}

package enum CurlParserError: Error, Sendable, Hashable, CustomStringConvertible {
  case shell(ShellLineError)
  case notCurl
  case noURL
  case severalURLs
  case unknownOption(String)
  /// An option that a source cannot represent.
  case unsupported(String)
  case missingValue(String)
  case file(String)
  /// Nil if the word may be a secret in the wrong place.
  case method(String?)

  package var description: String {
    switch self {
    case .shell(let error): "\(error)"
    case .notCurl: "it does not start with curl"
    case .noURL: "it has no URL"
    case .severalURLs: "it has several URLs. Give one; if the URL contains &, put it in quotes"
    case .unknownOption(let name): "unknown option \(name) of curl. Remove it if the request does not need it"
    case .unsupported(let name): "riffle does not support \(name). Remove it if the request works without it"
    case .missingValue(let name): "\(name) has no value"
    case .file(let name): "\(name) reads a file. Write its contents in the command"
    case .method(let name): "it uses \(name ?? "another method"). riffle supports only GET and POST"
    }
  }
}

private struct CurlReader {
  var words: ArraySlice<WrittenText>
  var urls: [WrittenText] = []
  var method: HTTPMethod?
  var headers: [Named<WrittenText>] = []
  var user: WrittenText?
  var data: [WrittenText] = []
  var isJSON = false
  var sendsDataInURL = false

  init(words: ArraySlice<WrittenText>) { self.words = words }

  mutating func read() throws(CurlParserError) -> WrittenRequest {
    // A prompt may have been copied along.
    if words.first?.plain == "$" || words.first?.plain == "%" { words.removeFirst() }
    guard let program = words.popFirst()?.plain, program == "curl" || program.hasSuffix("/curl") else {
      throw .notCurl
    }
    while let word = words.popFirst() { try read(word) }
    guard let first = urls.first else { throw .noURL }
    guard urls.count == 1 else { throw .severalURLs }
    var request = WrittenRequest(Self.withScheme(first))
    let body = joined(data)
    if sendsDataInURL, !body.pieces.isEmpty {
      request.url = request.url + WrittenText(first.hasQuery ? "&" : "?") + body
    } else if !body.pieces.isEmpty {
      request.body = body
    }
    request.headers = headers.filter { !Self.isFromBrowser($0) }
    if isJSON { request.headers.append(Named(name: "Content-Type", value: WrittenText("application/json"))) }
    request.user = user
    // A data option makes the request a POST even if the data is empty.
    let isEmptyPost = !data.isEmpty && body.pieces.isEmpty
    request.method = method ?? (sendsDataInURL ? .get : isEmptyPost ? .post : nil)
    return request
  }

  /// Words that come after a variable in the same word are the rest of its value, so only their beginning is examined.
  private mutating func read(_ word: WrittenText) throws(CurlParserError) {
    guard case .text(let text)? = word.pieces.first, text.hasPrefix("-"), text != "-" else {
      return urls.append(word)
    }
    if text.hasPrefix("--") {
      let name = word.plain ?? text
      try option(name) { reader throws(CurlParserError) in
        guard let value = reader.words.popFirst() else { throw .missingValue(name) }
        return value
      }
    } else {
      try readLetters(word.dropping(1))
    }
  }

  /// Reads one-letter options such as `-sXPOST`; the last one may have its value in the same word.
  private mutating func readLetters(_ word: WrittenText) throws(CurlParserError) {
    var rest = word
    while case .text(let text)? = rest.pieces.first, let letter = text.first {
      rest = rest.dropping(1)
      let attached = rest
      var isTaken = false
      try option("-\(letter)") { reader throws(CurlParserError) in
        isTaken = true
        if !attached.pieces.isEmpty { return attached }
        guard let value = reader.words.popFirst() else { throw .missingValue("-\(letter)") }
        return value
      }
      if isTaken { return }
    }
  }

  private mutating func option(
    _ name: String, _ value: (inout CurlReader) throws(CurlParserError) -> WrittenText
  ) throws(CurlParserError) {
    switch name {
    case "--url": urls.append(try value(&self))
    case "-X", "--request":
      let text = try value(&self).plain?.uppercased() ?? ""
      guard let named = HTTPMethod(rawValue: text), named != .head else {
        throw .method(["DELETE", "HEAD", "OPTIONS", "PATCH", "PUT"].contains(text) ? text : nil)
      }
      method = named
    case "-H", "--header": try addHeader(value(&self))
    case "-b", "--cookie":
      let cookies = try value(&self)
      guard cookies.plain?.contains("=") ?? true else { throw .file(name) }
      headers.append(Named(name: "Cookie", value: cookies))
    case "-u", "--user": user = try value(&self)
    case "--oauth2-bearer":
      headers.append(Named(name: "Authorization", value: WrittenText("Bearer ") + (try value(&self))))
    case "-G", "--get": sendsDataInURL = true
    case "-d", "--data", "--data-ascii", "--data-binary", "--json":
      let text = try value(&self)
      if text.begins(with: "@") { throw .file(name) }
      if name == "--json" { isJSON = true }
      data.append(text)
    case "--data-raw": data.append(try value(&self))
    case "--data-urlencode": data.append(try Self.encoded(value(&self), name))
    case "--url-query":
      let item = try Self.encoded(value(&self), name)
      guard let url = urls.popLast() else { throw .noURL }
      urls.append(url + WrittenText(url.hasQuery ? "&" : "?") + item)
    case _ where Self.unsupported.contains(name): throw .unsupported(name)
    case _ where Self.ignoredWithValue.contains(name): _ = try value(&self)
    case _ where Self.ignored.contains(name) || name.hasPrefix("--no-"): break
    default: throw .unknownOption(name.count > 40 ? "" : name)
    }
  }

  private mutating func addHeader(_ text: WrittenText) throws(CurlParserError) {
    if text.begins(with: "@") { throw .file("-H") }
    guard case .text(let first)? = text.pieces.first,
      let end = first.firstIndex(where: { $0 == ":" || $0 == ";" })
    else { return }
    let value = text.dropping(first.distance(from: first.startIndex, to: end) + 1)
    let name = String(first[..<end])
    // `Name:` removes a default header of curl.
    let isRemoval = first[end] == ":" && value.plain?.allSatisfy { $0 == " " } ?? false
    if !isRemoval { headers.append(Named(name: name, value: value.trimmed)) }
  }

  private func joined(_ parts: [WrittenText]) -> WrittenText {
    let separator = isJSON ? "" : "&"
    return parts.dropFirst().reduce(parts.first ?? WrittenText("")) { $0 + WrittenText(separator) + $1 }
  }

  /// Encodes `name=text`, `=text` or `text`; only the text is percent-encoded.
  private static func encoded(_ written: WrittenText, _ option: String) throws(CurlParserError) -> WrittenText
  {
    guard case .text(let first)? = written.pieces.first else { return written }
    var name = ""
    var value = written
    if let end = first.firstIndex(where: { $0 == "=" || $0 == "@" }) {
      if first[end] == "@" { throw .file(option) }
      name = String(first[..<end])
      value = written.dropping(first.distance(from: first.startIndex, to: end) + 1)
    }
    let encoded = value.pieces.map { piece in
      if case .text(let text) = piece { WrittenText.Piece.text(PercentEncoding.encoded(text)) } else { piece }
    }
    return WrittenText(name.isEmpty ? "" : "\(name)=") + WrittenText(pieces: encoded)
  }

  /// The URL with its scheme; curl uses http for a URL without one.
  private static func withScheme(_ url: WrittenText) -> WrittenText {
    if case .text(let text)? = url.pieces.first, text.contains("://") { return url }
    return WrittenText("http://") + url
  }

  /// Whether the header describes the browser or the connection, not the request.
  private static func isFromBrowser(_ header: Named<WrittenText>) -> Bool {
    let name = header.name.lowercased()
    if name == "accept" {
      return header.value.plain.map { $0.contains("*/*") || $0.lowercased() == "application/json" } ?? false
    }
    return browserHeaders.contains(name) || name.hasPrefix("sec-") || name.hasPrefix(":")
  }

  private static let browserHeaders: Set = [
    "accept-encoding", "accept-language", "user-agent", "origin", "referer", "connection", "cache-control",
    "pragma", "content-length", "host", "priority", "upgrade-insecure-requests", "if-none-match",
    "if-modified-since", "range", "dnt", "te", "x-requested-with", "keep-alive", "transfer-encoding",
  ]

  private static let unsupported: Set = [
    "-F", "--form", "--form-string", "-T", "--upload-file", "-K", "--config", "-I", "--head", "--digest",
    "--ntlm",
    "--negotiate", "--aws-sigv4", "-E", "--cert", "-Z", "--parallel",
  ]

  private static let ignoredWithValue: Set = [
    "-A", "--user-agent", "-e", "--referer", "-o", "--output", "-m", "--max-time", "--connect-timeout",
    "--retry",
    "--retry-delay", "--retry-max-time", "-x", "--proxy", "-U", "--proxy-user", "-w", "--write-out", "-c",
    "--cookie-jar", "--resolve", "--connect-to", "-D", "--dump-header", "--cacert", "--capath", "--key",
    "--ciphers",
    "--tls-max", "--interface", "-r", "--range", "--limit-rate", "--max-redirs", "--max-filesize", "-y", "-Y",
    "--speed-time", "--speed-limit", "--trace", "--trace-ascii", "--stderr", "--unix-socket", "--dns-servers",
    "--output-dir", "--noproxy", "-z", "--time-cond", "-C", "--continue-at", "--keepalive-time", "--rate",
    "--proto",
    "--proto-default", "--netrc-file",
  ]

  private static let ignored: Set = [
    "-s", "--silent", "-S", "--show-error", "-L", "--location", "--location-trusted", "-k", "--insecure",
    "-v",
    "--verbose", "-i", "--include", "-f", "--fail", "--fail-with-body", "--fail-early", "-g", "--globoff",
    "-N",
    "-n", "--netrc", "--netrc-optional", "-q", "--disable", "-#", "--progress-bar", "--compressed", "-0",
    "--http1.0",
    "--http1.1", "--http2", "--http2-prior-knowledge", "--http3", "-1", "--tlsv1", "--tlsv1.0", "--tlsv1.1",
    "--tlsv1.2", "--tlsv1.3", "-4", "--ipv4", "-6", "--ipv6", "-O", "--remote-name", "-J",
    "--remote-header-name",
    "-j", "--junk-session-cookies", "--path-as-is", "--raw", "--tcp-nodelay", "--tcp-fastopen",
    "--retry-all-errors",
    "--retry-connrefused", "--basic", "--anyauth", "-a", "--append", "-R", "--remote-time", "--styled-output",
    "--create-dirs", "--post301", "--post302", "--post303", "--ssl-no-revoke", "--compressed-ssh", "-:",
  ]
}

extension WrittenText {
  fileprivate func begins(with text: String) -> Bool {
    if case .text(let first)? = pieces.first { first.hasPrefix(text) } else { false }
  }

  /// The text without this many characters of its first piece.
  fileprivate func dropping(_ count: Int) -> WrittenText {
    guard case .text(let first)? = pieces.first else { return self }
    return WrittenText(String(first.dropFirst(count))) + WrittenText(pieces: Array(pieces.dropFirst()))
  }

  /// The text without leading spaces.
  fileprivate var trimmed: WrittenText {
    guard case .text(let first)? = pieces.first else { return self }
    return dropping(first.prefix { $0 == " " }.count)
  }
}
