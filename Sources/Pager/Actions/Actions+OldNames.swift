extension Actions {
  /// The names that actions had in the previous version, with those they have now: settings files and recordings of
  /// that version still work. The next version drops the table.
  package static let oldNames = [
    "choose": "accept",
    "column-fit": "fit-column",
    "column-hide": "hide-column",
    "column-left": "previous-column",
    "column-move-left": "move-column-left",
    "column-move-right": "move-column-right",
    "column-narrower": "narrow-column",
    "column-right": "next-column",
    "column-wider": "widen-column",
    "columns-show-all": "show-all-columns",
    "detail": "details",
    "history-next": "next-history",
    "history-previous": "previous-history",
    "history-search": "search-history",
    "log": "request-log",
    "mark": "toggle-mark",
    "mark-invert": "invert-marks",
    "mark-up": "toggle-mark-up",
    "mouse": "toggle-mouse",
    "palette": "command-palette",
    "raw-json": "toggle-json",
    "search": "find",
    "sort-clear": "clear-sort",
    "wrap": "toggle-wrap",
  ]
}
