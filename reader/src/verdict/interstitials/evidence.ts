// What speaks for and against each kind of interstitial, as numbers that the trained weights add up.
import { countWords } from '../../page/count-words.ts'
import type { Survey } from '../../page/survey.ts'
import { type FoundWords, findWords } from './find-words.ts'
import { type InterstitialKind, interstitialKinds } from './kinds.ts'
import type { Meaning, Stem } from './vocabulary.ts'

export const featureNames = [
  'bias',
  /** Walls are rarer than soft errors. */
  'wall',
  /** Stems that belong to the kind. */
  'known',
  /** Words and stems that do not, as a number and as its logarithm. */
  'strange',
  'length',
  /** The same for walls alone, which say less beside their own. */
  'wallLength',
  /** The share of the title and heading that belongs to the kind. */
  'heading',
  /** A part of the title says nothing else. */
  'titled',
  /** The heading says nothing else. */
  'headed',
  /** How much the reader is addressed. */
  'you',
  /** A button answers the kind. */
  'answered',
  /** The site's own header or navigation, where this kind stands alone. */
  'furnished',
  'wallFurnished',
  /** A part of the page is named as a check for people. */
  'checks',
  /** The share of sentences that say nothing of the kind. */
  'asides',
  /** Words of the heading that name something else. */
  'subject',
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
const strangeMax = 80
/** The few links of an interstitial lead back or to help; the stems of further links do not count. */
const stemsOfLinksMax = 3
/**
 * A page that is headed as something else than an interstitial has more links than this because they are its content.
 */
const linkWordsMax = 60
/** A kind that stands alone has no more words around it. */
const furnitureWordsMax = 300
const furnitureOfSite = 12
const wordsToReaderShare = 1 / 8

/** The kinds that the page may be: two of their words are said. `found` is what the body of the page says. */
export function listCandidates(survey: Survey, found: FoundWords): Candidate[] {
  const { title, heading, body, bodyLinks, furnitureWords, isUnlisted } = survey
  // A banner with nothing behind it is the page itself.
  const isFurnished = furnitureWords >= furnitureOfSite && body !== ''
  const linked = findWords(bodyLinks)
  const headed = findWords(`${title ?? ''}\n${heading}`)
  const titleParts = partsOfTitle(survey).map(findWords)
  const headingWords = findWords(heading)
  const labels = labelsOf(survey)
  const sentences = body.split(sentenceEnd).map(findWords).filter(isSentence)
  const own = [...new Set([...headed.stems, ...found.stems])]
  const stems = [...new Set([...own, ...linked.stems.slice(0, stemsOfLinksMax)])]
  const toReader = stems.filter(isToReader).length
  /**
   * What asks has something to answer with, or speaks to the reader; a policy or an offer of the same words does not.
   */
  const isAnswered = (kind: InterstitialKind) =>
    hasReply(labels, kind) || linked.stems.some((stem) => belongs(stem, kind))
  const isAsked = (kind: InterstitialKind) => {
    if (kind.name !== 'consent' && kind.name !== 'paywall') return true
    return isAnswered(kind) || (kind.name === 'paywall' && own.some(isAppeal))
  }
  const candidates = interstitialKinds.filter((kind) => isSaid(kind, own) && isAsked(kind))
  return candidates.map((kind) => {
    const countOf = (some: readonly Stem[]) => some.filter((stem) => belongs(stem, kind)).length
    const known = countOf(stems)
    const inHeading = countOf(headed.stems)
    const isNavigation = kind.isInSite === true && inHeading > 0
    const linkWords = isNavigation ? 0 : Math.max(0, countWords(bodyLinks) - linkWordsMax)
    const around = kind.isInSite === true ? 0 : Math.max(0, furnitureWords - furnitureWordsMax)
    const others = Math.max(0, stems.length - known - toReader)
    const strange = found.strange + linkWords + around + others
    const features: InterstitialFeatures = {
      bias: 1,
      wall: kind.isWall === true ? 1 : 0,
      checks: kind.name === 'captcha' && survey.checks > 0 ? 1 : 0,
      asides: kind.isWall ? shareOfAsides(sentences, kind) : 0,
      subject: kind.isWall ? Math.log1p(headingWords.strange) : 0,
      known: Math.min(known, knownMax),
      strange: Math.min(strange, strangeMax),
      length: Math.log1p(strange),
      wallLength: kind.isWall ? Math.log1p(strange) : 0,
      wallFurnished: kind.isWall && isFurnished ? 1 : 0,
      titled: titleParts.some((part) => saysOnly(part, kind)) ? 1 : 0,
      headed: saysOnly(headingWords, kind) ? 1 : 0,
      heading: inHeading / Math.max(1, inHeading + headed.strange),
      you: Math.min(1, toReader / ((known + strange) * wordsToReaderShare)),
      answered: hasReply(labels, kind) ? 1 : 0,
      furnished: isFurnished && !kind.isInSite ? 1 : 0,
      unlisted: isUnlisted ? 1 : 0,
    }
    return { kind, features }
  })
}

export const sentenceEnd = /[.!?…。！？؟।\n]+/

export function isSentence({ stems, strange }: FoundWords): boolean {
  return stems.length + strange > 1
}

function shareOfAsides(sentences: readonly FoundWords[], kind: InterstitialKind): number {
  const asides = sentences.filter(({ stems }) => !stems.some((stem) => belongs(stem, kind)))
  return asides.length / Math.max(1, sentences.length)
}

/** One part names the site, the others the page. */
export function partsOfTitle({ title }: Survey): string[] {
  return (title ?? '').split(/\s[|–—·•:»«>-]+\s|[|:]/)
}

/** Whether the text names this kind and nothing else. */
export function saysOnly({ stems, strange }: FoundWords, kind: InterstitialKind): boolean {
  return (
    strange === 0 &&
    stems.every((stem) => belongs(stem, kind) || isToReader(stem)) &&
    stems.some(({ meanings }) => meanings.some((meaning) => kind.leads.includes(meaning)))
  )
}

/** What stands on the buttons of the page. */
export function labelsOf({ buttons }: Survey): FoundWords[] {
  return buttons
    .split('\n')
    .filter((label) => label !== '')
    .map(findWords)
}

/**
 * Whether a button answers this kind. A button without known words may, unless the others belong to something else,
 * such as a banner or a newsletter.
 */
export function hasReply(
  labels: readonly FoundWords[],
  { leads, partners, isWall }: InterstitialKind,
): boolean {
  const meant = [...leads, ...partners]
  const isReply = ({ stems }: FoundWords) =>
    stems.every((stem) => isToReader(stem) || stem.meanings.some((each) => meant.includes(each)))
  const known = labels.filter(({ stems }) => stems.length > 0)
  const isUnlabelled = labels.length > known.length && known.every(isReply)
  return known.some(isReply) || (isWall !== true && isUnlabelled)
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

/** What a paywall says, and an offer to subscribe does not: you, and that the rest is not shown. */
function isAppeal(stem: Stem): boolean {
  return isToReader(stem) || stem.meanings.includes('locked')
}

export function isToReader({ meanings }: Stem): boolean {
  return meanings.length === 1 && meanings[0] === 'you'
}
