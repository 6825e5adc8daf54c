import Foundation

/// The resources that a riffle process uses.
struct ProcessFacts {
  /// Resident memory in KiB: now, and the peak so far.
  let memory: Int
  let peak: Int
  let descriptors: Int
  let threads: Int
  /// The number of voluntary context switches of its threads.
  let sleeps: Int

  /// Nil when the process has ended or is not the program yet: a child starts as a copy of this process, with its
  /// memory.
  init?(of process: Int32) {
    let folder = "/proc/\(process)"
    let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/exe")
    guard program?.hasSuffix("/riffle") == true,
      let status = Self.numbers(in: "\(folder)/status"), let memory = status["VmRSS"],
      let peak = status["VmHWM"], let threads = status["Threads"],
      let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/fd"),
      let tasks = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/task")
    else { return nil }
    self.memory = memory
    self.peak = peak
    self.threads = threads
    self.descriptors = descriptors.count
    sleeps = tasks.reduce(0) { sum, task in
      sum + (Self.numbers(in: "\(folder)/task/\(task)/status")?["voluntary_ctxt_switches"] ?? 0)
    }
  }

  private static func numbers(in file: String) -> [Substring: Int]? {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
    return text.split(separator: "\n").reduce(into: [:]) { numbers, line in
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, let number = Int(parts[1].filter(\.isNumber)) else { return }
      numbers[parts[0]] = number
    }
  }
}
