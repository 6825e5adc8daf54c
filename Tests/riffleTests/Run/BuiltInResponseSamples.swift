extension BuiltInResponseTests {
  /// A small made-up response for each source.
  static let samples: [Sample] = [
    Sample(
      source: "unicode", headers: [("Link", #"</characters?q=x&page=2>; rel="next""#)],
      body: #"""
        {"total_count": 3, "items": [{"character": "→", "code_point": "U+2192", "name": "RIGHTWARDS ARROW",
          "category": "Math Symbol", "age": "1.1", "numeric": null, "url": "https://example.org/2192"}]}
        """#,
      read: #"""
        of 3, next 2
        →|U+2192|RIGHTWARDS ARROW|Math Symbol|1.1||https://example.org/2192
        """#),
    Sample(
      source: "github",
      headers: [("Link", #"<https://api.github.com/x?page=2>; rel="next""#), ("x-ratelimit-remaining", "9")],
      body: #"""
        {"total_count": 52, "incomplete_results": false, "items": [{"id": 1, "full_name": "a/b",
          "stargazers_count": 12345, "language": "Swift", "pushed_at": "2026-09-20T00:00:00Z",
          "description": "A thing", "html_url": "https://github.com/a/b"}]}
        """#,
      read: #"""
        of 52, next 2, 9 requests left
        a/b|12.3k|Swift|1 d ago|A thing|https://github.com/a/b
        """#),
    Sample(
      source: "github-issues",
      body: #"""
        {"total_count": 1, "incomplete_results": true, "items": [{"id": 1, "number": 7, "title": "It breaks",
          "state": "open", "comments": 3, "user": {"login": "ann"}, "labels": [{"name": "bug"}, {"name": "p1"}],
          "updated_at": "2026-09-20T00:00:00Z", "html_url": "https://github.com/a/b/issues/7"}]}
        """#,
      read: #"""
        of about 1, the end
        It breaks|open|7|ann|3|bug, p1|1 d ago|https://github.com/a/b/issues/7
        """#),
    Sample(
      source: "github-users",
      body: #"""
        {"total_count": 1, "items": [{"id": 1, "login": "ann", "type": "User", "score": 1.0,
          "html_url": "https://github.com/ann"}]}
        """#,
      read: #"""
        of 1, the end
        ann|User|1|https://github.com/ann|https://github.com/ann
        """#),
    Sample(
      source: "github-code",
      body: #"""
        {"total_count": 1, "items": [{"name": "a.swift", "path": "Sources/a.swift", "sha": "1",
          "repository": {"full_name": "a/b", "description": "A thing"},
          "html_url": "https://github.com/a/b/blob/1/Sources/a.swift"}]}
        """#,
      read: #"""
        of 1, the end
        a/b|Sources/a.swift|A thing|https://github.com/a/b/blob/1/Sources/a.swift
        """#),
    Sample(
      source: "github-graphql",
      body: #"""
        {"data": {"search": {"repositoryCount": 9, "pageInfo": {"hasNextPage": true, "endCursor": "Y3Vy"},
          "nodes": [null, {"nameWithOwner": "a/b", "description": null, "stargazerCount": 5, "forkCount": 0,
          "url": "https://github.com/a/b", "pushedAt": "2026-09-20T00:00:00Z",
          "primaryLanguage": {"name": "Swift"}}]},
          "rateLimit": {"limit": 5000, "remaining": 4999, "resetAt": "2026-09-21T15:00:00Z"}}}
        """#,
      read: #"""
        of 9, next "Y3Vy", 4999 requests left
        a/b|5|Swift|1 d ago||https://github.com/a/b
        """#),
    Sample(
      source: "qiita",
      headers: [("Total-Count", "34"), ("Link", #"<https://qiita.com/api/v2/items?page=2>; rel="next""#)],
      body: #"""
        [{"id": "a1", "title": "並行", "likes_count": 2, "tags": [{"name": "Swift"}, {"name": "Linux"}],
          "user": {"id": "ken"}, "created_at": "2026-09-20T00:00:00+09:00", "url": "https://qiita.com/a1"}]
        """#,
      read: #"""
        of 34, next 2
        並行|2|Swift, Linux|ken|1 d ago|https://qiita.com/a1
        """#),
    Sample(
      source: "hn",
      body: #"""
        {"nbHits": 59380, "nbPages": 500, "page": 0, "exhaustiveNbHits": false, "hits": [{"objectID": "1",
          "title": null, "story_title": "Tom &amp; <i>Ann</i>", "url": null, "points": 12, "num_comments": 3,
          "author": "ann", "created_at_i": 1789990000}]}
        """#,
      read: #"""
        of about 59380, next 1
        Tom & Ann|12|3|ann|2 h ago|https://news.ycombinator.com/item?id=1
        """#),
    Sample(
      source: "wikipedia",
      body: #"""
        {"batchcomplete": true, "continue": {"sroffset": 2, "continue": "-||"}, "query":
          {"searchinfo": {"totalhits": 5060}, "search": [{"ns": 0, "title": "Terminal", "pageid": 30,
          "size": 7168, "snippet": "a <span class=\"searchmatch\">terminal</span> &amp; more",
          "timestamp": "2026-09-20T00:00:00Z"}]}}
        """#,
      read: #"""
        of 5060, next sroffset=2 continue="-||"
        Terminal|7.0 KiB|1 d ago|a terminal & more|https://en.wikipedia.org/?curid=30
        """#),
    Sample(
      source: "stackoverflow",
      body: #"""
        {"items": [{"question_id": 1, "title": "Is &quot;x&quot; &lt; y?", "score": 21619, "answer_count": 21,
          "is_answered": true, "tags": ["c++", "swift"], "last_activity_date": 1789990000,
          "link": "https://stackoverflow.com/q/1"}], "has_more": true, "quota_max": 300,
          "quota_remaining": 218}
        """#,
      read: #"""
        of some, next 2, 218 requests left
        Is "x" < y?|21.6k|21|yes|c++, swift|2 h ago|https://stackoverflow.com/q/1
        """#),
    Sample(
      source: "crates",
      body: #"""
        {"crates": [{"id": "serde", "name": "serde", "max_stable_version": null, "max_version": "1.0.0",
          "downloads": 477, "updated_at": "2026-09-20T00:00:00Z", "description": "A crate"}],
          "meta": {"total": 18, "next_page": "?q=x&per_page=2&page=2"}}
        """#,
      read: #"""
        of 18, next https://crates.io/api/v1/crates?q=x&per_page=2&page=2
        serde|1.0.0|477|1 d ago|A crate|https://crates.io/crates/serde
        """#),
    Sample(
      source: "npm",
      body: #"""
        {"objects": [{"package": {"name": "@a/b", "version": "3.0.1", "description": "A package",
          "date": "2026-09-20T00:00:00.572Z", "links": {"npm": "https://www.npmjs.com/package/%40a%2Fb"},
          "publisher": {"username": "ann"}}, "score": {"final": 0.5}}], "total": 213}
        """#,
      read: #"""
        of 213, next 1
        @a/b|3.0.1|1 d ago|ann|A package|https://www.npmjs.com/package/%40a%2Fb
        """#),
    Sample(
      source: "dockerhub",
      body: #"""
        {"count": 2, "next": "", "previous": "", "results": [{"repo_name": "mcp/redis", "star_count": 14,
          "pull_count": 4314319000, "is_official": false, "short_description": "A store"}]}
        """#,
      read: #"""
        of 2, the end
        mcp/redis|14|4.3B|no|A store|https://hub.docker.com/r/mcp/redis
        """#),
    Sample(
      source: "gitlab", headers: [("X-Total", "3"), ("X-Next-Page", "2")],
      body: #"""
        [{"id": 1, "path_with_namespace": "a/b", "star_count": 3, "last_activity_at": "2026-09-20T00:00:00Z",
          "topics": ["ci"], "description": null, "web_url": "https://gitlab.com/a/b"}]
        """#,
      read: #"""
        of 3, next 2
        a/b|3|1 d ago|ci||https://gitlab.com/a/b
        """#),
    Sample(
      source: "huggingface",
      headers: [("Link", #"<https://huggingface.co/api/models?cursor=abc>; rel="next""#)],
      body: #"""
        [{"id": "a/bert", "pipeline_tag": "fill-mask", "downloads": 1000000, "likes": 500,
          "lastModified": "2026-09-20T00:00:00.000Z", "tags": ["pytorch", "en"]}]
        """#,
      read: #"""
        of some, next https://huggingface.co/api/models?cursor=abc
        a/bert|fill-mask|1.0M|500|1 d ago|pytorch, en|https://huggingface.co/a/bert
        """#),
    Sample(
      source: "openlibrary",
      body: #"""
        {"numFound": 31, "start": 0, "docs": [{"key": "/works/OL1W", "title": "A Book",
          "author_name": ["Ann", "Bob"], "first_publish_year": 1969, "edition_count": 12}]}
        """#,
      read: #"""
        of 31, next 2
        A Book|Ann, Bob|1969|12|https://openlibrary.org/works/OL1W
        """#),
    Sample(
      source: "crossref",
      body: #"""
        {"status": "ok", "message": {"total-results": 9, "next-cursor": "DnF1", "items": [{"DOI": "10.1/a",
          "URL": "https://doi.org/10.1/a", "title": ["On <i>x</i>"], "author": [{"family": "Ann"},
          {"name": "A Group"}], "issued": {"date-parts": [[2020, 1, 5]]}, "container-title": ["J &amp; K"],
          "is-referenced-by-count": 7}]}}
        """#,
      read: #"""
        of 9, next "DnF1"
        On x|Ann|2020|J & K|7|10.1/a|https://doi.org/10.1/a
        """#),
    Sample(
      source: "openalex", headers: [("X-RateLimit-Remaining", "99"), ("X-RateLimit-Reset", "43200")],
      body: #"""
        {"meta": {"count": 12, "next_cursor": "Ils="}, "results": [{"id": "https://openalex.org/W1",
          "doi": null, "display_name": "On x", "publication_year": 2020, "cited_by_count": 7,
          "authorships": [{"author": {"display_name": "Ann"}}, {"author": {"display_name": "Bob"}}],
          "primary_location": {"source": {"display_name": "J"}}}]}
        """#,
      read: #"""
        of 12, next "Ils=", 99 requests left
        On x|Ann, Bob|2020|7|J|https://openalex.org/W1
        """#),
    Sample(
      source: "wordpress", headers: [("X-WP-Total", "13"), ("X-WP-TotalPages", "2")],
      body: #"""
        [{"id": 157, "date_gmt": "2026-09-20T00:00:00", "link": "https://wordpress.org/news/a",
          "title": {"rendered": "Tom &#8217; Ann"}, "excerpt": {"rendered": "<p>Says &hellip;</p>\n"}}]
        """#,
      read: #"""
        of 13, next 2
        Tom ’ Ann|1 d ago|Says …|https://wordpress.org/news/a
        """#),
    Sample(
      source: "datasette",
      body: #"""
        {"ok": true, "next": "d,v", "rows": [{"pk": 1, "name": "Detroit", "note": null}], "count": 201}
        """#,
      read: #"""
        of 201, next "d,v"
        1|Detroit|
        """#),
    Sample(
      source: "registry", headers: [("Link", #"</v2/_catalog?last=b&n=2>; rel="next""#)],
      body: #"{"repositories": ["a", "b"]}"#,
      read: #"""
        of some, next http://localhost:5000/v2/_catalog?last=b&n=2
        a|
        b|
        """#),
    Sample(
      source: "gitlab-issues", headers: [("X-Total", "3"), ("X-Next-Page", "2")],
      body: #"""
        [{"id": 90, "iid": 4, "title": "It breaks", "state": "opened", "labels": ["bug"],
          "author": {"username": "ann"}, "updated_at": "2026-09-20T00:00:00Z",
          "web_url": "https://gitlab.com/a/b/-/issues/4"}]
        """#,
      read: #"""
        of 3, next 2
        4|It breaks|opened|bug|ann|1 d ago||https://gitlab.com/a/b/-/issues/4
        """#),
    Sample(
      source: "github-repository-issues",
      headers: [("Link", #"<https://api.github.com/repositories/1/issues?page=2>; rel="next""#)],
      body: #"""
        [{"id": 1, "number": 7, "title": "It breaks", "state": "open", "labels": [{"name": "bug"}],
          "user": {"login": "ann"}, "comments": 2, "updated_at": "2026-09-20T00:00:00Z",
          "html_url": "https://github.com/a/b/issues/7"},
         {"id": 2, "number": 8, "title": "Mend it", "pull_request": {"url": "…"}}]
        """#,
      read: #"""
        of some, next https://api.github.com/repositories/1/issues?page=2
        7|It breaks|open|bug|ann|2|1 d ago||https://github.com/a/b/issues/7
        """#),
    Sample(
      source: "dockerhub-tags",
      body: #"""
        {"count": 2, "next": "https://hub.docker.com/v2/repositories/7/tags?page=2", "previous": null,
          "results": [{"name": "latest", "full_size": 1048576, "last_updated": "2026-09-20T00:00:00.5Z",
          "images": [{"architecture": "amd64"}, {"architecture": "arm64"}], "digest": "sha256:ab"}]}
        """#,
      read: #"""
        of 2, next https://hub.docker.com/v2/repositories/7/tags?page=2
        latest|1.0 MiB|1 d ago|amd64, arm64|sha256:ab||
        """#),
    Sample(
      source: "dockerhub-official-tags",
      body: #"""
        {"count": 1, "next": null, "previous": null, "results": [{"name": "7", "full_size": 2097152,
          "last_updated": "2026-09-20T00:00:00.5Z", "images": [{"architecture": "amd64"}], "digest": "sha256:ab"}]}
        """#,
      read: #"""
        of 1, the end
        7|2.0 MiB|1 d ago|amd64|sha256:ab||
        """#),
    Sample(
      source: "datasette-databases",
      body: #"""
        [{"name": "fixtures", "size": 1048576, "is_mutable": false, "route": "fixtures"}]
        """#,
      read: #"""
        of some, the end
        fixtures|1.0 MiB|no|
        """#),
    Sample(
      source: "datasette-tables",
      body: #"""
        {"database": "fixtures", "tables": [{"name": "facetable", "columns": ["pk", "name"], "count": 15,
          "hidden": false}, {"name": "facetable_fts", "columns": [], "count": 0, "hidden": true}]}
        """#,
      read: #"""
        of some, the end
        facetable|15|pk, name||
        """#),
    Sample(
      source: "datasette-rows",
      body: #"""
        {"ok": true, "next": null, "rows": [{"pk": 1, "name": "Detroit"}], "count": 1}
        """#,
      read: #"""
        of 1, the end
        1|Detroit|
        """#),
    Sample(
      source: "registry-tags",
      body: #"{"name": "a", "tags": ["1.0", "latest"]}"#,
      read: #"""
        of some, the end
        1.0|
        latest|
        """#),
    Sample(
      source: "elasticsearch",
      body: #"""
        {"hits": {"total": {"value": 10000, "relation": "gte"}, "hits": [{"_index": "logs", "_id": "7",
          "_source": {"@timestamp": "2026-09-20T00:00:00Z", "message": "started"},
          "sort": [1789862400000, 9007199254740993]}]}}
        """#,
      read: #"""
        of at least 10000, next [1789862400000, 9007199254740993]
        2026-09-20 00:00|logs|started|
        """#),
  ]
}
