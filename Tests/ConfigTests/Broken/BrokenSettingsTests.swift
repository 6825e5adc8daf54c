import Testing

@Suite struct BrokenSettingsTests {
  @Test(
    arguments: [
      (
        """
        [serach]
        retries = 1
        """,
        #"config.toml:1:2: serach: unknown table. Did you mean "search"?"#
      ),
      (
        """
        [search]
        pagesize = 5
        """,
        #"config.toml:2:1: [search] pagesize: unknown setting. Did you mean "page_size"?"#
      ),
      (
        """
        [search]
        mouse = true
        """,
        "config.toml:2:1: [search] mouse: misplaced. Move it to [pager]"
      ),
      (
        """
        retries = 5
        """,
        "config.toml:1:1: retries: misplaced. Move it to [search]"
      ),
      (
        """
        search = true
        """,
        "config.toml:1:10: search: expected a table, found a boolean"
      ),
      (
        """
        [[search]]
        retries = 1
        """,
        "config.toml:1:1: search: expected a table, found an array"
      ),
      (
        """
        [search]
        retries = "5"
        """,
        #"config.toml:2:11: [search] retries: expected an integer from 0 to 100, found "5""#
      ),
      (
        """
        [search]
        retries = 1.5
        """,
        "config.toml:2:11: [search] retries: expected an integer from 0 to 100, found a float"
      ),
      (
        """
        [search]
        concurrency = 65
        """,
        "config.toml:2:15: [search] concurrency: expected an integer from 1 to 64, found 65"
      ),
      (
        """
        [history]
        size = -1
        """,
        "config.toml:2:8: [history] size: expected an integer from 1 to 100000, found -1"
      ),
      (
        """
        [search]
        live = "yes"
        """,
        #"config.toml:2:8: [search] live: expected true or false, found "yes""#
      ),
      (
        """
        [pager]
        mouse = 1
        """,
        "config.toml:2:9: [pager] mouse: expected true or false, found an integer"
      ),
      (
        """
        [search]
        debounce = "300"
        """,
        #"config.toml:2:12: [search] debounce: expected a duration from 0s to 10s, found "300""#
      ),
      (
        """
        [search]
        timeout = 60
        """,
        "config.toml:2:11: [search] timeout: expected a duration from 1s to 1h, found an integer"
      ),
      (
        """
        [search]
        timeout = "2h"
        """,
        #"config.toml:2:11: [search] timeout: expected a duration from 1s to 1h, found "2h""#
      ),
      (
        """
        [output]
        color = "sometimes"
        """,
        #"config.toml:2:9: [output] color: expected one of "auto", "always", "never", found "sometimes""#
      ),
      (
        """
        [output]
        format = "cvs"
        """,
        #"config.toml:2:10: [output] format: expected one of "table", "csv", "tsv", "json", "jsonl", found "cvs". Did you mean "csv"?"#
      ),
      (
        """
        [tls]
        ca_file = "roots.pem"
        """,
        #"config.toml:2:11: [tls] ca_file: expected an absolute path, or ~/…, found "roots.pem""#
      ),
      (
        """
        [search]
        source = "My Source"
        """,
        #"config.toml:2:10: [search] source: expected the name of a source, like "github", found "My Source""#
      ),
      (
        """
        [search]
        source = "forgge"
        """,
        #"config.toml:2:10: [search] source: unknown source "forgge". Did you mean "forge"?"#
      ),
      (
        """
        [opener]
        command = "xdg-open {url}"
        """,
        #"config.toml:2:11: [opener] command: expected a list of strings like ["xdg-open", "{url}"], found "xdg-open {url}""#
      ),
      (
        """
        [opener]
        command = ["xdg-open"]
        """,
        "config.toml:2:11: [opener] command: expected {url} in the arguments, found none"
      ),
      (
        """
        [opener]
        command = []
        """,
        #"config.toml:2:11: [opener] command: expected a program and its arguments, like ["xdg-open", "{url}"], found none"#
      ),
      (
        """
        [opener]
        command = ["open", 1, "{url}"]
        """,
        "config.toml:2:20: [opener] command: expected a string, found an integer"
      ),
    ])
  func `An invalid setting is reported with the values it accepts.`(text: String, expected: String) {
    #expect(BrokenFiles.problems(config: text) == expected)
  }
}
