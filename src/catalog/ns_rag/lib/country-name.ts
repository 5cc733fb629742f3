const names = new Intl.DisplayNames(['en'], { type: 'region' })

/** Where the vendor's name of a country is not the one that the language data has today. */
const otherNames: Readonly<Record<string, string>> = {
  BA: 'bosnia and herzegovina',
  CD: 'congo',
  CG: 'congo',
  CZ: 'czech republic',
  MM: 'myanmar',
  TR: 'turkey',
  TT: 'trinidad and tobago',
}

/** The vendor calls countries by their English names in lower case; two-letter codes become those. Undefined: no country. */
export function countryName(text: string): string | undefined {
  if (text.length !== 2) return text.toLowerCase()
  const code = text.toUpperCase()
  if (!/^[A-Z]{2}$/.test(code)) return undefined
  const name = otherNames[code] ?? names.of(code)
  return name === code ? undefined : name?.toLowerCase()
}
