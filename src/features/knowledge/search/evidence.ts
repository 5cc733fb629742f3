// What one source found, and what all of them found together.

import type { AnswerReceipt } from './lanes/receipts.ts'

/** One answer of a source. */
export interface SourceResult {
  readonly url: string
  readonly title: string
  readonly snippet?: string
  readonly content?: string
  /** ISO 8601. */
  readonly published_at?: string
  readonly doi?: string
  readonly arxiv?: string
  /** Of a filing at the SEC, with or without dashes. */
  readonly accession?: string
  readonly docket?: string
  readonly wikidata?: string
  /** A value that a report states. One report states several, which are not merged with it or each other. */
  readonly figure?: string
  /** Numbers of an entity in registries, by their names. */
  readonly ids?: Readonly<Record<string, string>>
  /** Its snippet says only what a list says of it, so the page itself should be read. */
  readonly isThin?: true
  /** The answers that say it. Absent: the last one that the source has received. */
  readonly answers?: readonly object[]
  /** The calls that gave these answers. */
  readonly receipts?: readonly AnswerReceipt[]
  /** The document itself, such as the filing or the opinion, instead of a text about it. */
  readonly primary?: boolean
}

/** The findings of one source, best first. */
export interface EvidenceList {
  readonly facet: string
  /** `service/action`. */
  readonly source: string
  /** How likely the question belongs to the facet, from 0 to 1. */
  readonly confidence: number
  readonly findings: readonly SourceResult[]
}

export interface Citation extends AnswerReceipt {
  readonly url: string
}

/** A document, merged from the findings of all sources that have it. */
export interface Evidence {
  /** The same for the same address in every answer. */
  readonly id: string
  readonly url: string
  readonly title: string
  readonly snippet: string | null
  readonly content: string | null
  readonly published_at: string | null
  readonly facet: string
  readonly source: string
  /** No source has more than a thin snippet of it. */
  readonly isThin?: true
  readonly score: number
  readonly primary: boolean
  /** The other sources that have the document. */
  readonly corroborated_by: readonly string[]
  /** Every call that has the document, with the address that it gave. */
  readonly citations: readonly Citation[]
  readonly ids?: Readonly<Record<string, string>>
  /** Of the first citation. */
  readonly transaction_id: string | null
}
