// What a page says when it is no page, told from its words alone: in each situation certain things are said together, to the
// reader, and little else.
import type { Survey } from '../../page/survey.ts'
import { findWords, type Meaning, type Stem, type WordsOfWalls } from './find-words.ts'

export interface Situation {
  readonly what: string
  /** Somebody or something keeps the reader out: `blocked`, where the others are `thin_content`. */
  readonly isWall?: true
  /** Said inside of a site as well; the others stand alone. */
  readonly isInSite?: true
  /** What is said: one of these, */
  readonly leads: readonly Meaning[]
  /** together with one of these, */
  readonly partners: readonly Meaning[]
  /** and what else may be said then. */
  readonly company: readonly Meaning[]
}

const situations: readonly Situation[] = [
  {
    what: 'asks for a person',
    isWall: true,
    leads: ['verify'],
    partners: ['robot', 'human', 'browser', 'unusual', 'guard', 'wait', 'visit'],
    company: ['page', 'ticket', 'elsewhere', 'apology', 'keeper', 'refused'],
  },
  {
    what: 'asks for a person',
    isWall: true,
    leads: ['robot'],
    partners: ['human', 'unusual', 'visit'],
    company: ['verify', 'browser', 'page', 'ticket', 'elsewhere', 'apology', 'keeper', 'refused'],
  },
  {
    what: 'a refusal',
    isWall: true,
    leads: ['refused', 'unusual'],
    partners: [
      'visit',
      'guard',
      'page',
      'ticket',
      'keeper',
      'apology',
      'browser',
      'wait',
      'elsewhere',
    ],
    company: ['unusual', 'refused', 'host', 'failure', 'robot'],
  },
  {
    what: 'a queue',
    isWall: true,
    leads: ['queue'],
    partners: ['queue', 'wait', 'visit', 'page', 'elsewhere', 'apology'],
    company: ['unusual', 'ticket', 'works'],
  },
  {
    what: 'not found',
    isInSite: true,
    leads: ['missing', 'apology'],
    partners: ['missing', 'page', 'elsewhere', 'failure'],
    company: [],
  },
  {
    what: 'a failure',
    isInSite: true,
    leads: ['failure'],
    partners: [
      'failure',
      'apology',
      'wait',
      'elsewhere',
      'host',
      'keeper',
      'ticket',
      'page',
      'visit',
      'browser',
    ],
    company: ['works'],
  },
  {
    what: 'maintenance',
    isInSite: true,
    leads: ['works'],
    partners: ['works', 'page', 'apology', 'wait', 'elsewhere', 'host'],
    company: ['login', 'keeper'],
  },
  {
    what: 'members only',
    isInSite: true,
    leads: ['login'],
    partners: ['login', 'page', 'locked'],
    company: ['verify', 'missing', 'consent', 'elsewhere'],
  },
  {
    what: 'consent dialog',
    leads: ['consent'],
    partners: ['consent'],
    company: ['page', 'pay', 'browser', 'gate', 'verify'],
  },
  {
    what: 'subscribers only',
    leads: ['pay'],
    partners: ['pay', 'login', 'page', 'locked'],
    company: ['consent', 'unusual'],
  },
  {
    what: 'not for everybody',
    leads: ['gate'],
    partners: ['gate', 'page', 'missing', 'visit', 'verify', 'refused', 'apology'],
    company: ['consent'],
  },
  {
    what: 'host of nobody',
    leads: ['host'],
    partners: ['host', 'page', 'works', 'keeper', 'login'],
    company: ['visit', 'missing'],
  },
  {
    what: 'asks for a browser',
    leads: ['browser'],
    partners: ['page', 'works', 'apology', 'reader'],
    company: ['wait', 'elsewhere'],
  },
]

export interface Told {
  readonly situation: Situation
  /** Logarithm of the odds that this is all there is to the page. */
  readonly odds: number
}

/**
 * Each word that belongs to the situation speaks for it, and each that does not against. Fitted to the sets of `samples` and
 * to pieces of real pages, and rounded.
 */
const weights = {
  bias: -0.8,
  known: 0.86,
  strange: -0.21,
  strangeInLink: -0.01,
  knownInLink: -1,
  heading: 3,
  reader: 2.5,
  code: -2,
  furnished: -3,
  unlisted: 1.5,
}
const knownMax = 12
/** A wall's few links lead back, or to somebody who can help; a list of links that say more of it is about it. */
const stemsOfLinksMax = 3
const strangeInLinksMax = 60
const furnitureOfSite = 12
const wordsMax = 1_000
const wordsToReaderShare = 1 / 8

export function tellSituation(survey: Survey): Told | undefined {
  const { body, text } = survey
  if (isLong(survey) || namesManyStatuses(text)) return undefined
  const said = findWords((body === '' ? text : body).replace(imprint, ''))
  const whole = bestSituation(survey, said)
  if (whole !== undefined && whole.odds >= 0) return whole
  return tellRequest(survey, said) ?? tellTeaser(survey, said) ?? whole
}

function isLong({ words, furnitureWords }: Survey): boolean {
  return words - furnitureWords > wordsMax
}

