extension Route {
  /// A connection as in the GraphQL Cursor Connections Specification (Relay). Only the variables are used;
  /// the query itself is only checked for the field `characters`.
  static let graphQL = Route(
    "/graphql", method: .post,
    summary:
      "POST; a GraphQL connection with pageInfo: variables q, first, after; errors have status 200",
    example: Example("", body: #"{"query":"{ characters { nodes } }","variables":{"q":"arrow","first":5}}"#),
    settings: """
      safe = true
      graphql = '''
      query($q: String!, $first: Int, $after: String) {
        characters(query: $q, first: $first, after: $after) {
          totalCount nodes { code_point character name } pageInfo { hasNextPage endCursor }
        }
      }'''
      variables = { q = '{query}' }
      [pagination]
      type = 'cursor'
      into = 'body:variables.after'
      size = { body = 'variables.first', default = 30, max = 100 }
      next = 'data.characters.pageInfo.endCursor'
      more = 'data.characters.pageInfo.hasNextPage'
      [rows]
      path = 'data.characters.nodes'
      key = 'code_point'
      total = 'data.characters.totalCount'
      [errors]
      message = 'errors[0].message'
      when = [{ match = { path = 'errors', exists = true } }]
      """
  ) { request throws(Refusal) in
    let body = try request.jsonBody(GraphQLBody.self)
    do throws(Refusal) {
      return try body.reply(paging: request.paging)
    } catch {
      return Reply(json: ["data": .null, "errors": [["message": .string(error.message)]]])
    }
  }
}

private struct GraphQLBody: Decodable {
  var query: String
  var variables: Variables?

  struct Variables: Decodable {
    var q: String?
    var first: Int?
    var after: String?
  }

  func reply(paging: Paging) throws(Refusal) -> Reply {
    guard query.contains("characters") else { throw Refusal(400, "the query must select characters") }
    let text = variables?.q ?? ""
    let cursor = Cursor(of: text)
    let page = try CharacterSearch(text, paging: paging)
      .page(from: cursor.position(variables?.after), size: PageSize.requested(variables?.first))
    let info: JSONValue = [
      "hasNextPage": .bool(page.next != nil), "endCursor": .optional(page.next.map(cursor.token)),
    ]
    return Reply(json: [
      "data": ["characters": ["totalCount": page.totalCount, "nodes": page.items, "pageInfo": info]]
    ])
  }
}
