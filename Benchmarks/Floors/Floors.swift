import AsyncHTTPClient
import Dispatch
import Glibc
import JSON
import NIOCore
import NIOHTTPCompression
import NIOPosix

/// What the parts that riffle is made of take by themselves, which nothing made of them can go below.
///
///     RIFFLE_BENCHMARKS=1 swift run -c release FloorBenchmark start
@main
enum Floors {
  private static let usage = """
    FloorBenchmark start         start, write a line
    FloorBenchmark pages URL     get URL&page=1 to 100 over four connections, drop the bodies
    FloorBenchmark json URL      the same, and read the bodies as JSON
    FloorBenchmark keys          answer each key on the thread that reads it, until q
    FloorBenchmark tasks         answer each key in a task, until q
    """

  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch (arguments.first, arguments.dropFirst().first) {
    case ("start", nil): print("a line")
    case ("pages", let address?): try await readPages(address) { $0.readableBytes }
    case ("json", let address?):
      try await readPages(address) { try JSONDocument(Array($0.readableBytesView)).bytes.count }
    case ("keys", nil): answerKeys()
    case ("tasks", nil): await answerKeysByTasks()
    default:
      print(usage)
      exit(64)
    }
  }

  private static func readPages(
    _ address: String, read: @escaping @Sendable (ByteBuffer) throws -> Int
  ) async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let settings = HTTPClient.Configuration(decompression: .enabled(limit: .none))
    let client = HTTPClient(eventLoopGroup: group, configuration: settings)
    let count = try await withThrowingTaskGroup(of: Int.self) { tasks in
      var count = 0
      for page in 1...100 {
        if page > 4 { count += try await tasks.next() ?? 0 }
        tasks.addTask {
          let reply = try await client.get(url: "\(address)&page=\(page)").get()
          return try reply.body.map(read) ?? 0
        }
      }
      for try await rest in tasks { count += rest }
      return count
    }
    print("\(count) bytes")
    try await client.shutdown()
  }

  /// About as many bytes as riffle sends when it scrolls by a row, and as long to draw.
  private static func answer(_ number: Int) -> [UInt8] {
    Array("\u{1B}[?2026h\u{1B}[2;38r\u{1B}[S\u{1B}[r\u{1B}[38;1H".utf8) + Array(repeating: 0x61, count: 120)
      + Array("\u{1B}[40;100H\(number)/100000\u{1B}[?2026l".utf8)
  }

  private static func enterRawMode() -> termios {
    var before = termios()
    tcgetattr(0, &before)
    var raw = before
    cfmakeraw(&raw)
    tcsetattr(0, TCSANOW, &raw)
    return before
  }

  private static func readKeys(_ body: (ArraySlice<UInt8>) -> Bool) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(0, &bytes, bytes.count)
      guard count > 0, !bytes[..<count].contains(UInt8(ascii: "q")), body(bytes[..<count]) else { return }
    }
  }

  private static func answerKeys() {
    var before = enterRawMode()
    print("ready\r")
    var number = 0
    readKeys { _ in
      number += 1
      let answer = answer(number)
      return write(1, answer, answer.count) >= 0
    }
    tcsetattr(0, TCSANOW, &before)
  }

  private static func answerKeysByTasks() async {
    var before = enterRawMode()
    print("ready\r")
    let (keys, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    DispatchQueue(label: "keys").async {
      readKeys { bytes in
        continuation.yield(Array(bytes))
        return true
      }
      continuation.finish()
    }
    var number = 0
    for await _ in keys {
      number += 1
      let answer = answer(number)
      write(1, answer, answer.count)
    }
    tcsetattr(0, TCSANOW, &before)
  }
}
