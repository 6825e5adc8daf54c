import DemoTesting
import Foundation
import TestSupport
import Testing

/// Tests the built program with responses that try to exhaust time and memory.
@Suite(.takesTurns, .serialized, .enabled(if: !isSanitized, "a sanitizer has memory of its own"))
struct HostileSizeTests {
  /// The memory limit in MiB; the program itself takes about 40 of them (debug build).
  private static let most = 100

  @Test(arguments: [
    ("huge&mebibytes=2048", "sent a page larger than 32 MiB. Set pagination.size in the source"),
    ("gzipbomb", "sent a page larger than 32 MiB. Set pagination.size in the source"),
    ("endless", "sent a page larger than 32 MiB. Set pagination.size in the source"),
    ("deep", "expected at most 64 levels of nesting, found \"[\""),
  ])
  func `A hostile body is a clear error and takes less than 100 MiB.`(fault: String, words: String)
    async throws
  {
    let server = try await TestServer.start()
    let source = """
      schema = 1
      id = "mine"
      [request]
      url = "\(server.baseURL)/cursor?fault=\(fault)"
      [rows]
      path = "items"
      """
    let result = try await withFile("mine.toml", source) { file in
      try await MeasuredProgram.run(["search", file, "--timeout", "30s"])
    }
    try await server.stop()
    #expect(result.errors.contains(words), "\(result.errors)")
    #expect(result.status == 1)
    #expect(result.peak < Self.most)
  }
}

/// Whether the tests run under a sanitizer.
let isSanitized = dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
