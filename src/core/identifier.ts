// The identifiers that are recognised in a question. Callers of discover read the names of their kinds.

import { entriesOf } from './input/records.ts'

export type IdentifierKind =
  | 'LinkedIn profile'
  | 'e-mail address'
  | 'DOI'
  | 'URL'
  | 'CFR citation'
  | 'CIK'
  | 'EIN'
  | 'NDC'
  | 'NCT number'
  | 'VIN'
  | 'Wikidata id'
  | 'ticker'
  | 'flight number'
  | 'run id'
  | 'job or transaction id'
  | 'domain'

/** How an action takes an identifier of one kind. */
export interface Intake<Input = object> {
  /** The action's rank among those that take this kind: 0, the default, for the answer that most people want. */
  readonly place?: number
  /** The parameters that the identifier fills; discover adds those of the example that the schema still needs. */
  readonly fills: (value: string) => Partial<Input>
}

/** The identifiers that an action takes. */
export type Intakes<Input = object> = { readonly [kind in IdentifierKind]?: Intake<Input> }

/**
 * Endings that are also those of files, such as `.py` and `.md`, or that a sentence without a space would have, are
 * left out.
 */
const topLevelDomains =
  'com|org|net|edu|gov|mil|biz|info|xyz|io|ai|app|dev|shop|store|online|site|tech|cloud|blog|agency|studio|design|media|news|club|art|ar|at|au|be|bg|br|ca|ch|cl|cn|co|cz|de|dk|ee|es|eu|fi|fm|fr|gg|gr|hk|hr|hu|ie|il|in|it|jp|kr|lt|lu|lv|ly|me|mx|nl|no|nz|pl|pt|ro|ru|se|sg|si|sk|so|th|to|tr|tv|tw|ua|uk|us|vn|za'
const host = String.raw`(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:${topLevelDomains})`

/**
 * How each kind is written in a sentence, the most specific first. If a pattern has groups, the one that matched is the
 * value.
 */
export const identifierPatterns: Readonly<Record<IdentifierKind, RegExp>> = {
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

/** The pattern for all places of a text, where it is written for the first. */
export const everywhere = ({ source, flags }: RegExp): RegExp =>
  new RegExp(source, `${flags.replace('g', '')}g`)

export interface FoundIdentifier<Kind extends string = IdentifierKind> {
  readonly kind: Kind
  readonly value: string
}

/**
 * The first identifier of each kind, and the text without them. Each pattern reads the text that those before it have
 * left.
 */
export function findIdentifiers<Kind extends string>(
  text: string,
  patterns: Readonly<Record<Kind, RegExp>>,
): { found: FoundIdentifier<Kind>[]; rest: string } {
  const found: FoundIdentifier<Kind>[] = []
  let rest = text
  for (const [kind, pattern] of entriesOf(patterns)) {
    const match = pattern.exec(rest)
    if (match === null) continue
    const value = match.slice(1).find((group) => group !== undefined) ?? match[0]
    rest = `${rest.slice(0, match.index)} ${rest.slice(match.index + match[0].length)}`
    found.push({ kind, value })
  }
  return { found, rest }
}
