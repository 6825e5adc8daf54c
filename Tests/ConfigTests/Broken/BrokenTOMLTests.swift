import Testing

@Suite struct BrokenTOMLTests {
  @Test(
    arguments: [
      (
        """
        [search]
        retries =
        """,
        "config.toml:2:10: expected a value, found the end of the file"
      ),
      (
        """
        [search]
        source = github
        """,
        #"config.toml:2:10: expected a value, found a word. Put text in quotes: "github""#
      ),
      (
        """
        [search]
        timeout = "5s
        retries = 1
        """,
        "config.toml:2:11: unterminated string: close it with the quotes it starts with"
      ),
      (
        """
        [search]
        timeout = \"""5s

        """,
        "config.toml:2:11: unterminated string: close it with the quotes it starts with"
      ),
      (
        """
        [tls]
        ca_file = "C:\\dir"
        """,
        #"config.toml:2:14: invalid escape. For a backslash, write \\ or use 'single quotes'"#
      ),
      (
        """
        [search
        retries = 1
        """,
        "config.toml:1:8: expected ], found the end of the line"
      ),
      (
        """
        []
        retries = 1
        """,
        "config.toml:1:2: expected a key, found ]"
      ),
      (
        """
        [opener]
        command = ["open", "{url}"
        """,
        "config.toml:2:27: expected , or ], found the end of the file"
      ),
      (
        """
        [opener]
        command = ["open" "{url}"]
        """,
        #"config.toml:2:19: expected , or ], found ""#
      ),
      (
        """
        [sources]
        forge = { enabled = true,
          title = "F" }
        """,
        "config.toml:2:26: expected a key, found the end of the line"
      ),
      (
        """
        [search]
        retries = 1 timeout = "5s"
        """,
        "config.toml:2:13: expected the end of the line, found t"
      ),
      (
        """
        [search]
        page size = 5
        """,
        "config.toml:2:6: expected =, found s"
      ),
      (
        """
        [search]
        retries 5
        """,
        "config.toml:2:9: expected =, found 5"
      ),
      (
        """
        [search]
        retries: 5
        """,
        "config.toml:2:8: expected =, found :"
      ),
      (
        """
        {"search": {"retries": 1}}
        """,
        "config.toml:1:1: expected a key, found {"
      ),
      (
        """
        [search]
        retries = 1
        retries = 2
        """,
        "config.toml:3:1: \"retries\" is already set in line 2. Remove one"
      ),
      (
        """
        [search]
        retries = 1
        [output]
        [search]
        live = true
        """,
        "config.toml:4:2: table \"search\" is already defined in line 1. Merge the two"
      ),
      (
        """
        search = 1
        [search]
        retries = 1
        """,
        #"config.toml:2:2: "search" is already defined as something else. Keep one of the two"#
      ),
      (
        """
        [[search]]
        retries = 1
        [search]
        live = true
        """,
        #"config.toml:3:2: "search" is already defined as something else. Keep one of the two"#
      ),
      (
        """
        [search]
        retries = 1x
        """,
        "config.toml:2:12: expected a digit, found x"
      ),
      (
        """
        [search]
        retries = 05
        """,
        "config.toml:2:11: remove the leading zeros"
      ),
      (
        """
        [search]
        retries = 99999999999999999999
        """,
        "config.toml:2:11: 99999999999999999999 does not fit in 64 bits"
      ),
      (
        """
        [search]
        retries = 2026-13-45
        """,
        "config.toml:2:16: expected a month from 1 to 12, found 13"
      ),
      (
        """
        [search]
        live = True
        """,
        "config.toml:2:8: expected a value, found a word. Write true"
      ),
      (
        """
        [search]
        timeout = "5\u{7}s"
        """,
        "config.toml:2:13: escape this control character, as in \\u001B"
      ),
      (
        "[opener]\ncommand = " + String(repeating: "[", count: 80),
        "config.toml:2:74: nested more than 64 levels deep"
      ),
    ])
  func `Invalid TOML is reported at the position of the error.`(text: String, expected: String) {
    #expect(BrokenFiles.problems(config: text) == expected)
  }
}
