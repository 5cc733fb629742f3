// Decides whether a page was read, from what came back alone: a wall with status 200 is a wall, and a short notice with
// nothing around it is a page. Pure. What vendors leave behind is in vendor-marks.ts, what a page says in wording/; the
// arithmetic is here.

import { countWords, type Survey } from '../page/survey.ts'
import type { PageKind } from '../read-body.ts'
import {
  isHeadedAsWall,
  isWaiting,
  type Recognized,
  recognizeInterstitial,
} from './interstitials/recognize.ts'
import { machineMessage, namesOfErrors } from './signatures.ts'
import { bodyMarkers, headerMarkers, urlMarkers } from './vendor-marks.ts'

export interface PageEvidence {
  readonly kind: PageKind
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly finalUrl: string
  /** As it came. */
  readonly html: string
  readonly survey: Survey
}

export type QualityFlag = 'blocked' | 'thin_content'

export interface Verdict {
  /** How likely this is the page that was asked for, 0 to 1. */
  readonly yield: number
  readonly flags: readonly QualityFlag[]
  readonly read: boolean
  /** What gave it away; for the log and the next person who tunes this. */
  readonly reason: string
}

export function judgePage(page: PageEvidence): Verdict {
  const interstitial = isSpoken(page) ? recognizeInterstitial(page.survey) : undefined
  const wall = wallScore(page, interstitial)
  const content = contentScore(page, interstitial)
  const score = round(content.score * (1 - wall.score))
  if (wall.score >= wallMin)
    return { yield: score, flags: ['blocked'], read: false, reason: wall.reason }
  if (score < readMin)
    return { yield: score, flags: ['thin_content'], read: false, reason: content.reason }
  return { yield: score, flags: [], read: true, reason: content.reason }
}

const oddsOfWall = 0
const oddsOfHint = -2
const wallMin = 0.5
const readMin = 0.3

/** A wall is a few words around a vendor's script; an article about walls has the phrases and a thousand words. */
const wordsOfWall = { certain: 120, likely: 350, possible: 700 }

/** Data says what it says of others; a single line of text may be a server's. */
function isSpoken({ kind, survey }: PageEvidence): boolean {
  return kind === 'html' || kind === 'markdown' || (kind === 'text' && !survey.text.includes('\n'))
}

interface Score {
  readonly score: number
  readonly reason: string
}

function wallScore(page: PageEvidence, interstitial: Recognized | undefined): Score {
  const { status, headers, finalUrl, html, survey } = page
  const { words } = survey
  const header = headerMarkers.find(({ name, value }) => value.test(headers[name] ?? ''))
  if (header && words < wordsOfWall.possible)
    return { score: 0.97, reason: `${header.vendor} header` }
  if (words >= wordsOfWall.possible) return nothing

  const refused = statusesOfWalls.has(status)
  const speaks = interstitial?.kind.isWall === true && interstitial.odds >= oddsOfWall
  const hints =
    (interstitial?.kind.isWall === true && interstitial.odds >= oddsOfHint) ||
    isHeadedAsWall(survey)
  const address = urlMarkers.find(({ pattern }) => pattern.test(finalUrl))
  const marker = bodyMarkers.find(
    ({ pattern, alone, wordsMax = wordsOfWall.possible }) =>
      words <= wordsMax &&
      (alone || hints || refused) &&
      pattern.test(html.slice(0, searchedCharacters)) &&
      !isQuoted(pattern, survey),
  )

  const scores: Score[] = [nothing]
  if (marker) {
    if (words < wordsOfWall.certain) scores.push({ score: 0.99, reason: `${marker.vendor} page` })
    else if (words < wordsOfWall.likely)
      scores.push({
        score: hints || refused ? 0.93 : 0.45,
        reason: `${marker.vendor} page`,
      })
    else if (hints && refused) scores.push({ score: 0.8, reason: `${marker.vendor} page` })
  }
  if (address && words < wordsOfWall.likely)
    scores.push({ score: 0.9, reason: `sent to ${address.vendor}` })
  if (isCaptchaGate(html, survey)) scores.push({ score: 0.9, reason: 'a captcha and nothing else' })
  if (speaks) scores.push({ score: 0.9, reason: interstitial.kind.name })
  else if (hints && refused && words < wordsOfWall.likely)
    scores.push({ score: 0.75, reason: 'words of a wall' })
  if (refused && words < wordsOfWall.certain)
    scores.push({ score: 0.7, reason: `status ${status}` })
  return scores.reduce((best, score) => (score.score > best.score ? score : best))
}

