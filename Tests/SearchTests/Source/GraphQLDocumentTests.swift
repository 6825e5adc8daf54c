import Search
import Testing

@Suite struct GraphQLDocumentTests {
  @Test(arguments: [
    ("mutation { a }", true), ("mutation M($q: X = {a: 1}) @d { a }", true), ("  # x\n,mutation{a}", true),
    ("query A { a } mutation B { b }", true), ("fragment F on T { a } mutation { b }", true),
    ("{ mutation }", false), ("query mutation { a }", false), ("query ($mutation: T) { a }", false),
    ("query { a(b: \"} mutation { \") }", false),
    ("query { a(b: \"\"\"} \\\"\"\" mutation {\"\"\") }", false),
    ("# mutation\nquery { a }", false), ("", false), ("\"", false), ("\"\"\"", false),
    ("}}} mutation", false),
    ("\"\\", false),
  ]) func `A document is a mutation if one of its operations is.`(text: String, expected: Bool) {
    #expect(GraphQLDocument(text).isMutation == expected)
  }

  @Test(arguments: [
    ("query {\n a }", true), ("{\n a }", true), ("\n# x\nfragment F on T { a }", true),
    ("query { a }", true), ("query($n:Int!){page(n:$n){id}}", true), ("{viewer{login}}", true),
    ("query A { a } fragment F on T { b }", true),
    ("{page size}", false), ("{ a }", false), ("{query}", false), ("where\n{ a }", false), ("", false),
    ("query { a", false), ("query } a {", false), ("query words", false),
    (#"{"query": {"match": {"title": "x"}}}"#, false), ("{\n}", false),
  ]) func `A text that consists of definitions is a document.`(text: String, expected: Bool) {
    #expect(GraphQLDocument(text).isLikely == expected)
  }
}
