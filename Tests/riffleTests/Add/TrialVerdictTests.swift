import HTTPValues
import JSON
import Search
import Testing

@testable import App
@testable import riffle

/// Tests what page 2 says about a guessed pagination style.
@Suite struct TrialVerdictTests {
  private func page(_ keys: [UInt64], total: Int? = nil) -> Page {
    let body = Array("[\(keys.map { "{\"k\":\($0)}" }.joined(separator: ","))]".utf8)
    guard let document = try? JSONDocument(body), let url = try? WebURL("https://x.org/") else {
      return Page(content: .cells(.empty), continuation: .end(.last))
    }
    let nodes = Array(document.elements(of: document.rootNode))
    let response = ResponseValues(document: document, headers: [], url: url)
    var page = Page(
      content: .document(DocumentRows(response: response, nodes: nodes)), continuation: .end(.last))
    page.keys = keys
    page.total = total.map { .exact($0) }
    return page
  }

  @Test(
    arguments: [
      ([4, 5, 6], nil, TrialVerdict.confirmed(newRows: 3)),
      ([3, 4, 5], nil, .confirmed(newRows: 2)),
      ([1, 2, 3], nil, .refuted("page 2 repeats page 1")),
      ([2, 3, 4], nil, .refuted("page 2 has only 1 new row")),
      ([], nil, .confirmed(newRows: 0)),
      ([], 9, .refuted("page 2 is empty, but page 1 does not have all rows")),
    ] as [([UInt64], Int?, TrialVerdict)])
  func `A guess is refuted unless most rows of page 2 are new.`(
    second: [UInt64], total: Int?, verdict: TrialVerdict
  ) {
    #expect(TrialVerdict.of(first: page([1, 2, 3], total: total), second: .success(page(second))) == verdict)
  }

  @Test func `A page whose rows have no key and are all on page 1, but fewer, refutes a guess.`() {
    func keyless(_ rows: [UInt64]) -> Page {
      var page = page(rows)
      page.keys = []
      return page
    }
    func verdict(_ second: [UInt64]) -> TrialVerdict {
      .of(first: keyless([1, 2, 3, 4]), second: .success(keyless(second)))
    }
    #expect(verdict([1, 2]) == .refuted("page 2 repeats page 1"))
    #expect(verdict([5, 6]) == .confirmed(newRows: 2))
  }

  @Test(arguments: [
    (PageError.Kind.rejected, TrialVerdict.refuted("page 2 failed: no")),
    (.server, .doubtful("page 2 failed: no")), (.offline, .doubtful("page 2 failed: no")),
    (.rateLimited, .doubtful("page 2 failed: no")),
  ]) func `A rejected page 2 refutes a guess, and other failures leave it doubtful.`(
    kind: PageError.Kind, verdict: TrialVerdict
  ) {
    #expect(TrialVerdict.of(first: page([1]), second: .failure(PageError(kind, message: "no"))) == verdict)
  }

  @Test func `The head of a saved response is the last one in the text.`() {
    let head = ResponseHead("HTTP/1.1 301 Moved\r\nLocation: /a\r\n\r\nHTTP/2 404\r\nX-Total:  7 \r\nbad\r\n")
    #expect(head.status == 404)
    #expect(head.fields.map { "\($0.name)=\($0.value)" } == ["X-Total=7"])
    #expect(ResponseHead("Link: <a:b>; rel=next").fields.first("link") == "<a:b>; rel=next")
    #expect(ResponseHead("").status == 200)
  }
}
