// A source of evidence: how a question becomes calls of the catalog, and how their answers become results.

import type { UntypedJson } from '#core/replies/untyped-json.ts'
import type { SourceResult } from '../evidence.ts'
import type { Platform } from '../facets.ts'
import type { Slots } from '../routing/slots.ts'

export interface SearchQuestion {
  readonly text: string
  readonly slots: Slots
  /** Milliseconds of Unix time. */
  readonly now: number
  /** Older results are not wanted. */
  readonly recencyDays?: number | undefined
  /** Only these sites, where there are any. */
  readonly domains: readonly string[]
  readonly excludeDomains: readonly string[]
  /** The whole text of the pages is wanted. */
  readonly withContent: boolean
  readonly platform: Platform
}

/**
 * Runs an action of the catalog if its lane can still pay for it. The caller names what it reads of the answer. Throws
 * CallError, or OverShareError if it cannot pay.
 */
export type SourceCall = <Answer = UntypedJson>(id: string, input: unknown) => Promise<Answer>

export interface SearchSource {
  /** `service/action`: the first that it calls. Evidence names it. */
  readonly id: string
  /** The other actions that it calls when its lane can pay for them. */
  readonly chain?: readonly string[]
  /** Why it cannot be asked this question, to be read after its name. Undefined if it can. */
  readonly unfit?: (question: SearchQuestion) => string | undefined
  /** It leaves out results that are too old, also those without a date. */
  readonly isDated?: true
  readonly search: (question: SearchQuestion, call: SourceCall) => Promise<readonly SourceResult[]>
}

const dayMs = 24 * 60 * 60 * 1_000

/** The first day of the period that is asked for: `2026-11-22`. */
export function firstDay({ now, recencyDays }: SearchQuestion): string | undefined {
  return recencyDays === undefined ? undefined : isoDay(now - recencyDays * dayMs)
}

export const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** The beginning of a text, cut between words. */
export function shorten(text: string, charactersMax: number, wordsMax = 50): string {
  const words = text.trim().split(/\s+/).slice(0, wordsMax).join(' ')
  return words.length <= charactersMax
    ? words
    : words
        .slice(0, charactersMax + 1)
        .replace(/\s+\S*$/, '')
        .slice(0, charactersMax)
}

/** What the question is about: the first name in it, or all of it. */
export const subjectOf = ({ slots, text }: SearchQuestion, charactersMax: number): string =>
  shorten(slots.entities[0] ?? text, charactersMax)

export const identifierOf = (
  { slots }: SearchQuestion,
  kind: Slots['identifiers'][number]['kind'],
): string | undefined => slots.identifiers.find((each) => each.kind === kind)?.value

/** Values as they are in a text: the fields that a source does not have are left out. */
export const snippetOf = (...parts: readonly (string | null | undefined | false)[]): string =>
  parts.filter(Boolean).join(' · ')

/** The text of a record. One without a text has its title and facts, until its page is read. */
export const textOf = (
  text: string | null | undefined,
  ...facts: readonly (string | null | undefined | false)[]
): Pick<SourceResult, 'snippet' | 'isThin'> =>
  text ? { snippet: text } : { snippet: snippetOf(...facts), isThin: true }

/**
 * What follows in a chain is left out when it fails or the lane cannot pay for it: the first part is an answer by
 * itself.
 */
export async function orNone(
  rest: Promise<readonly SourceResult[]>,
): Promise<readonly SourceResult[]> {
  return await rest.catch(() => [])
}
