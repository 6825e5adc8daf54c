extension Unicode.GeneralCategory {
  /// The name in the property value aliases of the Unicode database: `"Math Symbol"`.
  var longName: String { names.long }

  /// The two-letter code: `"Sm"`.
  var code: String { names.code }

  private var names: (code: String, long: String) {
    switch self {
    case .uppercaseLetter: ("Lu", "Uppercase Letter")
    case .lowercaseLetter: ("Ll", "Lowercase Letter")
    case .titlecaseLetter: ("Lt", "Titlecase Letter")
    case .modifierLetter: ("Lm", "Modifier Letter")
    case .otherLetter: ("Lo", "Other Letter")
    case .nonspacingMark: ("Mn", "Nonspacing Mark")
    case .spacingMark: ("Mc", "Spacing Mark")
    case .enclosingMark: ("Me", "Enclosing Mark")
    case .decimalNumber: ("Nd", "Decimal Number")
    case .letterNumber: ("Nl", "Letter Number")
    case .otherNumber: ("No", "Other Number")
    case .connectorPunctuation: ("Pc", "Connector Punctuation")
    case .dashPunctuation: ("Pd", "Dash Punctuation")
    case .openPunctuation: ("Ps", "Open Punctuation")
    case .closePunctuation: ("Pe", "Close Punctuation")
    case .initialPunctuation: ("Pi", "Initial Punctuation")
    case .finalPunctuation: ("Pf", "Final Punctuation")
    case .otherPunctuation: ("Po", "Other Punctuation")
    case .mathSymbol: ("Sm", "Math Symbol")
    case .currencySymbol: ("Sc", "Currency Symbol")
    case .modifierSymbol: ("Sk", "Modifier Symbol")
    case .otherSymbol: ("So", "Other Symbol")
    case .spaceSeparator: ("Zs", "Space Separator")
    case .lineSeparator: ("Zl", "Line Separator")
    case .paragraphSeparator: ("Zp", "Paragraph Separator")
    case .control: ("Cc", "Control")
    case .format: ("Cf", "Format")
    case .surrogate: ("Cs", "Surrogate")
    case .privateUse: ("Co", "Private Use")
    case .unassigned: ("Cn", "Unassigned")
    @unknown default: ("??", "Unknown")
    }
  }
}
