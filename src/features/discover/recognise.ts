// Finds the identifiers in a question. Each action says in `takes` which of them it accepts.
import type { IdentifierKind } from '#core/identifier.ts'

export interface Recognised {
  readonly kind: IdentifierKind
  readonly value: string
}

const host = String.raw`(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:com|org|net|io|ai|co|dev|app|gov|edu|eu|de|fr|uk|us|ch|it|es|nl|jp|in|info|me|xyz|so|to|ly)`

/** Each pattern reads the text that the patterns above it have left. If it has a group, the group is the value. */
const patterns: Readonly<Record<IdentifierKind, RegExp>> = {
  'LinkedIn profile': /(?:https?:\/\/)?(?:[a-z]{2,3}\.)?linkedin\.com\/(?:in|pub)\/[^\s"')]+/i,
  'e-mail address': /[\w.+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+/i,
  DOI: /(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:\s*)?\b10\.\d{4,9}\/[^\s"'<>]+/i,
  URL: /https?:\/\/[^\s"')]+/i,
  'CFR citation': /\b\d{1,2}\s*(?:CFR|C\.F\.R\.)\s*(?:part\s*)?§?\s*\d+(?:\.\d+)?\b/i,
  CIK: /\bCIK\s*#?:?\s*(\d{1,10})\b/i,
  EIN: /\b(?:EIN\s*#?:?\s*)?(\d{2}-\d{7})\b|\bEIN\s*#?:?\s*(\d{9})\b/i,
  NDC: /\b(?:NDC\s*#?:?\s*)?(\d{4,5}-\d{3,4}-\d{1,2})\b/i,
  'NCT number': /\bNCT\d{8}\b/i,
  VIN: /\b(?=[A-Z]*\d)(?=\d*[A-Z])[A-HJ-NPR-Z0-9]{17}\b/i,
  // One digit would be a quarter of a year.
  'Wikidata id': /\bQ[1-9]\d{1,9}\b/,
  ticker: /\$([A-Z]{1,5})\b|\b(?:ticker|symbol)\s+([A-Z]{1,5})\b/,
  'flight number': /\b(?:[A-Z]{2}|[A-Z]\d|\d[A-Z])\s?\d{2,4}\b(?!-|\s*(?:CFR|%))/,
  'run id': /\btrun_[\w-]+\b/,
  'job or transaction id':
    /\b[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/i,
  domain: new RegExp(String.raw`\b${host}\b`, 'i'),
}

/** The identifiers of a question, and the question without them. */
export function recognise(query: string): { found: Recognised[]; rest: string } {
  const found: Recognised[] = []
  let rest = query
  for (const [kind, pattern] of Object.entries(patterns) as [IdentifierKind, RegExp][]) {
    const match = pattern.exec(rest)
    if (match === null) continue
    const value = match.slice(1).find((group) => group !== undefined) ?? match[0]
    rest = `${rest.slice(0, match.index)} ${rest.slice(match.index + match[0].length)}`
    found.push({ kind, value })
  }
  return { found, rest }
}
