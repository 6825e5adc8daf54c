import Search

extension Source {
  /// Why the command line cannot set a slot that the pagination writes: what the pagination puts there, and
  /// which option sets it; nil if the slot is free.
  func ownership(of slot: Slot) -> String? {
    let settings = pagination.settings
    if isSame(slot, settings.size.slot) || placesPageSize(in: slot) {
      return "it is the page size. Use --page-size"
    }
    if isSame(slot, settings.into) {
      let advice = pagination.style.numbering == nil ? "" : ". Use --from-page to start at another page"
      return "source \(id) sets it for each page\(advice)"
    }
    let isCarried = settings.carry.contains { isSame(slot, $0.into) }
    return isCarried ? "source \(id) takes it from the previous page" : nil
  }

  private func placesPageSize(in slot: Slot) -> Bool {
    endpoint.parameters.contains { isSame(slot, .query($0.name)) && $0.value.names.contains("page_size") }
      || endpoint.headers.contains { isSame(slot, .header($0.name)) && $0.value.names.contains("page_size") }
  }

  /// Header names are case-insensitive (RFC 9110, section 5.1).
  private func isSame(_ slot: Slot, _ other: Slot?) -> Bool {
    if case .header(let name) = slot, case .header(let other)? = other {
      return name.lowercased() == other.lowercased()
    }
    return slot == other
  }
}
