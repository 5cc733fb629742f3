// The forms of filings that a question names.

/** How questions call forms, and EDGAR's names for them. */
const formWords: readonly (readonly [RegExp, string])[] = [
  [/\b10-?k\b|\bannual (?:report|filing)s?\b/i, '10-K'],
  [/\bannual (?:report|filing)s?\b|\b20-?f\b/i, '20-F'],
  [/\b40-?f\b/i, '40-F'],
  [/\b10-?q\b|\bquarterly (?:report|filing)s?\b/i, '10-Q'],
  [/\b8-?k\b|\bcurrent reports?\b/i, '8-K'],
  [/\b6-?k\b/i, '6-K'],
  [/\bs-?1\b|\bipo (?:filing|prospectus)\b/i, 'S-1'],
  [/\bs-?3\b/i, 'S-3'],
  [/\bs-?4\b/i, 'S-4'],
  [/\b13-?f\b/i, '13F-HR'],
  [/\bdef ?14a\b|\bproxy\b/i, 'DEF 14A'],
  [/\bform 3\b/i, '3'],
  [/\bform 4\b|\binsider (?:trad|filing|transaction|buy|sell|sale|purchase)/i, '4'],
  [/\bform 5\b/i, '5'],
  [/\bform d\b/i, 'D'],
]

/** The forms that a question names, in EDGAR's spelling. */
export function formsOf(text: string): string | undefined {
  const named = formWords.filter(([said]) => said.test(text)).map(([, form]) => form)
  return named.length === 0 ? undefined : named.join(',')
}
