// What a verdict is made from.
import type { Survey } from '../page/survey.ts'
import type { PageKind } from '../read-body.ts'
import type { VerdictKind } from './verdict-kind.ts'

export interface PageEvidence {
  readonly kind: PageKind
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly finalUrl: string
  /** As it came. */
  readonly html: string
  readonly survey: Survey
  /** The HTML is what a browser made of the page. */
  readonly rendered?: boolean | undefined
}

/** What one part of the evidence says. */
export interface Finding {
  /** From 0 to 1: of a wall, or of a page with content. */
  readonly score: number
  readonly kind: VerdictKind
  readonly reason: string
}

/** Words outside of the page's header, navigation and footer. */
export function mainWords({ words, furnitureWords }: Survey): number {
  return words - furnitureWords
}
