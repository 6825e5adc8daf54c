import Testing

@Suite struct BrokenOverlayTests {
  @Test(
    arguments: [
      (
        """
        [sources.forgge]
        enabled = false
        """,
        #"config.toml:1:10: [sources] forgge: unknown source "forgge". Did you mean "forge"?"#
      ),
      (
        """
        [sources.f]
        enabled = false
        """,
        "config.toml:1:10: [sources] f: this is an alias. Write [sources.forge]"
      ),
      (
        """
        [sources]
        forge = false
        """,
        "config.toml:2:9: [sources] forge: expected a table, like forge.enabled = false, found a boolean"
      ),
      (
        """
        sources = ["forge"]
        """,
        "config.toml:1:11: sources: expected a table, found an array"
      ),
      (
        """
        [sources.forge]
        id = "mine"
        """,
        "config.toml:2:1: [sources.forge] id: remove id: the table header names the source"
      ),
      (
        """
        [sources.forge]
        enabeld = false
        """,
        #"config.toml:2:1: [sources.forge] enabeld: unknown setting. Did you mean "enabled"?"#
      ),
      (
        """
        [sources.forge.pagination]
        typ = "page"
        """,
        """
        config.toml:1:1: [sources.forge.pagination] type: missing (expected one of page, offset, link, cursor, merge, none)
        config.toml:2:1: [sources.forge.pagination] typ: unknown setting. Did you mean "type"?
        """
      ),
      (
        """
        [sources.forge]
        enabled = "no"
        """,
        "config.toml:2:11: [sources.forge] enabled: expected true or false, found a string"
      ),
      (
        """
        [sources.forge]
        options.srot = "stars"
        """,
        #"config.toml:2:9: [sources.forge.options] srot: the source has no such option. Did you mean "sort"?"#
      ),
      (
        """
        [sources.forge]
        options.sort = "star"
        """,
        #"config.toml:2:16: [sources.forge.options] sort: expected one of "", "stars", "updated", found "star". Did you mean "stars"?"#
      ),
      (
        """
        [sources.forge]
        options.sort = ["stars"]
        """,
        "config.toml:2:16: [sources.forge.options] sort: expected one value, found an array"
      ),
      (
        """
        [sources.forge]
        extends = "forge"
        """,
        #"config.toml:2:11: [sources.forge] extends: "forge" extends this source itself"#
      ),
      (
        """
        [sources.forge]
        extends = "notes"
        [sources.notes]
        extends = "forge"
        """,
        """
        config.toml:2:11: [sources.forge] extends: "notes" extends this source itself
        config.toml:4:11: [sources.notes] extends: "forge" extends this source itself
        """
      ),
      (
        """
        [sources.forge.request.headers]
        Authorization = "Bearer abc123"
        """,
        #"config.toml:2:17: [sources.forge.request.headers] Authorization: credentials are not allowed in settings or sources. Use [auth], or [secrets.NAME] and {secret:NAME} here"#
      ),
      (
        """
        [sources.forge.request]
        params.api_key = "abc123"
        """,
        #"config.toml:2:18: [sources.forge.request.params] api_key: credentials are not allowed in settings or sources. Use [auth], or [secrets.NAME] and {secret:NAME} here"#
      ),
      (
        """
        [sources.forge.auth]
        from = ["ghp_abc123"]
        """,
        #"config.toml:2:9: [sources.forge.auth] from: credentials are not allowed in settings or sources. Say where they are stored: "env:NAME", "cmd:PROGRAM" or "file:PATH""#
      ),
      (
        """
        [sources.forge.request]
        url = "https://ann:abc123@forge.example/"
        """,
        "config.toml:2:7: [sources.forge.request] url: user names and passwords are not allowed in a URL. Use [auth]"
      ),
      (
        """
        [sources.forge]
        enabled = false
        titel = "Off"
        [sources.forgge]
        titel = "Unknown"
        """,
        """
        config.toml:3:1: [sources.forge] titel: unknown setting. Did you mean "title"?
        config.toml:4:10: [sources] forgge: unknown source "forgge". Did you mean "forge"?
        config.toml:5:1: [sources.forgge] titel: unknown setting. Did you mean "title"?
        """
      ),
    ])
  func `An invalid override of a source is reported at its position.`(text: String, expected: String) {
    #expect(BrokenFiles.problems(config: text) == expected)
  }
}
