import App
import ArgumentParser
import Config
import Output
import Search

/// Completions that depend on the user's configuration: sources, their columns, options and values. No
/// network request is made, and an invalid configuration yields no completions.
enum Completions {
  static let sources = CompletionKind.custom { _, _, _ in names.filter(isHarmless) }
  static let columns = CompletionKind.custom { words, _, word in columns(word, words).filter(isHarmless) }
  static let settings = CompletionKind.custom { words, _, word in settings(word, words).filter(isHarmless) }

  /// Shells expand the words of a completion, so words with shell metacharacters are not offered.
  private static func isHarmless(_ word: String) -> Bool {
    word.unicodeScalars.allSatisfy {
      !$0.isASCII || $0.properties.isAlphabetic || "0123456789_-.,:=/@+%".unicodeScalars.contains($0)
    }
  }

  private static var configuration: Configuration? { try? Configuration(Dependencies.live()) }

  private static var names: [String] {
    (configuration?.catalog.all().entries ?? []).flatMap { [$0.source.id] + $0.source.aliases }
      + (configuration?.searches ?? []).map { "@\($0.name)" }
  }

  /// The source named on the line, if it can be determined.
  private static func source(_ words: [String]) -> Source? {
    guard let configuration else { return nil }
    return words.dropFirst().lazy.filter { !$0.hasPrefix("-") }
      .map { word in configuration.searches.first { "@\($0.name)" == word }?.source ?? word }
      .compactMap { try? configuration.catalog.entry(named: $0).source }.first
  }

  /// Completes the last entry of `a,b,c`; each completion includes the text before that entry.
  private static func columns(_ prefix: String, _ words: [String]) -> [String] {
    let own = source(words)?.columns.map(\.name) ?? []
    let before = prefix.lastIndex(of: ",").map { prefix[...$0] } ?? ""
    return (own + ReservedColumn.allCases.map(\.rawValue)).map { before + $0 }
  }

  /// `name=` for each option of the source, or `name=value` if the option is already named.
  private static func settings(_ prefix: String, _ words: [String]) -> [String] {
    let options = source(words)?.options ?? []
    guard let equals = prefix.firstIndex(of: "=") else { return options.map { "\($0.name)=" } }
    let option = options.first { $0.name == prefix[..<equals] }
    return (option?.values ?? []).map { prefix[...equals] + $0 }
  }
}

/// A completion script for a shell: ArgumentParser's script, with additions.
///
/// ArgumentParser completes only subcommands in the command position, but `riffle github` is short for
/// `riffle browse github`; and bash splits `sort=stars` and `@link` into several words. Each addition is
/// inserted before or after a known line; a script without that line is left unchanged, and a test fails.
struct CompletionScript {
  let shell: CompletionShell

  /// - Parameter arguments: The program's arguments; the result is nil if they do not request a script, or
  ///   name an unknown shell.
  init?(_ arguments: some Sequence<String>) {
    let words = Array(arguments)
    guard words.first == "--generate-completion-script" else { return nil }
    let named = words.dropFirst().first.map { CompletionShell(rawValue: $0) } ?? .autodetected()
    guard let named, words.count <= 2 else { return nil }
    shell = named
  }

  var text: String {
    let script = Riffle.completionScript(for: shell) + "\n"
    return switch shell {
    case .bash: Self.bash(script)
    case .zsh: Self.zsh(script)
    case .fish: Self.fish(script)
    default: script
    }
  }
}

extension CompletionScript {
  private static func bash(_ script: String) -> String {
    script.replacingFirst(
      "    *)\n        # Offer subcommand completions\n",
      with: """
            *)
                # Without a command, complete as for browse; the first word may still become a command.
                COMPREPLY=()
                unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")
                _riffle_browse
                [[ "${COMP_CWORD}" -eq 1 ]] || return

        """
    ).replacingFirst(
      "__riffle_add_completions() {\n",
      with: """
        __riffle_add_completions() {
            # Quote file names only: sort= would become sort\\=.
            [[ "${1}" = -W ]] || compopt -o filenames

        """
    ).replacingFirst("complete -o filenames -F _riffle riffle\n", with: wholeWords)
  }

