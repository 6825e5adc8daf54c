import Search

extension OneShot {
  /// The recorder of the run; nil if it is not recorded.
  func recorder(of beginning: SearchBeginning) -> Recorder<OneShotEvent>? {
    recording.map { file in
      Recorder(
        to: file, RecordingHeader(source: prepared.source.id, beginning: .search(beginning)),
        redacting: prepared.redacted)
    }
  }
}
