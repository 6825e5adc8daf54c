import Testing

@Suite struct BrokenKeysTests {
  @Test(
    arguments: [
      (
        """
        [keys.tabel]
        quit = ["x"]
        """,
        #"config.toml:1:7: [keys] tabel: unknown mode. Did you mean "table"?"#
      ),
      (
        """
        [keys.table]
        qiut = ["x"]
        """,
        #"config.toml:2:1: [keys.table] qiut: unknown action. Did you mean "quit"?"#
      ),
      (
        """
        [keys]
        quit = ["x"]
        """,
        "config.toml:2:1: [keys] quit: misplaced. Move it to [keys.table]"
      ),
      (
        """
        [keys.table]
        quit = true
        """,
        #"config.toml:2:8: [keys.table] quit: expected a key like "j", or a list of keys like ["j", "ctrl-n"], found a boolean"#
      ),
      (
        """
        [keys.table]
        quit = [1]
        """,
        "config.toml:2:9: [keys.table] quit: expected a string, found an integer"
      ),
      (
        """
        [keys.table]
        quit = ["x", "hyper-x"]
        """,
        #"config.toml:2:14: [keys.table] quit: cannot bind quit to "hyper-x": no such key"#
      ),
      (
        """
        [keys.table]
        quit = "hyper-x"
        """,
        #"config.toml:2:8: [keys.table] quit: cannot bind quit to "hyper-x": no such key"#
      ),
      (
        """
        [keys.table]
        down = ["x"]
        quit = ["z",
          "x"]
        """,
        #"config.toml:4:3: [keys.table] quit: key "x" means both down and quit; unbind one of them: down = [] (down is bound at config.toml:2:9)"#
      ),
      (
        """
        [keys.table]
        quit = ["y"]
        copy-row = "y y"
        """,
        #"config.toml:3:12: [keys.table] copy-row: key "y y" means both quit and copy-row; unbind one of them: quit = [] (quit is bound at config.toml:2:8)"#
      ),
      (
        """
        [keys.table]
        down = ["x"]
        quit = ["x", "hyper-x"]
        [keys.query]
        redraw = ["??"]
        """,
        """
        config.toml:3:9: [keys.table] quit: key "x" means both down and quit; unbind one of them: down = [] (down is bound at config.toml:2:9)
        config.toml:3:14: [keys.table] quit: cannot bind quit to "hyper-x": no such key
        config.toml:5:11: [keys.query] redraw: cannot bind redraw to "??": no such key
        """
      ),
    ])
  func `Keys that cannot be bound are reported with the reason.`(text: String, expected: String) {
    #expect(BrokenFiles.problems(config: text) == expected)
  }
}
