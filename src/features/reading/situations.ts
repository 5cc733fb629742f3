// What a page says when it is no page, told from its words alone: in each situation certain things are said together, to the
// reader, and little else.
import type { Survey } from './survey.ts'
import { findWords, type Meaning, type Stem } from './wall-words.ts'

export interface Situation {
  readonly what: string
  /** Somebody or something keeps the reader out. */
  readonly isWall: boolean
  /** One of these pairs must be there. */
  readonly pairs: readonly (readonly [Meaning, Meaning])[]
  /** What else is said then. */
  readonly company: readonly Meaning[]
}

const situation = (
  what: string,
  leads: string,
  partners: string,
  company: string,
  isWall = false,
) => ({
  what,
  isWall,
  pairs: leads
    .split(' ')
    .flatMap((lead) => partners.split(' ').map((partner) => [lead, partner] as [Meaning, Meaning])),
  company: [...new Set(`${leads} ${partners} ${company}`.trim().split(' '))] as Meaning[],
})

export const situations: readonly Situation[] = [
  situation(
    'asks for a person',
    'verify',
    'robot human browser unusual guard wait visit',
    'page ticket elsewhere apology keeper refused',
    true,
  ),
  situation(
    'asks for a person',
    'robot',
    'visit unusual human',
    'page ticket elsewhere apology keeper refused browser',
    true,
  ),
  situation(
    'a refusal',
    'refused',
    'visit guard page ticket keeper apology',
    'unusual wait elsewhere browser host failure robot',
    true,
  ),
  situation(
    'a refusal',
    'unusual visit',
    'guard browser wait elsewhere',
    'refused page ticket keeper apology robot failure',
    true,
  ),
  situation('not found', 'missing', 'page elsewhere apology failure', ''),
  situation('not found', 'apology', 'elsewhere', 'missing page failure'),
  situation(
    'a failure',
    'failure',
    'failure apology wait elsewhere host keeper ticket page visit browser',
    'works',
  ),
  situation('maintenance', 'works', 'works page apology wait elsewhere host', 'login keeper'),
  situation('members only', 'login', 'login page', 'verify missing consent elsewhere'),
  situation('consent dialog', 'consent', 'consent', 'page pay browser gate verify'),
  situation('subscribers only', 'pay', 'pay login page locked', 'consent unusual'),
  situation(
    'not for everybody',
    'gate',
    'gate page missing visit verify refused apology',
    'consent',
  ),
  situation('host of nobody', 'host', 'host page works keeper login', 'visit missing'),
  situation('asks for a browser', 'browser', 'browser page works apology', 'wait elsewhere'),
]

export interface Told {
  readonly situation: Situation
  /** Logarithm of the odds that this is all there is to the page. */
  readonly odds: number
}

/** Each word that belongs to the situation speaks for it, and each that does not against. Fitted to the sets of `samples` and to pieces of real pages, and rounded. */
const weights = {
  known: 0.9,
  strange: -0.28,
  strangeInLink: -0.03,
  heading: 1.8,
  reader: 2.8,
  code: -0.5,
}
const knownMax = 12
/** What links say is elsewhere; those of a wall lead back, or to somebody who can help. */
const stemsOfLinksMax = 3
const strangeInLinksMax = 60
const wordsMax = 1_000
const wordsToReaderShare = 1 / 8

export function tellSituation(survey: Survey): Told | undefined {
  const { body, bodyLinks, furnitureWords, words, text } = survey
  if (words - furnitureWords > wordsMax || namesManyStatuses(text)) return undefined
  const said = body === '' && bodyLinks === '' ? text : body
  const whole = bestOf(situations, survey, said)
  return whole !== undefined && whole.odds >= 0 ? whole : (tellTeaser(survey) ?? whole)
}

/** The beginning of an article, and then that its rest is for those who pay or sign in. */
function tellTeaser({ words, text }: Survey): Told | undefined {
  if (words >= wordsOfTeaser) return undefined
  const { stems } = findWords(text)
  return isSaid(teaser, stems) ? { situation: teaser, odds: 0 } : undefined
}

const teaser = situation('subscribers only', 'locked', 'pay login', '')
const wordsOfTeaser = 150

/** Whether the title or the heading is a wall's. */
export function isHeadedAsWall({ title, heading }: Survey): boolean {
  const { stems, strange } = findWords(heading === '' ? (title ?? '') : heading)
  return situations.some((situation) => {
    const known = stems.filter((stem) => belongs(stem, situation)).length
    return situation.isWall && isSaid(situation, stems) && known >= strange
  })
}

/** What names several statuses of HTTP tells of them, and is none of them. */
function namesManyStatuses(text: string): boolean {
  return new Set(text.slice(0, openingCharacters).match(/\b[45]\d\d\b/g)).size > statusesMax
}

const openingCharacters = 2_000
const statusesMax = 2

function bestOf(
  these: readonly Situation[],
  { title, heading, bodyLinks, codeWords }: Survey,
  body: string,
): Told | undefined {
  const said = findWords(body)
  const linked = findWords(bodyLinks)
  const headed = findWords(`${title ?? ''}\n${heading}`)
  const stems = [
    ...new Set([...headed.stems, ...said.stems, ...linked.stems.slice(0, stemsOfLinksMax)]),
  ]
  const toReader = stems.filter(isToReader).length
  return these
    .filter((situation) => isSaid(situation, stems))
    .map((situation) => {
      const known = stems.filter((stem) => belongs(stem, situation)).length
      const inHeading = headed.stems.filter((stem) => belongs(stem, situation)).length
      const strange = said.strange + Math.max(0, stems.length - known - toReader)
      const words = known + strange
      const odds =
        weights.known * Math.min(known, knownMax) +
        weights.strange * strange +
        weights.strangeInLink * Math.min(linked.strange, strangeInLinksMax) +
        weights.heading * (inHeading / Math.max(1, inHeading + headed.strange)) +
        weights.reader * Math.min(1, toReader / (words * wordsToReaderShare)) +
        (codeWords > 0 ? weights.code : 0)
      return { situation, odds }
    })
    .reduce<Told | undefined>(
      (best, told) => (best && best.odds >= told.odds ? best : told),
      undefined,
    )
}

function isSaid({ pairs }: Situation, stems: readonly Stem[]): boolean {
  const count = (meaning: Meaning) =>
    stems.filter(({ meanings }) => meanings.includes(meaning)).length
  return pairs.some(([lead, partner]) =>
    lead === partner ? count(lead) > 1 : count(lead) > 0 && count(partner) > 0,
  )
}

function belongs({ meanings }: Stem, { company }: Situation): boolean {
  return meanings.some((meaning) => company.includes(meaning))
}

function isToReader({ meanings }: Stem): boolean {
  return meanings.length === 1 && meanings[0] === 'reader'
}
