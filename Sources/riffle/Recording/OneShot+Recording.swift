import Search

extension OneShot {
  /// The same run, recorded; without a file as it is.
  func recorded(in file: RecordingFile?) -> OneShot {
    guard let file else { return self }
    let beginning = SearchBeginning(
      rules: initialState().session.rules, query: prepared.query, demand: plan.rest(of: demand),
      rowsBefore: plan.rowsBefore, awaitsTotal: awaitsTotal, now: world.now())
    var shot = self
    shot.recorder = Recorder(
      to: file, RecordingHeader(source: prepared.source.id, beginning: .search(beginning)),
      redacting: prepared.redacted)
    return shot
  }

  /// Waits for what is not written yet, and tells why the recording ended before the run.
  func concludeRecording(_ message: Message) {
    guard let recorder, let failure = blocking({ await recorder.finish() }) else { return }
    message.note("the recording has ended: \(failure)")
  }
}
