import Foundation
import TestSupport
import Testing

@testable import App

/// The Makefile installs what it lists, removes it again, and packs the same release twice.
@Suite(
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/make"), "make is not installed"),
  .takesTurns, .timeLimit(.minutes(2))
) struct InstallTests {
  /// Runs the Makefile with this program as the built one.
  private func make(_ words: String, program: String = Program.path) async throws -> Program.Result {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return try await Program.shell(
      "cd '\(RepositoryFile.root.path)' && make -s -o '\(program)' PROGRAM='\(program)' \(words)",
      environment: ["PATH": path, "HOME": "/home/you"])
  }

  /// The files below a folder, sorted.
  private func files(_ folder: String) async throws -> [Substring] {
    try await Program.shell("cd '\(folder)' && find . -type f | LC_ALL=C sort").lines
  }

  @Test func `make install writes the program, its pages and completions, and make uninstall removes them.`()
    async throws
  {
    try await withFile("x", "") { file in
      let folder = URL(filePath: file).deletingLastPathComponent().path
      let place = "DESTDIR='\(folder)/stage' PREFIX='~/.local'"
      let installed = try await make("install \(place)")
      #expect(installed.status == 0 && installed.errors.isEmpty, "\(installed)")
      let prefix = "\(folder)/stage/home/you/.local"
      let found = try await files(prefix)
      #expect(
        found.filter { !$0.contains("/man/") } == [
          "./bin/riffle", "./share/bash-completion/completions/riffle", "./share/doc/riffle/CHANGELOG.md",
          "./share/doc/riffle/LICENSE", "./share/doc/riffle/config.example.toml",
          "./share/fish/vendor_completions.d/riffle.fish", "./share/zsh/site-functions/_riffle",
        ])
      let pages = try FileManager.default.contentsOfDirectory(atPath: RepositoryFile(path: "man").url.path)
      let expected = pages.map { "./share/man/man\($0.suffix(1))/\($0)" }.sorted()
      #expect(found.filter { $0.contains("/man/") } == expected.map { $0[...] })
      let run = try await Program.shell(
        "cd '\(prefix)' && bin/riffle --version && head -n 1 share/zsh/site-functions/_riffle")
      #expect(run.output == "\(Version.text)\n#compdef riffle\n", "\(run)")
      #expect(try await make("uninstall \(place)").status == 0)
      #expect(try await files(prefix).isEmpty)
    }
  }

  /// Any program does for the form of the archive; the real one takes long to compress.
  @Test func `Two archives of a release are equal, and belong to the version of the program.`() async throws {
    try await withFile("x", "") { file in
      let folder = URL(filePath: file).deletingLastPathComponent().path
      var sums: [String] = []
      for out in ["one", "two"] {
        let made = try await make(
          "release VERSION=\(Version.number) OUT='\(folder)/\(out)'", program: "/bin/true")
        #expect(made.status == 0 && made.errors.isEmpty, "\(made)")
        sums.append(made.output)
      }
      let name = String(sums[0].split(separator: " ").last?.dropLast(".tar.gz\n".count) ?? "")
      #expect(name.hasPrefix("riffle-\(Version.number)-linux-"))
      #expect(sums[0] == sums[1] && sums[0].count > 64)
      let archive = try await Program.shell(
        "cd '\(folder)/two' && sha256sum --quiet -c *.sha256 && tar -tvzf \(name).tar.gz --full-time --utc")
      #expect(archive.status == 0, "\(archive)")
      #expect(archive.lines.allSatisfy { $0.contains(" 0/0 ") && $0.contains("\(Version.date) 00:00:00") })
      for path in [
        "bin/riffle", "share/man/man7/riffle-security.7", "share/doc/riffle/config.example.toml",
        "share/doc/riffle/licenses/swift/LICENSE.txt", "share/doc/riffle/licenses/swift-nio/llhttp/LICENSE",
        "share/doc/riffle/licenses/Yams/LICENSE", "share/doc/riffle/licenses/swift-nio-ssl/NOTICE.txt",
        "share/doc/riffle/licenses/icu.txt", "share/doc/riffle/licenses/libyaml.txt",
      ] { #expect(archive.lines.contains { $0.hasSuffix(" \(name)/\(path)") }, "\(path)\n\(archive.output)") }
      let packages = try FileManager.default.contentsOfDirectory(
        atPath: RepositoryFile(path: ".build/checkouts").url.path)
      for package in packages {
        let place = " \(name)/share/doc/riffle/licenses/\(package)/LICENSE"
        #expect(archive.lines.contains { $0.contains(place) }, "\(package) has no license in the archive")
      }
      let other = try await make("release VERSION=9.9.9 OUT='\(folder)/three'", program: "/bin/true")
      #expect(other.status != 0)
      #expect(
        other.errors.hasPrefix(
          "VERSION is \"9.9.9\", but Sources/App/System/Program.swift says \(Version.number). Change one of them.\n"
        ))
    }
  }
}
