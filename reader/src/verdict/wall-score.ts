// How likely a page is a wall: the marks of vendors in the page, its headers and its address, its words and its status.
import { countWords, type Survey } from '../page/survey.ts'
import { isHeadedAsWall, type Recognized, recognizedMin } from './interstitials/recognize.ts'
import type { Finding, PageEvidence } from './page-evidence.ts'
import { bodyMarkers, headerMarkers, urlMarkers } from './vendor-marks.ts'
import type { VerdictKind } from './verdict-kind.ts'

const oddsOfHint = -2
/** A wall is a few words around a vendor's script; an article about walls has the phrases and a thousand words. */
const wordsOfWall = { certain: 120, likely: 350, possible: 700 }
const searchedCharacters = 400_000
const statusesOfWalls: ReadonlySet<number> = new Set([
  401, 403, 405, 407, 429, 503, 520, 521, 522, 523, 524, 525, 526, 527, 529, 530,
])
const noWall: Finding = { score: 0, kind: 'content', reason: '' }

export function scoreWall(page: PageEvidence, interstitial: Recognized | undefined): Finding {
  const { status, headers, finalUrl, html, survey } = page
  const { words } = survey
  const kind = kindOfWall(status, interstitial)
  const header = headerMarkers.find(({ name, value }) => value.test(headers[name] ?? ''))
  if (header && words < wordsOfWall.possible)
    return { score: 0.97, kind, reason: `${header.vendor} header` }
  if (words >= wordsOfWall.possible) return noWall

  const refused = statusesOfWalls.has(status)
  const speaks = interstitial?.kind.isWall === true && interstitial.odds >= recognizedMin
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

  const findings: Finding[] = [noWall]
  const find = (score: number, reason: string, own: VerdictKind = kind) =>
    findings.push({ score, kind: own, reason })
  if (marker) {
    if (words < wordsOfWall.certain) find(0.99, `${marker.vendor} page`)
    else if (words < wordsOfWall.likely)
      find(hints || refused ? 0.93 : 0.45, `${marker.vendor} page`)
    else if (hints && refused) find(0.8, `${marker.vendor} page`)
  }
  if (address && words < wordsOfWall.likely) find(0.9, `sent to ${address.vendor}`)
  if (isCaptchaGate(html, survey)) find(0.9, 'a captcha and nothing else', 'captcha')
  if (speaks) find(0.9, 'words')
  else if (hints && refused && words < wordsOfWall.likely) find(0.75, 'words and status')
  if (refused && words < wordsOfWall.certain) find(0.7, `status ${status}`)
  return findings.reduce((best, each) => (each.score > best.score ? each : best))
}

function kindOfWall(status: number, interstitial: Recognized | undefined): VerdictKind {
  const { name = 'bot_wall', isWall } = interstitial?.kind ?? {}
  if (isWall === true && name !== 'bot_wall') return name
  if (status === 401 || status === 407) return 'login'
  return status === 429 ? 'rate_limited' : 'bot_wall'
}

/** A vendor's mark that a person can read is a wall's only near the beginning of a line; elsewhere the page writes about it. */
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
