import Testing

@Suite struct BrokenThemeTests {
  @Test(
    arguments: [
      (
        """
        [theme]
        name = "drak"
        """,
        #"config.toml:2:8: [theme] name: expected one of "auto", "dark", "light", "plain", found "drak". Did you mean "dark"?"#
      ),
      (
        """
        [theme]
        acent = "red"
        """,
        #"config.toml:2:1: [theme] acent: unknown setting. Did you mean "accent"?"#
      ),
      (
        """
        [theme]
        accent = "cyam"
        """,
        #"config.toml:2:10: [theme] accent: expected words like "cyan 80 #5fd7d7 bold", or "plain", found "cyam". Did you mean "cyan"?"#
      ),
      (
        """
        [theme]
        accent = "rebeccapurple"
        """,
        #"config.toml:2:10: [theme] accent: expected words like "cyan 80 #5fd7d7 bold", or "plain", found "rebeccapurple". Colors are black, red, green, yellow, blue, magenta, cyan, white, bright-black, bright-red, bright-green, bright-yellow, bright-blue, bright-magenta, bright-cyan, bright-white"#
      ),
      (
        """
        [theme]
        error = "#ff5f5"
        """,
        ##"config.toml:2:9: [theme] error: expected a color like "#5fd7d7", found "#ff5f5""##
      ),
      (
        """
        [theme]
        error = "9"
        """,
        #"config.toml:2:9: [theme] error: expected a color number from 16 to 255, found 9. Use its name, "bright-red""#
      ),
      (
        """
        [theme]
        error = "300"
        """,
        "config.toml:2:9: [theme] error: expected a color number from 16 to 255, found 300"
      ),
      (
        """
        [theme]
        error = "red blue"
        """,
        #"config.toml:2:9: [theme] error: expected one color given by a name, found a second: "blue""#
      ),
      (
        """
        [theme]
        match = "plain bold"
        """,
        #"config.toml:2:9: [theme] match: expected "plain" alone, found other words with it"#
      ),
      (
        """
        [theme]
        match = ""
        """,
        #"config.toml:2:9: [theme] match: expected words like "cyan 80 #5fd7d7 bold", or "plain", found an empty string"#
      ),
      (
        """
        [theme]
        match = 80
        """,
        #"config.toml:2:9: [theme] match: expected words like "cyan 80 #5fd7d7 bold", or "plain", found an integer"#
      ),
      (
        """
        [theme]
        match = { 256 = 80 }
        """,
        #"config.toml:2:9: [theme] match: expected words like "cyan 80 #5fd7d7 bold", or "plain", found a table"#
      ),
    ])
  func `An invalid style is reported with the styles that are accepted.`(text: String, expected: String) {
    #expect(BrokenFiles.problems(config: text) == expected)
  }
}
