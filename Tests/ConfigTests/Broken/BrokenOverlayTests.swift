import Testing

@Suite struct BrokenOverlayTests {
  @Test(
    arguments: [
      (
        """
        [sources.forgge]
        enabled = false
        """,
        #"config.toml:1:10: [sources] forgge: no source has the name "forgge"; did you mean forge?"#
      ),
      (
        """
        [sources.f]
        enabled = false
        """,
        "config.toml:1:10: [sources] f: this is an alias; write [sources.forge]"
      ),
      (
        """
        [sources]
        forge = false
        """,
        "config.toml:2:9: [sources] forge: expected a table, like forge.enabled = false, found true or false"
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
        "config.toml:2:1: [sources.forge] id: the source has its name from the header; leave id out"
      ),
      (
        """
        [sources.forge]
        enabeld = false
        """,
        #"config.toml:2:1: [sources.forge] enabeld: unknown key; did you mean "enabled"?"#
      ),
      (
        """
        [sources.forge.pagination]
        typ = "page"
        """,
        """
        config.toml:1:1: [sources.forge.pagination] type: missing; one of page, offset, link, cursor, merge, none
        config.toml:2:1: [sources.forge.pagination] typ: unknown key; did you mean "type"?
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
        #"config.toml:2:9: [sources.forge.options] srot: the source has no such option; did you mean "sort"?"#
      ),
      (
        """
        [sources.forge]
        options.sort = "star"
        """,
        #"config.toml:2:16: [sources.forge.options] sort: expected one of "", "stars", "updated", found "star"; did you mean "stars"?"#
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
        #"config.toml:2:11: [sources.forge] extends: "forge" is made from this very source"#
      ),
      (
        """
        [sources.forge]
        extends = "notes"
        [sources.notes]
        extends = "forge"
        """,
        """
        config.toml:2:11: [sources.forge] extends: "notes" is made from this very source
        config.toml:4:11: [sources.notes] extends: "forge" is made from this very source
        """
      ),
      (
        """
        [sources.forge.request.headers]
        Authorization = "Bearer abc123"
        """,
        #"config.toml:2:17: [sources.forge.request.headers] Authorization: a secret has no place in a file; write [auth] with from = ["env:NAME"], "cmd:PROGRAM" or "file:PATH""#
      ),
      (
        """
        [sources.forge.request]
        params.api_key = "abc123"
        """,
        #"config.toml:2:18: [sources.forge.request.params] api_key: a secret has no place in a file; write [auth] with from = ["env:NAME"], "cmd:PROGRAM" or "file:PATH""#
      ),
      (
        """
        [sources.forge.auth]
        from = ["ghp_abc123"]
        """,
        #"config.toml:2:9: [sources.forge.auth] from: a secret has no place in a file; write [auth] with from = ["env:NAME"], "cmd:PROGRAM" or "file:PATH""#
      ),
      (
        """
        [sources.forge.request]
        url = "https://ann:abc123@forge.example/"
        """,
        "config.toml:2:7: [sources.forge.request] url: a user name or password has no place in an address; use [auth]"
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
        config.toml:3:1: [sources.forge] titel: unknown key; did you mean "title"?
        config.toml:4:10: [sources] forgge: no source has the name "forgge"; did you mean forge?
        config.toml:5:1: [sources.forgge] titel: unknown key; did you mean "title"?
        """
      ),
    ])
  func `An invalid override of a source is reported at its position.`(text: String, told: String) {
    #expect(BrokenFiles.complaints(config: text) == told)
  }
}
