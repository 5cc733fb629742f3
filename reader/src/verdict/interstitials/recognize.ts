// Recognizes an interstitial by the words of a page.
import type { Survey } from '../../page/survey.ts'
import { belongs, type Candidate, isSaid, isToReader, listCandidates } from './evidence.ts'
import { type FoundWords, findWords } from './find-words.ts'
import { type InterstitialKind, interstitialKinds } from './kinds.ts'
import type { Stem } from './vocabulary.ts'
import { loadWeights, oddsOf, type Weights } from './weights.ts'

export interface Recognized {
  readonly kind: InterstitialKind
  /** The logarithm of the odds that the page is this and nothing else. */
  readonly odds: number
}

/** From these odds on, the page is an interstitial. */
export const recognizedMin = 0
const wordsMax = 1_000

export function recognizeInterstitial(survey: Survey): Recognized | undefined {
  const found = wordsOfInterstitial(survey)
  if (found === undefined) return undefined
  const whole = bestCandidate(listCandidates(survey, found), loadWeights())
  if (whole !== undefined && whole.odds >= recognizedMin) return whole
  return recognizeRequest(survey, found) ?? recognizeTeaser(survey, found) ?? whole
}

/** The words of a page that may be an interstitial, or undefined where it is too long, or about HTTP itself. */
export function wordsOfInterstitial(survey: Survey): FoundWords | undefined {
  const { body, text } = survey
  if (isLong(survey) || namesManyStatuses(text)) return undefined
  return findWords((body === '' ? text : body).replace(imprint, ''))
}

export function bestCandidate(
  candidates: readonly Candidate[],
  weights: Weights,
): (Recognized & Candidate) | undefined {
  return candidates
    .map((candidate) => ({ ...candidate, odds: oddsOf(candidate, weights) }))
    .reduce<(Recognized & Candidate) | undefined>(
      (best, each) => (best && best.odds >= each.odds ? best : each),
      undefined,
    )
}

function isLong({ words, furnitureWords }: Survey): boolean {
  return words - furnitureWords > wordsMax
}

/** A page whose title or heading names a kind, and whose button answers it. It may say more: it explains itself. */
function recognizeRequest(survey: Survey, { stems, strange }: FoundWords): Recognized | undefined {
  if (survey.buttons === '') return undefined
  const labels = survey.buttons
    .split('\n')
    .filter((label) => label !== '')
    .map(findWords)
  const names = partsOfTitle(survey).map(findWords)
  const heading = findWords(survey.heading)
  const heads = [...names, heading]
  const own = [...new Set([...heads.flatMap((head) => head.stems), ...stems])]
  const kind = interstitialKinds.find(
    (each) =>
      isSaid(each, own) &&
      hasReply(labels, each) &&
      strange + own.filter((stem) => !belongs(stem, each) && !isToReader(stem)).length <=
        strangeInRequestMax &&
      (isMostly(heading, each) ||
        names.some(
          (name) => isMostly(name, each) && (name.strange === 0 || name.stems.length > 1),
        )),
  )
  return kind && { kind, odds: recognizedMin }
}

const strangeInRequestMax = 60

/**
 * Whether a button answers this kind. A button without known words may, unless the others belong to something else, such as
 * a banner or a newsletter.
 */
function hasReply(labels: readonly FoundWords[], { leads, partners }: InterstitialKind): boolean {
  const meant = [...leads, ...partners]
  const isReply = ({ stems }: FoundWords) =>
    stems.every((stem) => isToReader(stem) || stem.meanings.some((each) => meant.includes(each)))
  const known = labels.filter(({ stems }) => stems.length > 0)
  return known.some(isReply) || (labels.length > known.length && known.every(isReply))
}

/** One part names the site, the others the page. */
function partsOfTitle({ title }: Survey): string[] {
  return (title ?? '').split(/\s[|–—·•:»«>-]+\s|[|:]/)
}

/** Whether the text names this kind, and has no more other words than stems. */
function isMostly({ stems, strange }: FoundWords, { leads }: InterstitialKind): boolean {
  return (
    strange <= stems.length &&
    stems.some(({ meanings }) => meanings.some((meaning) => leads.includes(meaning)))
  )
}

/** The copyright line at the foot of many sites. */
const imprint = /^(?:©|\(c\)|copyright\b).*$/gim

/** The beginning of an article, followed by the offer to subscribe or sign in for the rest. */
function recognizeTeaser(
  { words, furnitureWords }: Survey,
  { stems }: FoundWords,
): Recognized | undefined {
  if (words - furnitureWords >= wordsOfTeaser) return undefined
  return isSaid(teaser, stems) ? { kind: teaser, odds: recognizedMin } : undefined
}

const teaser: InterstitialKind = {
  name: 'paywall',
  leads: ['locked'],
  partners: ['subscription', 'login'],
  company: [],
}
const wordsOfTeaser = 150

/** Whether the page's own text says nothing but to wait. */
export function isWaiting(survey: Survey): boolean {
  if (isLong(survey)) return false
  const { stems, strange } = findWords(survey.body)
  return stems.length > 0 && strange === 0 && stems.every(isToWait)
}

/** Whether the heading, or else the title, is that of a wall. */
export function isHeadedAsWall({ title, heading }: Survey): boolean {
  const { stems, strange } = findWords(heading === '' ? (title ?? '') : heading)
  return interstitialKinds.some((kind) => {
    const known = stems.filter((stem) => belongs(stem, kind)).length
    return kind.isWall === true && isSaid(kind, stems) && known >= strange
  })
}

/** A page that names several HTTP statuses is about them. */
function namesManyStatuses(text: string): boolean {
  return (
    new Set(text.slice(0, openingCharacters).match(/\b(?:4[0-5]|5[0-3])\d\b/g)).size > statusesMax
  )
}

const openingCharacters = 2_000
const statusesMax = 2

function isToWait({ meanings }: Stem): boolean {
  return meanings.includes('wait') || meanings.includes('you')
}
