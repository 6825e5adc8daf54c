import Foundation
import Glibc
import Locking
import TestSupport

/// A service with a fault on one of its pages, or on all of them.
struct FaultyService: Sendable {
  let fault: ServiceFault
  let baseURL: String
  private let server: RawServer
  private let deadPort: DeadPort?

  /// - Parameter faultyPage: nil when the whole list is faulty.
  static func start(_ fault: ServiceFault, onPage faultyPage: Int?) async throws -> FaultyService {
    let log = VisitLog()
    let isSecure = fault.place == .secureService
    let server = try await RawServer.start(isSecure: isSecure) { _, request in
      let visit = log.visit(request, scheme: isSecure ? "https" : "http")
      let isFaulty = faultyPage == nil || visit.page == faultyPage
      return isFaulty ? fault.answer(visit) : [.json(visit.wholePage)]
    }
    return try await FaultyService(fault, server)
  }

  private init(_ fault: ServiceFault, _ server: RawServer) async throws {
    self.fault = fault
    self.server = server
    deadPort =
      [.nowhere, .nobody].contains(fault.place) ? try DeadPort(isFull: fault.place == .nowhere) : nil
    baseURL =
      switch fault.place {
      case .service: "http://127.0.0.1:\(server.port)"
      case .nobody, .nowhere: "http://127.0.0.1:\(deadPort?.number ?? 0)"
      case .secureService: "https://localhost:\(server.port)"
      case .unknownName: "http://nowhere.invalid:\(server.port)"
      }
  }

  var requestCount: Int { server.requests.count }

  func stop() async throws {
    deadPort?.release()
    try await server.stop()
  }

  /// The source that reads from the service.
  var document: String {
    let paging = "[pagination]\ntype = \"link\"\nnext = \"next\"\n"
    return """
      schema = 1
      id = "faulty"
      [request]
      url = "\(baseURL)/list"
      params = { q = "{query}" }
      [rows]
      path = "items"
      id = "id"
      total = "total"
      [errors]
      message = "message"
      [[columns]]
      path = "id"
      [[columns]]
      path = "name"
      \(fault.tables.contains("[pagination]") ? "" : paging)\(fault.tables)

      """
  }
}

/// Counts how often each page was requested.
private final class VisitLog: Sendable {
  private let counts = Lock<[Int: Int]>([:])

  func visit(_ request: String, scheme: String) -> ServiceFault.Visit {
    let page = request.firstMatch(of: /^[^\n]*[?&]page=([0-9]+)/).flatMap { Int($0.1) } ?? 1
    let host = request.firstMatch(of: /\n[Hh]ost: ([^\n]+)/).map { String($0.1) } ?? ""
    let earlier = counts.withLock { counts in
      counts[page, default: 0] += 1
      return counts[page, default: 1] - 1
    }
    return ServiceFault.Visit(page: page, earlier: earlier, service: "\(scheme)://\(host)", time: time(nil))
  }
}

/// A port on the loopback interface that accepts no connection and is not free for another server.
private struct DeadPort {
  let number: Int
  private let descriptors: [Int32]

  /// - Parameter isFull: whether the connection queue is full, so that a further connection waits forever; otherwise
  ///   it is refused.
  init(isFull: Bool) throws {
    let listener = Self.socket()
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let fillers = try withUnsafeMutablePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard bind(listener, address, size) == 0, getsockname(listener, address, &size) == 0,
          !isFull || listen(listener, 0) == 0
        else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        // One more than the Linux limit for this backlog.
        return (0..<(isFull ? 2 : 0)).map { _ in
          let filler = Self.socket()
          _ = connect(filler, address, size)
          return filler
        }
      }
    }
    number = Int(UInt16(bigEndian: address.sin_port))
    descriptors = [listener] + fillers
  }

  private static func socket() -> Int32 {
    Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
  }

  func release() { descriptors.forEach { close($0) } }
}
