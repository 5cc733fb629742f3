// Recognizes an interstitial by the words of a page.
import type { Survey } from '../../page/survey.ts'
import type { VerdictKind } from '../verdict-kind.ts'
import {
  belongs,
  type Candidate,
  hasReply,
  isSaid,
  isToReader,
  labelsOf,
  listCandidates,
  partsOfTitle,
  saysOnly,
} from './evidence.ts'
import { type FoundWords, findWords } from './find-words.ts'
import { type InterstitialKind, interstitialKinds } from './kinds.ts'
import type { Meaning, Stem } from './vocabulary.ts'
import { loadWeights, oddsOf, type Weights } from './weights.ts'

export interface Recognized {
  readonly kind: InterstitialKind
  /** The logarithm of the odds that the page is this and nothing else. */
  readonly odds: number
}

/** From these odds on, the page is an interstitial. */
export const recognizedMin = 0
const wordsMax = 1_000

export function recognizeInterstitial(
  survey: Survey,
  weights: Weights = loadWeights(),
): Recognized | undefined {
  const found = wordsOfInterstitial(survey)
  if (found === undefined) return undefined
  const whole = bestCandidate(listCandidates(survey, found), weights)
  if (whole !== undefined && whole.odds >= recognizedMin) return whole
  return (
    recognizeHeadline(survey, found) ??
    recognizeRequest(survey, found) ??
    recognizeTeaser(survey, found) ??
    whole
  )
}

/** A page whose title and heading say nothing else, even where the site offers other pages below or a wall explains itself. */
function recognizeHeadline(survey: Survey, found: FoundWords): Recognized | undefined {
  const heading = findWords(survey.heading)
  const titles = partsOfTitle(survey).map(findWords)
  const said = [...new Set([heading, ...titles].flatMap(({ stems }) => stems))]
  const kind = interstitialKinds.find(
    (each) =>
      found.strange <= strangeBelow(each) &&
      isSaid(each, [...said, ...found.stems]) &&
      found.stems.some(({ meanings }) => meanings.some((meaning) => guides.has(meaning))),
  )
  function strangeBelow(each: InterstitialKind): number {
    if (!headlineKinds.has(each.name) && !each.isWall) return -1
    const others = titles.filter((part) => !isName(part, each))
    // One part names the site.
    if (others.length > 1) return -1
    const named = [heading, ...titles].filter((head) => isName(head, each)).length
    if (named > 1 && each.isWall) return explains(each) ? strangeBelowRefusal : -1
    if (named > 1) return strangeBelowHeadline
    return named === 1 && each.name === 'not_found' ? strangeBelowName : -1
  }
  function explains(each: InterstitialKind): boolean {
    return found.stems.filter((stem) => belongs(stem, each)).length >= stemsOfExplanation
  }
  return kind && { kind, odds: recognizedMin }
}

/** Whether a title or heading names this kind. A single word, such as "lost", can mean something else. */
function isName(words: FoundWords, kind: InterstitialKind): boolean {
  const { stems, strange } = words
  if (saysOnly(words, kind))
    return stems.length > 1 || stems.some(({ text }) => /\d|\S \S/.test(text))
  return kind.isWall !== true && isSaid(kind, stems) && strange <= stems.length / 2
}

/** A song can have such a title too; its page does not speak to the reader, apologize or point elsewhere. */
const guides: ReadonlySet<Meaning> = new Set(['you', 'elsewhere', 'apology'])
const headlineKinds: ReadonlySet<VerdictKind> = new Set(['not_found', 'error'])
const strangeBelowHeadline = 500
const strangeBelowName = 120
/** A wall that explains itself. */
const strangeBelowRefusal = 250
const stemsOfExplanation = 5

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
  const labels = labelsOf(survey)
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
  return !isLong(survey) && saysOnlyToWait(survey.body)
}

/** Whether a line of the page's own text says nothing else. */
export function saysToWait({ body }: Survey): boolean {
  return body.split('\n').some(saysOnlyToWait)
}

function saysOnlyToWait(text: string): boolean {
  const { stems, strange } = findWords(text)
  return (
    stems.some(({ meanings }) => meanings.includes('wait')) &&
    strange === 0 &&
    stems.every(isToWait)
  )
}

/** Whether the heading or a part of the title is that of a wall. */
export function isHeadedAsWall(survey: Survey): boolean {
  const heads = [survey.heading, ...partsOfTitle(survey)].map(findWords)
  return heads.some(({ stems, strange }) =>
    interstitialKinds.some((kind) => {
      const known = stems.filter((stem) => belongs(stem, kind)).length
      return kind.isWall === true && isSaid(kind, stems) && known >= strange
    }),
  )
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
