// How much of a page there is, short ones included: twenty words with nothing missing are a page.
import { countWords } from '../page/count-words.ts'
import { isWaiting, type Recognized, recognizedMin, saysToWait } from './interstitials/recognize.ts'
import { hostMarks } from './marks/host-marks.ts'
import { type Finding, mainWords, type PageEvidence } from './page-evidence.ts'
import { machineMessage, namesOfErrors } from './signatures.ts'
import type { VerdictKind } from './verdict-kind.ts'

/** Twelve words of one's own score 0.45; the notice of example.com, with its twenty, 0.65. */
const wordsOfPage = 20
const linkWordWeight = 0.35
/** A file of data has no furniture to be mistaken for it: `{"ok":true}` is all there is. */
const scoreOfData = 0.6
/** Of the characters. Pages about charsets quote a few. */
const undecodableShareMax = 0.01
const undecodableMin = 4
const wordsOfShell = 40
const scriptRequest = /java\s?script|enable js|run this app/i
/** A page that asks for script says little else; many that do without it still ask, beside their own text. */
const wordsOfRequest = 60
const wordsBesideRequest = 15
const scriptsOfShell = 4
const wordsOfError = 200
const wordsBelowMissing = 500
const wordsOfHost = 200
const searchedCharacters = 100_000
const wordsOfSignIn = 120
const openingCharacters = 1_200
const wordsOfFrame = 120
const wordsInFrame = 10
const wordsOfSkeleton = 200
const placeholdersOfSkeleton = 3
/** Cards that are there have a name, a price and more; those to come have a label at most. */
const wordsOfPlaceholder = 5
const wordsAmongPlaceholders = 80
const boxesOfSkeleton = 6
const wordsAmongBoxes = 20
const wordsOfUnfilledBody = 25
const wordsInRoot = 12
const wordsOfFurnitureProse = 200
const wordsOfTemplate = 60
/** So many words of the body for each field say that the template is not the page. */
const wordsOfField = 15

/** What lessens the content of a page. */
interface Doubt {
  readonly factor: number
  readonly kind: VerdictKind
  readonly reason: string
}

export function scoreContent(page: PageEvidence, interstitial: Recognized | undefined): Finding {
  const { kind, status, survey } = page
  if (survey.text === '')
    return {
      score: 0,
      kind: survey.scripts > 0 ? 'javascript_required' : 'empty',
      reason: 'no text',
    }
  const own = survey.words - survey.linkWords
  const amount = 1 - Math.exp(-(own + survey.linkWords * linkWordWeight) / wordsOfPage)
  const spoken = interstitial !== undefined && interstitial.odds >= recognizedMin
  if (isUndecodable(survey.text))
    return { score: amount * 0.1, kind: 'undecodable', reason: 'replacement characters' }
  if (!spoken && kind !== 'html' && status < 400)
    return { score: Math.max(scoreOfData, amount), kind: 'content', reason: `a ${kind} file` }

  const doubts = listDoubts(page)
  if (spoken) doubts.unshift({ factor: 0.15, kind: interstitial.kind.name, reason: 'words' })
  const score = doubts.reduce((rest, { factor }) => rest * factor, amount)
  const nothing: Doubt = { factor: 1, kind: 'empty', reason: 'content' }
  const worst = doubts.reduce((most, each) => (each.factor < most.factor ? each : most), nothing)
  return { score, kind: worst.kind, reason: worst.reason }
}

function listDoubts(page: PageEvidence): Doubt[] {
  const { survey, status } = page
  const { words } = survey
  const doubts: (Doubt | undefined)[] = [
    doubtOfStatus(status, words),
    doubtOfShell(page),
    doubtOfSkeleton(page),
    doubtOfUnfilledBody(page),
    doubtOfSignIn(page),
  ]
  const doubt = (factor: number, kind: VerdictKind, reason: string) =>
    doubts.push({ factor, kind, reason })
  if (survey.refresh !== null && words < wordsOfShell && /url\s*=/i.test(survey.refresh))
    doubt(0.1, 'redirect', 'forwarding page')
  if (isWaiting(survey)) doubt(0.1, 'javascript_required', 'waiting page')
  const named = namesOfErrors.exec(survey.names)
  if (named !== null) {
    const kind = kindOfName(named[0])
    const isShort = mainWords(survey) < wordsOfError
    // Platforms give this name to no other page, and list other pages below.
    const isMissing = kind === 'not_found' && countWords(survey.body) < wordsBelowMissing
    if (isShort || isMissing) doubt(0.15, kind, `named ${survey.names}`)
  }
  const host =
    words < wordsOfHost &&
    hostMarks.find(({ pattern }) => pattern.test(page.html.slice(0, searchedCharacters)))
  if (host) doubt(0.15, host.kind ?? 'parked', `${host.vendor} page`)
  if (machineMessage.test(survey.text.slice(0, openingCharacters)) && words < wordsOfError)
    doubt(0.15, 'error', 'a failure')
  return doubts.filter((each) => each !== undefined)
}

