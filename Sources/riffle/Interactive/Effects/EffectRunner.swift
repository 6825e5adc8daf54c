import Pager
import Search
import Text

/// Performs the pager's effects.
struct EffectRunner: Sendable {
  let reader: RowReader
  let opener: Opener
  let clipboard: Clipboard
  let file: RowFile
  let history: HistoryFile
  let recording: SessionRecording

  func outcome(of effect: EffectRequest) async -> EffectOutcome {
    switch effect.task {
    case .open(let address): await opener.open(address)
    case .copy(let text, let what): await clipboard.copy(text, what: what)
    case .copyJSON(let row): await copyJSON(of: row)
    case .perform(let action, let row): await perform(action, on: row)
    case .write(let rows, let name): file.write(rows, to: name)
    case .saveRecording(let name): recording.save(to: name)
    case .remember(let query): history.append(query)
    }
  }

  private func copyJSON(of reference: RowReference) async -> EffectOutcome {
    do {
      let rows = try reader.row(reference)
      guard let node = rows.nodes.first else { return .done(nil) }
      let text = String(decoding: rows.reply.document.compactBytes(of: node), as: UTF8.self)
      return await clipboard.copy(text, what: "JSON")
    } catch {
      return .failed("\(error)")
    }
  }

  private func perform(_ action: RowAction, on reference: RowReference) async -> EffectOutcome {
    do {
      let rows = try reader.row(reference)
      switch action.effect {
      case .open(let value):
        guard let address = text(of: value, in: rows) else { return missing(action) }
        return await opener.open(address)
      case .copy(let value):
        guard let text = text(of: value, in: rows) else { return missing(action) }
        return await clipboard.copy(Sanitized(text).string, what: action.name)
      }
    } catch {
      return .failed("\(error)")
    }
  }

  private func text(of value: ValueExpression, in rows: DocumentRows) -> String? {
    rows.nodes.first.flatMap { rows.reply.text(of: value, at: $0) }
  }

  private func missing(_ action: RowAction) -> EffectOutcome {
    .failed("\(action.name): no such value in this row")
  }
}
