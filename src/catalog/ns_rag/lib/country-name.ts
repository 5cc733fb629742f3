const names = new Intl.DisplayNames(['en'], { type: 'region' })

/** Countries for which the vendor's name differs from the current language data. */
const otherNames: Readonly<Record<string, string>> = {
  BA: 'bosnia and herzegovina',
  CD: 'congo',
  CG: 'congo',
  CZ: 'czech republic',
  MM: 'myanmar',
  TR: 'turkey',
  TT: 'trinidad and tobago',
}

/** Converts a two-letter code to the vendor's name: the English name in lower case. Undefined for any other text. */
export function countryName(text: string): string | undefined {
  if (text.length !== 2) return text.toLowerCase()
  const code = text.toUpperCase()
  if (!/^[A-Z]{2}$/.test(code)) return undefined
  const name = otherNames[code] ?? names.of(code)
  return name === code ? undefined : name?.toLowerCase()
}