function isUndecodable(text: string): boolean {
  const undecodable = text.match(/\ufffd/g)?.length ?? 0
  return undecodable > Math.max(undecodableMin, text.length * undecodableShareMax)
}

function doubtOfStatus(status: number, words: number): Doubt | undefined {
  const isShort = words < wordsOfError
  const reason = `status ${status}`
  if (status >= 500) return { factor: isShort ? 0.2 : 0.6, kind: 'error', reason }
  if (status >= 400) return { factor: isShort ? 0.25 : 0.7, kind: kindOfRefusal(status), reason }
  return undefined
}

function kindOfRefusal(status: number): VerdictKind {
  switch (status) {
    case 401:
    case 407:
      return 'login'
    case 402:
      return 'paywall'
    case 404:
    case 410:
      return 'not_found'
    case 429:
      return 'rate_limited'
    case 451:
      return 'restricted'
    default:
      return 'error'
  }
}

function kindOfName(name: string): VerdictKind {
  if (/maint|soon|construction/i.test(name)) return 'maintenance'
  if (/denied|40[13]/i.test(name)) return 'bot_wall'
  return /found|404|410|no-r/i.test(name) ? 'not_found' : 'error'
}

function doubtOfShell({ survey }: PageEvidence): Doubt | undefined {
  const { words, scripts, emptyRoot, noscript, text } = survey
  if (scripts === 0) return undefined
  const asksForScript =
    (words < wordsOfRequest && scriptRequest.test(text)) ||
    (words < wordsBesideRequest && scriptRequest.test(noscript))
  const scripted = emptyRoot || asksForScript || scripts >= scriptsOfShell
  const isShell = scripted && words < (asksForScript ? wordsOfRequest : wordsOfShell)
  const isFramed = words < wordsOfFrame && mainWords(survey) < wordsInFrame
  if (!isShell && !isFramed) return undefined
  return { factor: 0.2, kind: 'javascript_required', reason: 'empty shell' }
}

/** The frame of a page whose text arrives later. */
function doubtOfSkeleton({ survey }: PageEvidence): Doubt | undefined {
  const { placeholders, emptyBoxes, scripts, words, linkWords, body } = survey
  if (words >= wordsOfSkeleton) return undefined
  const text = countWords(body)
  const isFrame = scripts > 0 && words < wordsOfFrame && words - linkWords < wordsOfShell
  const isSkeleton =
    (placeholders >= placeholdersOfSkeleton &&
      text < Math.min(wordsAmongPlaceholders, placeholders * wordsOfPlaceholder)) ||
    (isFrame && placeholders + emptyBoxes >= boxesOfSkeleton && text < wordsAmongBoxes) ||
    (isFrame && saysToWait(survey))
  return isSkeleton ? { factor: 0.2, kind: 'skeleton', reason: 'skeleton' } : undefined
}

/**
 * Around an empty body, a header and a footer may have any number of words. In a rendered page, what is missing would
 * be missing again.
 */
function doubtOfUnfilledBody(page: PageEvidence): Doubt | undefined {
  const { survey, rendered = false } = page
  const words = mainWords(survey)
  const isTemplate =
    survey.templateFields > 0 &&
    (words < wordsOfTemplate || survey.heading.startsWith('{{')) &&
    survey.templateFields * wordsOfField > words
  if (isTemplate) return { factor: 0.2, kind: 'skeleton', reason: 'template' }
  if (rendered || survey.scripts === 0 || words >= wordsOfUnfilledBody) return undefined
  // Markup that is out of order can put a whole article into the header.
  if (survey.proseWords >= wordsOfFurnitureProse) return undefined
  const { hasRoot, placeholders, emptyBoxes, noscript } = survey
  const awaitsScript = hasRoot || placeholders > 0 || scriptRequest.test(noscript)
  const isUnfilled =
    (awaitsScript && words < wordsInRoot) || emptyBoxes >= boxesOfSkeleton || saysToWait(survey)
  return isUnfilled ? { factor: 0.2, kind: 'skeleton', reason: 'unfilled body' } : undefined
}

function doubtOfSignIn({ survey, finalUrl }: PageEvidence): Doubt | undefined {
  if (survey.passwordFields === 0 || survey.words >= wordsOfSignIn) return undefined
  const isAddressed = /log[-_]?in|sign[-_]?in|auth|sso/i.test(finalUrl)
  return { factor: isAddressed ? 0.3 : 0.45, kind: 'login', reason: 'login form' }
}
