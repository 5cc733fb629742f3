// Identifiers that say by themselves which source has the answer.
import { findIdentifiers, identifierPatterns } from '#core/identifier.ts'
import { keysOf, recordOf } from '#core/input/records.ts'
import type { SelectableFacet } from '../facets.ts'

interface Kind {
  readonly pattern: RegExp
  readonly facet: SelectableFacet
}

const { DOI, CIK, EIN, ticker } = identifierPatterns

/** Each pattern reads the text that the patterns above it have left. */
const kinds = {
  DOI: { pattern: DOI, facet: 'academic' },
  'arXiv id': {
    pattern:
      /\barxiv(?:\.org\/(?:abs|pdf)\/|[:\s]\s*)(\d{4}\.\d{4,5}(?:v\d+)?)|^\s*(\d{4}\.\d{4,5}(?:v\d+)?)\s*$/i,
    facet: 'academic',
  },
  PMID: { pattern: /\bPMID:?\s*(\d{5,9})\b|\b(PMC\d{5,9})\b/i, facet: 'academic' },
  'accession number': { pattern: /\b\d{10}-\d{2}-\d{6}\b|\b\d{18}\b/, facet: 'public-filings' },
  CIK: { pattern: CIK, facet: 'public-filings' },
  'Federal Register citation': {
    pattern: /\b\d{2}\s+F(?:ed)?\.?\s?R(?:eg)?\.?\s+[\d,]{4,7}\b/i,
    facet: 'regulatory',
  },
  'CFR citation': { pattern: identifierPatterns['CFR citation'], facet: 'regulatory' },
  'patent number': {
    pattern:
      /\bUS\s?\d{1,2},?\d{3},?\d{3}\s?(?:[AB]\d?)?\b|\bUS\s?20\d{2}\/\d{7}\b|\b1[4-9]\/\d{3},\d{3}\b/i,
    facet: 'regulatory',
  },
  'docket number': {
    pattern:
      /\b\d{1,2}:\d{2}-(?:cv|cr|mc|md|mj|bk)-\d{3,6}\b|\b\d{2}-(?:cv|cr|md|bk)-\d{3,6}\b|\bNo\.\s*\d{2}-\d{2,4}\b/i,
    facet: 'legal',
  },
  'case citation': {
    pattern:
      /\b\d{1,4}\s+(?:U\.?\s?S\.?|F\.?(?:\s?[234]d|\s?Supp\.?(?:\s?[23]d)?|4th)|S\.\s?Ct\.)\s+\d{1,4}\b/,
    facet: 'legal',
  },
  EIN: { pattern: EIN, facet: 'nonprofits' },
  LEI: { pattern: /\b(?=[A-Z0-9]*[A-Z])[A-Z0-9]{18}\d{2}\b/, facet: 'compliance' },
  'Wikidata id': { pattern: identifierPatterns['Wikidata id'], facet: 'compliance' },
  ticker: { pattern: ticker, facet: 'financials' },
} as const satisfies Readonly<Record<string, Kind>>

export type SearchIdentifierKind = keyof typeof kinds

export interface SearchIdentifier {
  readonly kind: SearchIdentifierKind
  readonly value: string
  readonly facet: SelectableFacet
}

const patterns = recordOf(keysOf(kinds), (kind) => kinds[kind].pattern)

/** The identifiers of a question, and whether it says anything else. */
export function readIdentifiers(question: string): {
  readonly found: readonly SearchIdentifier[]
  readonly isBare: boolean
} {
  const { found, rest } = findIdentifiers(question, patterns)
  return {
    found: found.map((each) => ({ ...each, facet: kinds[each.kind].facet })),
    isBare: found.length > 0 && !/[\p{L}\d]/u.test(rest),
  }
}
