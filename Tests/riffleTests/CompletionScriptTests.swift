import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import App
@testable import riffle

/// Tests what a shell offers at the end of the line. Each script is run by its own shell.
@Suite(.takesTurns) struct CompletionScriptTests {
  /// Completes a line in bash. Readline splits the words at blanks, `=`, `:` and `@`, but of these only `@` is part
  /// of the text it replaces.
  private func completions(of words: [String], _ line: String) async throws -> [String] {
    let last = words.last ?? ""
    let replaced = words.dropLast().last == "@" ? "@\(last)" : last == "=" ? "" : last
    let script = #"""
      source /dev/stdin <<< "$(riffle --generate-completion-script bash)"
      COMP_LINE='\#(line)' COMP_POINT=${#COMP_LINE} COMP_WORDS=(\#(words.map { "'\($0)'" }.joined(separator: " ")))
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
      compopt() { :; }
      _riffle_whole_words riffle '\#(replaced)' "${COMP_WORDS[COMP_CWORD-1]}"
      printf '%s\n' "${COMPREPLY[@]}"
      """#
    let result = try await Program.shell(script)
    #expect(result.errors == "")
    return result.lines.map(String.init)
  }

  @Test(arguments: [
    (
      "riffle gi", ["riffle", "gi"],
      [
        "github", "github-code", "github-graphql", "github-issues", "github-repository-issues",
        "github-users",
        "gitlab", "gitlab-issues",
      ]
    ),
    ("riffle se", ["riffle", "se"], ["search"]),
    (
      "riffle search unicode x --format j", ["riffle", "search", "unicode", "x", "--format", "j"],
      ["json", "jsonl"]
    ),
    ("riffle github --max", ["riffle", "github", "--max"], ["--max-wait"]),
    ("riffle github --color ", ["riffle", "github", "--color", ""], ["auto", "always", "never"]),
    ("riffle search github --max-p", ["riffle", "search", "github", "--max-p"], ["--max-pages"]),
    ("riffle sources che", ["riffle", "sources", "che"], ["check"]),
    (
      "riffle search unicode x -c name,ca", ["riffle", "search", "unicode", "x", "-c", "name,ca"],
      ["name,category"]
    ),
    (
      "riffle search unicode x -c name,@l", ["riffle", "search", "unicode", "x", "-c", "name,", "@", "l"],
      ["@link"]
    ),
    ("riffle github --set so", ["riffle", "github", "--set", "so"], ["sort="]),
    (
      "riffle github --set sort=", ["riffle", "github", "--set", "sort", "="],
      ["", "stars", "forks", "help-wanted-issues", "updated"]
    ),
    ("riffle github --set sort=st", ["riffle", "github", "--set", "sort", "=", "st"], ["stars"]),
  ]) func `Bash completes commands, sources, and the options and columns of a source.`(
    line: String, words: [String], offered: [String]
  ) async throws {
    #expect(try await completions(of: words, line) == offered)
  }

  @Test func `The first word is a command or a source, and no command is offered after a source.`()
    async throws
  {
    let first = try await completions(of: ["riffle", ""], "riffle ")
    #expect(first.contains("browse") && first.contains("config") && first.contains("unicode"))
    let second = try await completions(of: ["riffle", "unicode", ""], "riffle unicode ")
    #expect(second == [""])
  }

  @Test(arguments: ["zsh", "fish"]) func `zsh and fish parse their scripts without errors.`(shell: String)
    async throws
  {
    let result = try await Program.shell(
      """
      riffle --generate-completion-script \(shell) > /dev/null || exit 1
      command -v \(shell) > /dev/null || { echo "skipped: there is no \(shell) here"; exit 0; }
      riffle --generate-completion-script \(shell) | \(shell) -n
      """)
    #expect(result.errors == "")
    #expect(result.status == 0)
    if !result.output.isEmpty { print(result.output) }
  }

  @Test func `The scripts contain the lines that are added to them.`() throws {
    for (shell, line) in [
      ("bash", "complete -F _riffle_whole_words riffle"), ("bash", "        _riffle_browse\n"),
      ("bash", "compopt -o filenames"), ("zsh", "words=(browse \"${words[@]}\")"),
      ("zsh", "&& ret=0\n        # Without a command, the first"),
      ("zsh", "&& _riffle_browse && ret=0\n    case"),
      ("fish", "set unparsed_tokens[1] browse\n            __riffle"),
      ("fish", "'riffle browse'; and return 0\n    test"),
      ("fish", "set -p unparsed_tokens browse\n            __riffle"),
      ("fish", "-n '__riffle_should_offer_completions_for_positional \"riffle\" -eq 1' -fka"),
    ] {
      let script = try #require(CompletionScript(["--generate-completion-script", shell]))
      #expect(script.text.contains(line), "\(shell)")
    }
    #expect(CompletionScript(["--generate-completion-script", "tcsh"]) == nil)
    #expect(CompletionScript(["search", "--generate-completion-script"]) == nil)
  }
}
