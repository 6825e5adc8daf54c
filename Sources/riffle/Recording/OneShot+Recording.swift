import Search

extension OneShot {
  /// Records the run in its file; nil when it has none.
  func recorder(of beginning: SearchBeginning) -> Recorder<OneShotEvent>? {
    recording.map { file in
      Recorder(
        to: file, RecordingHeader(source: prepared.source.id, beginning: .search(beginning)),
        redacting: prepared.redacted)
    }
  }
}
