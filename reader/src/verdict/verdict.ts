// Decides whether a page was read, from the reply alone: a wall with status 200 is a wall, and a short notice with
// nothing around it is a page. Pure.

import { scoreContent } from './content-score.ts'
import { recognizeInterstitial } from './interstitials/recognize.ts'
import type { Weights } from './interstitials/weights.ts'
import type { PageEvidence } from './page-evidence.ts'
import type { VerdictKind } from './verdict-kind.ts'
import { scoreWall } from './wall-score.ts'

export type QualityFlag = 'blocked' | 'thin_content'

export interface Verdict {
  /** The probability that this is the page that was asked for, 0 to 1. */
  readonly yield: number
  readonly flags: readonly QualityFlag[]
  readonly read: boolean
  readonly kind: VerdictKind
  /** The evidence that decided; for the log. */
  readonly reason: string
}

const wallMin = 0.5
const readMin = 0.3

/** What a measurement changes. */
export interface Knowledge {
  /** The marks in pages of this vendor are unknown. */
  readonly withoutVendor?: string
  readonly weights?: Weights
}

export function judgePage(page: PageEvidence, { withoutVendor, weights }: Knowledge = {}): Verdict {
  const interstitial = isSpoken(page) ? recognizeInterstitial(page.survey, weights) : undefined
  const wall = scoreWall(page, interstitial, withoutVendor)
  const content = scoreContent(page, interstitial)
  const score = Math.round(content.score * (1 - wall.score) * 1_000) / 1_000
  if (wall.score >= wallMin)
    return { yield: score, flags: ['blocked'], read: false, kind: wall.kind, reason: wall.reason }
  const { kind, reason } = content
  if (score < readMin) return { yield: score, flags: ['thin_content'], read: false, kind, reason }
  return { yield: score, flags: [], read: true, kind: 'content', reason }
}

/** Data says what it says of others; a single line of text may be a server's. */
function isSpoken({ kind, survey }: PageEvidence): boolean {
  return kind === 'html' || kind === 'markdown' || (kind === 'text' && !survey.text.includes('\n'))
}