/** A page that is headed as one, and has something to press, explains itself: what it says besides is no page either. */
function tellRequest(survey: Survey, { stems, strange }: WordsOfWalls): Told | undefined {
  if (survey.buttons === '') return undefined
  const labels = survey.buttons
    .split('\n')
    .filter((label) => label !== '')
    .map(findWords)
  const names = partsOfTitle(survey).map(findWords)
  const heading = findWords(survey.heading)
  const heads = [...names, heading]
  const own = [...new Set([...heads.flatMap((head) => head.stems), ...stems])]
  const situation = situations.find(
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
  return situation && { situation, odds: 0 }
}

const strangeInRequestMax = 60

/**
 * Whether a button says what is an answer there. One without any known word may: unless others belong to something else, as
 * those of a banner or a newsletter do.
 */
function hasReply(labels: readonly WordsOfWalls[], { leads, partners }: Situation): boolean {
  const meant = [...leads, ...partners]
  const isReply = ({ stems }: WordsOfWalls) =>
    stems.every((stem) => isToReader(stem) || stem.meanings.some((each) => meant.includes(each)))
  const known = labels.filter(({ stems }) => stems.length > 0)
  return known.some(isReply) || (labels.length > known.length && known.every(isReply))
}

/** One of them names the site. */
function partsOfTitle({ title }: Survey): string[] {
  return (title ?? '').split(/\s[|–—·•:»«>-]+\s|[|:]/)
}

/** Whether it names what the situation is about, in as few other words as belong to it. */
function isMostly({ stems, strange }: WordsOfWalls, { leads }: Situation): boolean {
  return (
    strange <= stems.length &&
    stems.some(({ meanings }) => meanings.some((meaning) => leads.includes(meaning)))
  )
}

/** Below every page of a site, in whatever element. */
const imprint = /^(?:©|\(c\)|copyright\b).*$/gim

/** The beginning of an article, and then that its rest is for those who pay or sign in. */
function tellTeaser({ words, furnitureWords }: Survey, { stems }: WordsOfWalls): Told | undefined {
  if (words - furnitureWords >= wordsOfTeaser) return undefined
  return isSaid(teaser, stems) ? { situation: teaser, odds: 0 } : undefined
}

const teaser: Situation = {
  what: 'subscribers only',
  leads: ['locked'],
  partners: ['pay', 'login'],
  company: [],
}
const wordsOfTeaser = 150

/** Whether all that the page itself says is to wait, in whatever site around it. */
export function isWaiting(survey: Survey): boolean {
  if (isLong(survey)) return false
  const { stems, strange } = findWords(survey.body)
  return stems.length > 0 && strange === 0 && stems.every(isToWait)
}

/** Whether the title or the heading is a wall's. */
export function isHeadedAsWall({ title, heading }: Survey): boolean {
  const { stems, strange } = findWords(heading === '' ? (title ?? '') : heading)
  return situations.some((situation) => {
    const known = stems.filter((stem) => belongs(stem, situation)).length
    return situation.isWall === true && isSaid(situation, stems) && known >= strange
  })
}

/** What names several statuses of HTTP tells of them, and is none of them. */
function namesManyStatuses(text: string): boolean {
  return (
    new Set(text.slice(0, openingCharacters).match(/\b(?:4[0-5]|5[0-3])\d\b/g)).size > statusesMax
  )
}

const openingCharacters = 2_000
const statusesMax = 2

function bestSituation(
  { title, heading, body, bodyLinks, codeWords, furnitureWords, isUnlisted }: Survey,
  said: WordsOfWalls,
): Told | undefined {
  // A banner with nothing behind it is the page itself.
  const isFurnished = furnitureWords >= furnitureOfSite && body !== ''
  const linked = findWords(bodyLinks)
  const headed = findWords(`${title ?? ''}\n${heading}`)
  const own = [...new Set([...headed.stems, ...said.stems])]
  const stems = [...new Set([...own, ...linked.stems.slice(0, stemsOfLinksMax)])]
  const toReader = stems.filter(isToReader).length
  return situations
    .filter((situation) => isSaid(situation, own))
    .map((situation) => {
      const known = stems.filter((stem) => belongs(stem, situation)).length
      const linkedKnown = linked.stems.filter((stem) => belongs(stem, situation)).length
      const inHeading = headed.stems.filter((stem) => belongs(stem, situation)).length
      const strange = said.strange + Math.max(0, stems.length - known - toReader)
      const words = known + strange
      const odds =
        weights.bias +
        weights.known * Math.min(known, knownMax) +
        weights.strange * strange +
        weights.knownInLink * Math.max(0, linkedKnown - stemsOfLinksMax) +
        weights.strangeInLink * Math.min(linked.strange, strangeInLinksMax) +
        weights.heading * (inHeading / Math.max(1, inHeading + headed.strange)) +
        weights.reader * Math.min(1, toReader / (words * wordsToReaderShare)) +
        (codeWords > 0 ? weights.code : 0) +
        (isUnlisted ? weights.unlisted : 0) +
        (isFurnished && !situation.isInSite ? weights.furnished : 0)
      return { situation, odds }
    })
    .reduce<Told | undefined>(
      (best, told) => (best && best.odds >= told.odds ? best : told),
      undefined,
    )
}

/** Two different words say it: no stem is its own partner. */
function isSaid({ leads, partners }: Situation, stems: readonly Stem[]): boolean {
  const having = (meaning: Meaning) => stems.filter(({ meanings }) => meanings.includes(meaning))
  return leads.some((lead) => {
    const [first, second] = having(lead)
    if (first === undefined) return false
    return partners.some((partner) =>
      having(partner).some((stem) => stem !== first || second !== undefined),
    )
  })
}

function belongs({ meanings }: Stem, { leads, partners, company }: Situation): boolean {
  return [leads, partners, company].some((part) =>
    meanings.some((meaning) => part.includes(meaning)),
  )
}

function isToWait({ meanings }: Stem): boolean {
  return meanings.includes('wait') || meanings.includes('reader')
}

function isToReader({ meanings }: Stem): boolean {
  return meanings.length === 1 && meanings[0] === 'reader'
}
