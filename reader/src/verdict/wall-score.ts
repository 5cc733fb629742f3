// How likely a page is a wall: the marks of vendors in the page, its headers and its address, its words and its status.
import { countWords } from '../page/count-words.ts'
import type { Survey } from '../page/survey.ts'
import { isHeadedAsWall, type Recognized, recognizedMin } from './interstitials/recognize.ts'
import type { BodyMark } from './marks/mark.ts'
import { addressMarks, headerMarks } from './marks/reply-marks.ts'
import { wallMarks } from './marks/wall-marks.ts'
import type { Finding, PageEvidence } from './page-evidence.ts'
import type { VerdictKind } from './verdict-kind.ts'

const oddsOfHint = -2
/** Words outside of links. A wall says little beside its marks; an article about walls has the phrases and a thousand words. */
const wordsOfWall = { short: 120, medium: 350, long: 700 }
const wordsOfWallWithLinks = 1_500
const searchedCharacters = 400_000
const statusesOfWalls: ReadonlySet<number> = new Set([
  401, 403, 405, 407, 429, 503, 520, 521, 522, 523, 524, 525, 526, 527, 529, 530, 999,
])
const noWall: Finding = { score: 0, kind: 'content', reason: '' }

/** What speaks for a wall beside the marks of vendors. */
interface Signs {
  readonly words: number
  /** The status is one that walls have. */
  readonly refused: boolean
  /** The words are those of a wall, more likely than not. */
  readonly speaks: boolean
  /** Some words are, or the heading. */
  readonly hints: boolean
  /** The kind of wall, where no mark says more. */
  readonly kind: VerdictKind
}

export function scoreWall(
  page: PageEvidence,
  interstitial: Recognized | undefined,
  marks: readonly BodyMark[] = wallMarks,
): Finding {
  const { status, headers, finalUrl, survey } = page
  const signs = readSigns(page, interstitial)
  const { words, refused, speaks, hints, kind } = signs
  if (words >= wordsOfWall.long || survey.words >= wordsOfWallWithLinks) return noWall
  const findings: Finding[] = [noWall]
  const find = (score: number, reason: string, own: VerdictKind = kind) =>
    findings.push({ score, kind: own, reason })
  const header = headerMarks.find((mark) => mark.pattern.test(headers[mark.header] ?? ''))
  if (header) find(0.97, `${header.vendor} header`, header.kind)
  const searched = withoutData(page.html.slice(0, searchedCharacters))
  for (const mark of marks) {
    const score = scoreMark(mark, searched, survey, signs)
    if (score > 0) find(score, `${mark.vendor} page`, mark.kind)
  }
  const address = addressMarks.find(({ pattern }) => pattern.test(finalUrl))
  if (address && words < wordsOfWall.medium) find(0.9, `sent to ${address.vendor}`, address.kind)
  if (isCaptchaGate(searched, survey)) find(0.9, 'a captcha and nothing else', 'captcha')
  if (speaks) find(0.9, 'words')
  else if (hints && refused && words < wordsOfWall.medium) find(0.75, 'words and status')
  if (refused && words < wordsOfWall.short) find(0.7, `status ${status}`)
  return findings.reduce((best, each) => (each.score > best.score ? each : best))
}

function readSigns({ status, survey }: PageEvidence, interstitial: Recognized | undefined): Signs {
  const isWall = interstitial?.kind.isWall === true
  return {
    words: survey.words - survey.linkWords,
    refused: statusesOfWalls.has(status),
    speaks: isWall && interstitial.odds >= recognizedMin,
    hints: (isWall && interstitial.odds >= oddsOfHint) || isHeadedAsWall(survey),
    kind: kindOfWall(status, interstitial),
  }
}

function kindOfWall(status: number, interstitial: Recognized | undefined): VerdictKind {
  const { name = 'bot_wall', isWall } = interstitial?.kind ?? {}
  if (isWall === true && name !== 'bot_wall') return name
  if (status === 401 || status === 407) return 'login'
  return status === 429 ? 'rate_limited' : 'bot_wall'
}

/**
 * A certain mark in the markup or the heading decides by itself. Other words that a person can read may be quoted: on longer
 * pages they need signs.
 */
function scoreMark(
  { strength, pattern, wordsMax = wordsOfWall.long }: BodyMark,
  searched: string,
  survey: Survey,
  signs: Signs,
): number {
  const { hints, refused } = signs
  const needsSigns = strength === 'strong'
  const words = needsSigns ? survey.words : signs.words
  if (words > wordsMax || (needsSigns && !hints && !refused)) return 0
  if (!pattern.test(searched)) return 0
  const read = pattern.exec(survey.text)
  if (read !== null && isQuoted(read.index, survey)) return 0
  const isHeading = pattern.test(`${survey.title}\n${survey.heading}`)
  if (words < wordsOfWall.short || (!needsSigns && (read === null || isHeading))) return 0.99
  if (words < wordsOfWall.medium) return hints || refused ? 0.93 : 0.45
  return hints && refused ? 0.8 : 0
}

/** What stands in code or within a line is quoted; a wall says it near the beginning of a line. */
function isQuoted(at: number, { text, codeWords }: Survey): boolean {
  if (codeWords > 0) return true
  return countWords(text.slice(text.lastIndexOf('\n', at) + 1, at)) > wordsBeforeMark
}

const wordsBeforeMark = 6
const scriptEnd = /<\/script/gi
const dataStart = /<script\b[^<>]{0,300}type=["']?application\/(?:ld\+)?json|\b__next_f\.push\(/gi

/** The page without the scripts that carry data: an article in them may quote the markup of a wall. */
function withoutData(html: string): string {
  const parts: string[] = []
  let from = 0
  for (const { index } of html.matchAll(dataStart)) {
    if (index < from) continue
    parts.push(html.slice(from, index))
    scriptEnd.lastIndex = index
    const end = scriptEnd.exec(html)
    if (end === null) return parts.join('')
    from = end.index
  }
  return `${parts.join('')}${html.slice(from)}`
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
