// Recognizes an interstitial by the words of a page.
import type { Survey } from '../../page/survey.ts'
import {
  belongs,
  type Candidate,
  hasReply,
  isSaid,
  isSentence,
  isToReader,
  labelsOf,
  listCandidates,
  partsOfTitle,
  saysOnly,
  sentenceEnd,
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
    recognizeMessage(survey, found) ??
    recognizeRequest(survey, found) ??
    recognizeTeaser(survey, found) ??
    whole
  )
}

/** A message in the frame of a site: its heading names it, and what follows the heading goes on about it. */
function recognizeMessage(survey: Survey, found: FoundWords): Recognized | undefined {
  const titles = partsOfTitle(survey).map(findWords)
  const headings = new Set(survey.heading.split('\n'))
  const lines = survey.body.split('\n').slice(0, linesMax)
  const kind = messageKinds.find((each) => {
    const isTitled = titles.some((part) => isName(part, each))
    const isHeaded = [...headings].some((heading) => isName(findWords(heading), each))
    if (!isTitled && !isHeaded) return false
    const unnamed = titles.filter((part) => !isName(part, each)).length
    const isNamed = unnamed <= 1 && (each.name === 'not_found' || (isTitled && isHeaded))
    if (found.strange <= strangeOfMessage && isNamed && found.stems.some(isGuide)) return true
    return lines.some((line, index) => {
      if (!isTitled && !headings.has(line)) return false
      const name = findWords(line)
      if (!isName(name, each)) return false
      return isAbout(each, name, leadOf(lines.slice(index + 1)), isTitled && isHeaded)
    })
  })
  return kind && { kind, odds: recognizedMin }
}

/** The sentences after a heading. */
function leadOf(lines: readonly string[]): FoundWords[] {
  return lines
    .flatMap((line) => line.split(sentenceEnd))
    .map(findWords)
    .filter(isSentence)
    .slice(0, sentencesOfLead)
}

/** A page that is titled and headed by the message needs one sentence about it. */
function isAbout(
  kind: InterstitialKind,
  name: FoundWords,
  lead: readonly FoundWords[],
  isCertain: boolean,
): boolean {
  const stems = [name, ...lead].flatMap((sentence) => sentence.stems)
  const about = lead.map((sentence) => sentence.stems.some((stem) => belongs(stem, kind)))
  const isMostlyAbout = about.filter(Boolean).length >= lead.length / 2
  if (!isSaid(kind, stems) || !about.includes(true)) return false
  return stems.some(isGuide) ? isCertain || isMostlyAbout : isCertain && isMostlyAbout
}

const linesMax = 200
/** A page with a few words more than the message is the message. */
const strangeOfMessage = 120
const sentencesOfLead = 4

/** Whether a title or heading names this kind. A single word, such as "lost", can mean something else. */
function isName(words: FoundWords, kind: InterstitialKind): boolean {
  const { stems, strange } = words
  if (saysOnly(words, kind))
    return stems.length > 1 || stems.some(({ text }) => /\d|\S \S/.test(text))
  // What is missing has a name of its own: a recipe, a flat.
  const strangeMax = kind.name === 'not_found' ? stems.length - 1 : stems.length / 2
  return kind.isWall !== true && isSaid(kind, stems) && strange <= strangeMax
}

/** A song can have such a title too; it does not speak to the reader, apologize or point elsewhere. */
function isGuide({ meanings }: Stem): boolean {
  return meanings.some((meaning) => guides.has(meaning))
}

const guides: ReadonlySet<Meaning> = new Set(['you', 'elsewhere', 'apology'])
const messageKinds = interstitialKinds.filter(
  ({ name }) => name === 'not_found' || name === 'error',
)

/** The words of a page that may be an interstitial, or undefined where it is too long, or about HTTP itself. */
export function wordsOfInterstitial(survey: Survey): FoundWords | undefined {
  const { body, text, quotedWords } = survey
  if (isLong(survey) || namesManyStatuses(text)) return undefined
  const { stems, strange } = findWords((body === '' ? text : body).replace(imprint, ''))
  return { stems, strange: strange + quotedWords }
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
