// How found text is scored: as WCXB does, where a page's content is known; by snippets, as trafilatura does, elsewhere.
import type { LabelledPage } from '../training/pages.ts'
import { findSnippets } from '../training/snippets.ts'
import { shingleScore, wordScore, wordsOf } from './word-f1.ts'

export type Score =
  | { readonly kind: 'content'; readonly f1: number; readonly shingleF1: number }
  | { readonly kind: 'snippets'; readonly counts: SnippetCounts }

export interface SnippetCounts {
  /** Pieces of the content that were found, and that were not. */
  readonly kept: number
  readonly missed: number
  /** Pieces of something else that were found. */
  readonly leaked: number
}

export function scoreOf(text: string, { truth }: LabelledPage): Score {
  if (truth.kind === 'content')
    return {
      kind: 'content',
      f1: wordScore(text, truth.content).f1,
      shingleF1: shingleScore(text, truth.content).f1,
    }
  const kept = findSnippets(text, truth.with).length
  const leaked = findSnippets(text, truth.without).length
  return { kind: 'snippets', counts: { kept, missed: truth.with.length - kept, leaked } }
}

/** Undefined where the data does not tell the title. */
export function isTitle(found: string, { title }: LabelledPage): boolean | undefined {
  return title === undefined ? undefined : wordsOf(found).join(' ') === wordsOf(title).join(' ')
}

export interface SnippetScore {
  readonly precision: number
  readonly recall: number
  readonly f: number
}

export function snippetScore(counts: readonly SnippetCounts[]): SnippetScore {
  const sum = (of: (count: SnippetCounts) => number) =>
    counts.reduce((all, count) => all + of(count), 0)
  const kept = sum((count) => count.kept)
  const precision = kept / Math.max(1, kept + sum((count) => count.leaked))
  const recall = kept / Math.max(1, kept + sum((count) => count.missed))
  const f = kept === 0 ? 0 : (2 * precision * recall) / (precision + recall)
  return { precision, recall, f }
}
