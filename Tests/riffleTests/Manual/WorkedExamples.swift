/// Sources in the manual. A test checks each of them.
enum WorkedExamples {
  struct Example {
    let title: String
    let text: String
  }

  /// Lines of `config.toml` that move the sources of one service to a server of the user's own.
  static let servers = [
    Example(
      title: "GitHub Enterprise Server",
      text: """
        [sources.github-api]
        options.server = "https://github.example.com/api/v3"
        auth.from = ["env:GHE_TOKEN"]
        """),
    Example(
      title: "Self-managed GitLab",
      text: """
        [sources.gitlab-api]
        options.server = "https://gitlab.example.com"
        auth.from = ["env:MY_GITLAB_TOKEN"]
        """),
  ]

  static let all = [
    Example(
      title: "Pages with numbers",
      text: """
        # riffle demo serve --port 8000; riffle ./letters.toml greek
        schema = 1
        id = "letters"
        [options.server]
        default = "http://127.0.0.1:8000"
        [request]
        url = "{server}/characters"
        params = { q = "{query}" }
        [pagination]
        type = "page"
        param = "page"
        size = { param = "per_page", default = 30, max = 100 }
        [rows]
        path = "items"
        id = "code_point"
        total = "total_count"
        link = "url"
        [[columns]]
        path = "character"
        width = { fixed = 4 }
        [[columns]]
        path = "name"
        """),
    Example(
      title: "A cursor, a token, limits",
      text: """
        schema = 1
        id = "cats"
        [request]
        url = "https://api.example.org/cats"
        params = { q = "{query}", order = "{order?}" }
        [options.order]
        values = ["", "name", "age"]
        key = "o"
        [auth]
        type = "bearer"
        from = ["env:CATS_TOKEN", "cmd:pass show cats"]
        optional = true
        [pagination]
        type = "cursor"
        next = "meta.next_cursor"
        into = "query:cursor"
        size = { param = "limit", default = 50, max = 100 }
        [rows]
        path = "cats"
        [[columns]]
        path = "name"
        [[columns]]
        path = "born"
        format = "relative"
        [limits]
        remaining = "header:X-RateLimit-Remaining"
        reset = { from = "header:X-RateLimit-Reset", kind = "epoch" }
        [[errors.rate_limited]]
        status = 403
        match = { path = "message", contains = "secondary rate limit" }
        wait_at_least = "60s"
        """),
    Example(
      title: "OAuth 2: after `riffle auth login notes`, tokens are renewed without you",
      text: """
        schema = 1
        id = "notes"
        [request]
        url = "https://api.example.org/v2/notes"
        params = { q = "{query}" }
        [auth]
        type = "oauth"
        grant = "device"
        device_url = "https://login.example.org/device"
        token_url = "https://login.example.org/token"
        client_id = "riffle-notes"
        scopes = ["notes.read", "offline_access"]
        [pagination]
        type = "link"
        next = "next"
        [rows]
        path = "notes"
        """),
    Example(
      title: "A login: its token is stored, and renewed when it expires",
      text: """
        schema = 1
        id = "tickets"
        [request]
        url = "https://api.example.org/tickets"
        params = { q = "{query}" }
        [auth]
        type = "login"
        [auth.login]
        url = "https://api.example.org/login"
        body = { user = "{secret:user}", password = "{secret:password}" }
        token = "session.token"
        expires = "session.expires_at"
        send = "header:X-Auth-Token"
        [secrets.user]
        from = ["env:TICKETS_USER"]
        [secrets.password]
        from = ["cmd:pass show tickets"]
        [pagination]
        type = "page"
        param = "page"
        [rows]
        path = "tickets"
        """),
    Example(
      title:
        "Nested lists, the children of another source: `riffle search merge-requests runner --each --all`",
      text: """
        schema = 1
        id = "merge-requests"
        [parent]
        source = "gitlab"
        name = "project"
        value = "id"
        where = { path = "archived", equals = false }
        columns = ["path_with_namespace"]
        [request]
        url = "https://gitlab.com/api/v4/projects/{project}/merge_requests"
        params = { search = "{query?}" }
        [input]
        min_length = 0
        [auth]
        type = "header"
        header = "PRIVATE-TOKEN"
        from = ["env:GITLAB_TOKEN"]
        optional = true
        [pagination]
        type = "page"
        param = "page"
        next = "header:X-Next-Page"
        size = { param = "per_page", max = 100 }
        [[columns]]
        path = "title"
        [[columns]]
        path = "updated_at"
        format = "relative"
        """),
    Example(
      title: "Rows inside groups, of the last month, with a key as the user name",
      text: """
        schema = 1
        id = "tasks"
        [request]
        method = "POST"
        url = "https://api.example.org/tasks"
        body_type = "form"
        body = { text = "{query?}", changed_since = "{today-30d}", limit = "{offset},{page_size}" }
        safe = true
        [auth]
        type = "basic"
        as = "user"
        password = "x"
        from = ["env:TASKS_KEY"]
        [pagination]
        type = "offset"
        size = { default = 50 }
        [rows]
        path = "projects[*].tasks[*]"
        where = { path = "archived", equals = false }
        [[columns]]
        path = "title"
        [[columns]]
        path = "^.name"
        title = "Project"
        """),
    Example(
      title: "GraphQL",
      text: """
        schema = 1
        id = "ships"
        [request]
        url = "https://api.example.org/graphql"
        graphql = '''
        query($q: String!, $n: Int!, $after: String) {
          ships(search: $q, first: $n, after: $after) {
            nodes { id name }
            pageInfo { hasNextPage endCursor }
          }
        }
        '''
        variables = { q = "{query}", n = "{page_size}" }
        [pagination]
        type = "cursor"
        into = "body:variables.after"
        next = "data.ships.pageInfo.endCursor"
        more = "data.ships.pageInfo.hasNextPage"
        size = { default = 25, max = 100 }
        [rows]
        path = "data.ships.nodes"
        [[columns]]
        path = "name"
        [[errors.when]]
        match = { path = "errors[0].message", exists = true }
        unless = "data.ships"
        """),
    Example(
      title: "A built-in source, changed",
      text: """
        schema = 1
        id = "swift"
        extends = "github"
        title = "Swift projects"
        [options.sort]
        default = "stars"
        """),
  ]
}
