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
    guard let status = Status(of: process), let memory = status["VmRSS"], let peak = status["VmHWM"],
      let threads = status["Threads"],
      let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/fd"),
      let tasks = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/task")
    else { return nil }
    self.memory = memory
    self.peak = peak
    self.threads = threads
    self.descriptors = descriptors.count
    sleeps = tasks.reduce(0) { sum, task in
      sum + (Status(file: "\(folder)/task/\(task)/status")?["voluntary_ctxt_switches"] ?? 0)
    }
  }

  /// Only the peak so far, to be looked up repeatedly.
  static func peak(of process: Int32) -> Int? { Status(of: process)?["VmHWM"] }

  /// The file `status` of a process (proc(5)): lines of a name, a colon and a value.
  private struct Status {
    private var text = [CChar](repeating: 0, count: 8_192)

    init?(of process: Int32) {
      let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
      guard program?.hasSuffix("/riffle") == true else { return nil }
      self.init(file: "/proc/\(process)/status")
    }

    init?(file: String) {
      guard let file = fopen(file, "re") else { return nil }
      defer { fclose(file) }
      guard fread(&text, 1, text.count - 1, file) > 0 else { return nil }
    }

    subscript(name: String) -> Int? {
      strstr(text, "\n\(name):").map { atol($0 + name.utf8.count + 2) }
    }
  }
}