/** How much of a page there is, short ones included: twenty words with nothing missing are a page. */
function contentScore(page: PageEvidence, interstitial: Recognized | undefined): Score {
  const { kind, status, survey, finalUrl } = page
  const { words, linkWords, scripts, emptyRoot, refresh, passwordFields, noscript } = survey
  if (survey.text === '') return { score: 0, reason: 'no text' }
  const own = words - linkWords
  let score = 1 - Math.exp(-(own + linkWords * linkWordWeight) / wordsOfPage)
  let reason = 'content'
  const lessen = (factor: number, why: string) => {
    score *= factor
    reason = why
  }
  if (interstitial !== undefined && interstitial.odds >= oddsOfWall)
    lessen(0.15, interstitial.kind.name)
  else if (kind !== 'html' && status < 400)
    return { score: Math.max(scoreOfData, round(score)), reason: `a ${kind} file` }

  const asksForScript =
    (words < wordsOfRequest && scriptRequest.test(survey.text)) ||
    (words < wordsBesideRequest && scriptRequest.test(noscript))
  const scripted = emptyRoot || asksForScript || scripts >= scriptsOfShell
  const shell = scripts > 0 && scripted && words < (asksForScript ? wordsOfRequest : wordsOfShell)
  const framed = scripts > 0 && words < wordsOfFrame && mainWords(survey) < wordsInFrame
  if (shell || framed) lessen(0.2, 'empty shell')
  if (refresh !== null && words < wordsOfShell && /url\s*=/i.test(refresh))
    lessen(0.2, 'forwarding page')
  if (isWaiting(survey)) lessen(0.1, 'waiting page')
  if (namesOfErrors.test(survey.names) && mainWords(survey) < wordsOfError)
    lessen(0.15, `named ${survey.names}`)
  if (machineMessage.test(survey.text.slice(0, openingCharacters)) && words < wordsOfError)
    lessen(0.15, 'a failure')
  if (status >= 500) lessen(words < wordsOfError ? 0.2 : 0.6, `status ${status}`)
  else if (status >= 400) lessen(words < wordsOfError ? 0.25 : 0.7, `status ${status}`)
  const signIn = passwordFields > 0 && words < wordsOfSignIn
  if (signIn) lessen(/log[-_]?in|sign[-_]?in|auth|sso/i.test(finalUrl) ? 0.3 : 0.45, 'login form')
  return { score: round(score), reason }
}

/** Twelve words of one's own score 0.45; the notice of example.com, with its twenty, 0.65. */
const wordsOfPage = 20
const linkWordWeight = 0.35
/** A file of data has no furniture to be mistaken for it: `{"ok":true}` is all there is. */
const scoreOfData = 0.6
const wordsOfShell = 40
const scriptRequest = /java\s?script|enable js|run this app/i
/** A page that asks for script says little else; many that do without it still ask, beside their own text. */
const wordsOfRequest = 60
const wordsBesideRequest = 15
const scriptsOfShell = 4
const wordsOfError = 200
const wordsOfSignIn = 120
const openingCharacters = 1_200
const searchedCharacters = 400_000
const statusesOfWalls: ReadonlySet<number> = new Set([
  401, 403, 405, 407, 429, 503, 520, 521, 522, 523, 524, 525, 526, 527, 529, 530,
])
const nothing: Score = { score: 0, reason: '' }

function mainWords({ words, furnitureWords }: Survey): number {
  return words - furnitureWords
}

/** A vendor's mark that a person can read is a wall's only where a line begins with it, or nearly; else it is interstitial of. */
function isQuoted(pattern: RegExp, { text, codeWords }: Survey): boolean {
  const match = pattern.exec(text)
  if (match === null) return false
  if (codeWords > 0) return true
  const line = text.slice(text.lastIndexOf('\n', match.index) + 1, match.index)
  return countWords(line) > wordsBeforeMark
}

/** The widget of a captcha, and nothing to fill in beside it. */
function isCaptchaGate(html: string, { words, codeWords }: Survey): boolean {
  return (
    words < wordsOfGate && codeWords === 0 && captchaWidget.test(html) && !entryField.test(html)
  )
}

const captchaWidget =
  /<[a-z][^<>]{0,200}class="[^"]{0,80}(?:g-recaptcha|h-captcha|cf-turnstile|frc-captcha)"(?![^>]{0,200}data-size="invisible")/i
const entryField = /<textarea|<select|<input(?![^>]{0,300}type=["']?(?:hidden|submit|button))/i
const wordsOfGate = 60
const wordsBeforeMark = 6
const wordsOfFrame = 120
const wordsInFrame = 10

function round(score: number): number {
  return Math.round(score * 1_000) / 1_000
}
