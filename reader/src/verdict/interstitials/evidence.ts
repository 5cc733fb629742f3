// What speaks for and against each kind of interstitial, as numbers that the trained weights add up.
import type { Survey } from '../../page/survey.ts'
import { type FoundWords, findWords } from './find-words.ts'
import { type InterstitialKind, interstitialKinds } from './kinds.ts'
import type { Meaning, Stem } from './vocabulary.ts'

export const featureNames = [
  'bias',
  /** Stems that belong to the kind. */
  'known',
  /** Words and stems that do not. */
  'strange',
  /** The share of the title and heading that belongs to the kind. */
  'heading',
  /** How much the reader is addressed. */
  'you',
  'code',
  /** The site's own header or navigation, where this kind stands alone. */
  'furnished',
  /** Search engines are asked not to list the page. */
  'unlisted',
] as const

export type InterstitialFeature = (typeof featureNames)[number]
export type InterstitialFeatures = Readonly<Record<InterstitialFeature, number>>

export interface Candidate {
  readonly kind: InterstitialKind
  readonly features: InterstitialFeatures
}

const knownMax = 12
/** The few links of an interstitial lead back or to help; the stems of further links do not count. */
const stemsOfLinksMax = 3
const furnitureOfSite = 12
const wordsToReaderShare = 1 / 8

/** The kinds that the page may be: two of their words are said. `found` is what the body of the page says. */
export function listCandidates(survey: Survey, found: FoundWords): Candidate[] {
  const { title, heading, body, bodyLinks, codeWords, furnitureWords, isUnlisted } = survey
  // A banner with nothing behind it is the page itself.
  const isFurnished = furnitureWords >= furnitureOfSite && body !== ''
  const linked = findWords(bodyLinks)
  const headed = findWords(`${title ?? ''}\n${heading}`)
  const own = [...new Set([...headed.stems, ...found.stems])]
  const stems = [...new Set([...own, ...linked.stems.slice(0, stemsOfLinksMax)])]
  const toReader = stems.filter(isToReader).length
  const candidates = interstitialKinds.filter((kind) => isSaid(kind, own))
  return candidates.map((kind) => {
    const countOf = (some: readonly Stem[]) => some.filter((stem) => belongs(stem, kind)).length
    const known = countOf(stems)
    const inHeading = countOf(headed.stems)
    const strange = found.strange + Math.max(0, stems.length - known - toReader)
    const features: InterstitialFeatures = {
      bias: 1,
      known: Math.min(known, knownMax),
      strange,
      heading: inHeading / Math.max(1, inHeading + headed.strange),
      you: Math.min(1, toReader / ((known + strange) * wordsToReaderShare)),
      code: codeWords > 0 ? 1 : 0,
      furnished: isFurnished && !kind.isInSite ? 1 : 0,
      unlisted: isUnlisted ? 1 : 0,
    }
    return { kind, features }
  })
}

/** Two different words say it: no stem is its own partner. */
export function isSaid({ leads, partners }: InterstitialKind, stems: readonly Stem[]): boolean {
  const having = (meaning: Meaning) => stems.filter(({ meanings }) => meanings.includes(meaning))
  return leads.some((lead) => {
    const [first, second] = having(lead)
    if (first === undefined) return false
    return partners.some((partner) =>
      having(partner).some((stem) => stem !== first || second !== undefined),
    )
  })
}

export function belongs(
  { meanings }: Stem,
  { leads, partners, company }: InterstitialKind,
): boolean {
  return [leads, partners, company].some((part) =>
    meanings.some((meaning) => part.includes(meaning)),
  )
}

export function isToReader({ meanings }: Stem): boolean {
  return meanings.length === 1 && meanings[0] === 'you'
}
