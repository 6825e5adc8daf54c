import Config
import Search
import Testing

/// The requests sent to services of very different kinds.
@Suite struct WorkedExampleTests {
  @Test func `Elasticsearch gets the query in the right place of a body.`() throws {
    let source = """
      [request]
      method = "POST"
      safe = true
      url = "{base}/{index}/_search"
      [options.base]
      default = "https://localhost:9200"
      [options.index]
      default = "my-index-*"
      [request.body]
      size = "{page_size}"
      track_total_hits = true
      sort = [{ "@timestamp" = "desc" }, { "_shard_doc" = "asc" }]
      [request.body.query.query_string]
      query = "{query}"
      [auth]
      type = "header"
      header = "Authorization"
      prefix = "ApiKey "
      from = ["env:ES_API_KEY", "cmd:pass show es"]
      [pagination]
      type = "none"
      size = { default = 50, max = 10000 }
      """
    #expect(
      try RequestPicture(source: source, query: #"level:"error""#, pageSize: 50).text == #"""
        POST https://localhost:9200/my-index-%2A/_search
        Content-Type: application/json

        {"size":50,"track_total_hits":true,"sort":[{"@timestamp":"desc"},{"_shard_doc":"asc"}],\#
        "query":{"query_string":{"query":"level:\"error\""}}}
        """#)
  }

  @Test(arguments: [("body", "[request.body.variables]"), ("graphql", "[request.variables]")])
  func `A GraphQL document is sent unchanged, in the body or with its own key.`(
    place: String, variables: String
  ) throws {
    let document = """
      '''
      query($q: String!, $n: Int!, $after: String) {
        search(query: $q, type: REPOSITORY, first: $n, after: $after) { nodes { ... on Repository { id } } }
      }'''
      """
    let source = """
      [request]
      safe = true
      url = "https://api.github.com/graphql"
      \(place == "body" ? "[request.body]\nquery" : "graphql") = \(document)
      \(variables)
      q = "{query}"
      n = "{page_size}"
      [pagination]
      type = "none"
      size = { default = 50, max = 100 }
      """
    #expect(
      try RequestPicture(source: source, pageSize: 50).text == #"""
        POST https://api.github.com/graphql
        Content-Type: application/json

        {"query":"query($q: String!, $n: Int!, $after: String) {\n  search(query: $q, type: REPOSITORY, \#
        first: $n, after: $after) { nodes { ... on Repository { id } } }\n}","variables":{"q":"swift","n":50}}
        """#)
  }

  @Test func `Stack Exchange gets its key only if there is one.`() throws {
    var picture = RequestPicture(
      source: """
        [request]
        url = "https://api.stackexchange.com/2.3/search/advanced"
        params = { q = "{query}", site = "{site}", order = "desc", key = "{secret:key?}" }
        [options.site]
        values = ["stackoverflow", "superuser", "unix", "ja.stackoverflow"]
        [secrets.key]
        from = ["env:STACKEXCHANGE_KEY"]
        optional = true
        """, options: ["site": "unix"])
    let address = "GET https://api.stackexchange.com/2.3/search/advanced?q=swift&site=unix&order=desc"
    #expect(try picture.text == address)
    picture.credentials = .named(["key": "k3y"])
    #expect(try picture.text == "\(address)\n+ query(\"key\") k3y from env:KEY")
  }

  @Test func `MediaWiki and WordPress take their site from an option.`() throws {
    let wiki = """
      [request]
      url = "https://{lang}.wikipedia.org/w/api.php"
      params = { action = "query", srsearch = "{query}", formatversion = "2" }
      [options.lang]
      values = ["en", "ja", "de"]
      charset = "a-z-"
      max_length = 12
      """
    #expect(
      try RequestPicture(source: wiki, options: ["lang": "ko"]).text
        == "GET https://ko.wikipedia.org/w/api.php?action=query&srsearch=swift&formatversion=2")
    let blog = """
      [request]
      url = "{site}/wp-json/wp/v2/posts"
      params = { search = "{query?}", _fields = "id,title" }
      [options.site]
      default = "https://wordpress.org/news"
      """
    #expect(
      try RequestPicture(source: blog, query: "").text
        == "GET https://wordpress.org/news/wp-json/wp/v2/posts?_fields=id%2Ctitle")
    #expect(
      try RequestPicture(source: blog, options: ["site": "https://me:pw@x.org"]).text.hasPrefix(
        "option site of source mine is not a base URL"))
  }
}
