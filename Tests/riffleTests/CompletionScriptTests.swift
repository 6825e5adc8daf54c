import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import App
@testable import riffle

/// Tests the completions that a shell offers at the end of the line. Each script is run by its own shell.
@Suite(.takesTurns) struct CompletionScriptTests {
  @Test func `[U24] Bash completes commands and sources, and the options and columns of a source.`()
    async throws
  {
    let picture = """
      riffle se → search
      riffle sources che → check
      riffle browse qii → qiita
      riffle browse github --max → --max-wait
      riffle search github --max-p → --max-pages
      riffle search unicode x --format j → json jsonl
      riffle browse github --color a → auto always
      riffle search unicode x -c name,ca → name,category
      riffle search unicode x --sort na → name
      riffle search unicode x --filter na → name
      riffle browse github --set so → sort=

      """
    let lines = picture.split(separator: "\n").map { $0.split(separator: " →")[0] }
    let script = #"""
      source /dev/stdin <<< "$(riffle --generate-completion-script bash)"
      while IFS= read -r line; do
        COMP_LINE="$line" COMP_POINT=${#line} COMPREPLY=()
        read -ra COMP_WORDS <<< "$line"
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _riffle riffle "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
        printf '%s → %s\n' "$line" "${COMPREPLY[*]}"
      done <<'END'
      \#(lines.joined(separator: "\n"))
      END
      """#
    let result = try await Program.shell(script)
    #expect(result.errors == "")
    #expect(result.output == picture)
  }

  @Test func `A source may complete as the values of its options.`() async throws {
    // A process of its own: the parser keeps the shell of the last request for all of them.
    let result = try await Program.shell(
      "riffle ---completion browse -- --set 4 7 riffle browse github --set sort=st")
    #expect(result.lines == ["sort=", "sort=stars", "sort=forks", "sort=help-wanted-issues", "sort=updated"])
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func `A shell parses its script without errors.`(shell: String)
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

  @Test func `A shell without a script is a usage error.`() async throws {
    let result = try await Program.run(["--generate-completion-script", "tcsh"])
    #expect(result.errors == "riffle: unknown shell \"tcsh\". Use bash, zsh or fish. See riffle help\n")
    #expect(result.status == 64)
  }
}