  /// Readline also splits words at `=`, `:` and `@`. The parts are joined again, and the text before the part
  /// that readline replaces is removed from each completion.
  private static let wholeWords = #"""
    _riffle_whole_words() {
        local rest="${COMP_LINE}" word blanks
        local -a words=()
        for word in "${COMP_WORDS[@]:0:${COMP_CWORD}+1}"; do
            blanks="${rest%%[![:space:]]*}"
            rest="${rest#"${blanks}"}"
            rest="${rest#"${word}"}"
            if [[ -z "${blanks}" && "${#words[@]}" -gt 1 ]]; then
                words[${#words[@]} - 1]+="${word}"
            else
                words+=("${word}")
            fi
        done

        local -a COMP_WORDS=("${words[@]}")
        local -i COMP_CWORD="${#words[@]}-1"
        local -r whole="${words[${COMP_CWORD}]}"
        _riffle "${1}" "${whole}" "${words[${COMP_CWORD} - 1]}"

        local -r kept="${whole%"${2}"}"
        COMPREPLY=("${COMPREPLY[@]#"${kept}"}")
        [[ "${#COMPREPLY[@]}" -eq 1 && "${COMPREPLY[0]}" = *= ]] && compopt -o nospace
        return 0
    }

    complete -F _riffle_whole_words riffle

    """#

  private static func zsh(_ script: String) -> String {
    script.replacingFirst(
      "    case \"${state}\" in\n    command)\n",
      with: """
            # The options of browse may come first.
            [[ "${CURRENT}" -eq 2 && "${words[2]}" = -* ]] && _riffle_browse && ret=0
            case "${state}" in
            command)

        """
    ).replacingFirst(
      "        _describe -V subcommand subcommands && ret=0\n",
      with: """
                _describe -V subcommand subcommands && ret=0
                # Without a command, the first word is a source.
                __riffle_custom_complete ---completion browse -- positional@0 "${current_word_index}" \
        "$(__riffle_cursor_index_in_current_word)" && ret=0

        """
    ).replacingFirst(
      "            \"_riffle_${words[1]}\" && ret=0\n            ;;\n",
      with: """
                    "_riffle_${words[1]}" && ret=0
                    ;;
                *)
                    # Without a command, complete as for browse.
                    words=(browse "${words[@]}")
                    ((CURRENT++))
                    _riffle_browse && ret=0
                    ;;

        """)
  }

  private static func fish(_ script: String) -> String {
    let parsing = "            __riffle_parse_subcommand -r 2 "
    let sources =
      "complete -c 'riffle' -n '__riffle_should_offer_completions_for_positional \"riffle browse\""
    let lines = script.split(separator: "\n", omittingEmptySubsequences: false)
    let ofBrowse = lines.first { $0.hasPrefix(parsing) } ?? ""
    let offeringSources = lines.first { $0.hasPrefix(sources) } ?? ""
    let last = "        case 'help'\n            __riffle_parse_subcommand -r 1 'version'\n"
    return script.replacingFirst(
      last,
      with: """
        \(last)        case ''
                case '*'
                    # Without a command, complete as for browse.
                    set -p unparsed_tokens browse
        \(ofBrowse)

        """
    ).replacingFirst(
      "\(offeringSources)\n",
      with: """
        \(offeringSources.replacing("\"riffle browse\"", with: "\"riffle\""))
        \(offeringSources)

        """
    ).replacingFirst(
      "        __riffle_parse_subcommand 0 'version' 'h/help'\n",
      with: """
                # A line that starts with an option of browse is browse.
                if string match -q -- '-*' $unparsed_tokens[2]; and not contains -- $unparsed_tokens[2] --version -h --help
                    set commands riffle
                    set unparsed_tokens[1] browse
        \(ofBrowse)
                    return
                end
                __riffle_parse_subcommand 0 'version' 'h/help'

        """
    ).replacingFirst(
      "    test \"$commands\" = \"$expected_commands\"; and return",
      with: """
            test "$commands" = riffle -a "$expected_commands" = 'riffle browse'; and return 0
            test "$commands" = "$expected_commands"; and return
        """)
  }
}

extension String {
  fileprivate func replacingFirst(_ text: String, with replacement: String) -> String {
    replacing(text, with: replacement, maxReplacements: 1)
  }
}
