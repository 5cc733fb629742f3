// A hit of the eCFR's index, which also holds versions that are no longer in force.
import { z } from '#core/action.ts'
import { plainText } from '../../lib/plain-text.ts'
import { citationOf, currentUrl, type Hierarchy } from './citation.ts'

export interface Hit {
  readonly hierarchy: Hierarchy
  readonly headings?: Readonly<Record<string, string | null>>
  readonly full_text_excerpt?: string | null
  readonly starts_on?: string
  readonly ends_on?: string | null
  readonly removed?: boolean
  readonly reserved?: boolean
  readonly score?: number
}

export const hitObject = z.looseObject({
  citation: z.string().describe('For ns_regs/resolve.'),
  title: z.string().describe('Heading of the section or part.'),
  score: z.number().nullable(),
  snippet: z.string(),
  in_force_since: z.string().nullable(),
  url: z.url(),
})

export const isInForce = ({ removed, reserved, ends_on }: Hit, today: string) =>
  !removed && !reserved && (ends_on ?? '9999') >= today

export const describeHit = (hit: Hit) => ({
  citation: citationOf(hit.hierarchy),
  title: plainText(hit.headings?.section ?? hit.headings?.part ?? ''),
  score: hit.score ?? null,
  snippet: plainText(hit.full_text_excerpt ?? ''),
  in_force_since: hit.starts_on ?? null,
  url: currentUrl(hit.hierarchy),
})
