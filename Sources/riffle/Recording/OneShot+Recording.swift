import Search

extension OneShot {
  /// The recorder of the run; nil if it is not recorded.
  func recorder(of initialState: SearchInitialState) -> Recorder<OneShotEvent>? {
    recording.map { file in
      Recorder(
        to: file, RecordingHeader(source: prepared.source.id, initialState: .search(initialState)),
        redacting: prepared.redacted)
    }
  }
}
