// How likely a page is a wall: the marks of vendors in the page, its headers and its address, its words and its status.
import type { Survey } from '../page/survey.ts'
import { isHeadedAsWall, type Recognized, recognizedMin } from './interstitials/recognize.ts'
import type { Mark } from './marks/mark.ts'
import { markupMarks } from './marks/markup-marks.ts'
import { markupOf } from './marks/markup-of.ts'
import { addressMarks, headerMarks } from './marks/reply-marks.ts'
import { type WordMark, wordMarks } from './marks/word-marks.ts'
import type { Finding, PageEvidence } from './page-evidence.ts'
import type { VerdictKind } from './verdict-kind.ts'

const oddsOfHint = -2
/** A sentence of a vendor needs less beside it. */
const oddsBesideMark = -0.5
/**
 * Words outside of links. A wall says little beside its marks; an article about walls has the phrases and a thousand
 * words.
 */
const wordsOfWall = { short: 120, medium: 350, long: 700 }
const wordsOfWallWithLinks = 1_500
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
  /** They may be. */
  readonly hints: boolean
  /** The kind of wall, where no mark says more. */
  readonly kind: VerdictKind
}

export function scoreWall(
  page: PageEvidence,
  interstitial: Recognized | undefined,
  withoutVendor?: string,
): Finding {
  const { status, headers, finalUrl, survey } = page
  const signs = readSigns(page, interstitial)
  const { words, refused, speaks, hints, kind } = signs
  if (words >= wordsOfWall.long || survey.words >= wordsOfWallWithLinks) return noWall
  const findings: Finding[] = [noWall]
  const find = (score: number, reason: string, own: VerdictKind = kind) =>
    findings.push({ score, kind: own, reason })
  const known = ({ vendor }: Mark) =>
    withoutVendor === undefined || !vendor.startsWith(withoutVendor)
  const header = headerMarks.find((mark) => mark.pattern.test(headers[mark.header] ?? ''))
  if (header) find(0.97, `${header.vendor} header`, header.kind)
  const address = addressMarks.find(({ pattern }) => pattern.test(finalUrl))
  if (address && words < wordsOfWall.medium) find(0.9, `sent to ${address.vendor}`, address.kind)
  const markup = markupOf(page.html)
  const inMarkup = markupMarks
    .filter(known)
    .find(({ pattern, wordsMax = words }) => words <= wordsMax && pattern.test(markup))
  if (inMarkup) find(0.99, `${inMarkup.vendor} page`, inMarkup.kind)
  const isNear = isSaid(interstitial, oddsBesideMark) || refused || survey.words < wordsOfMark
  const said = wordMarks.filter(known).find((mark) => saysMark(mark, survey, isNear))
  if (said) find(0.98, `words of ${said.vendor}`, said.kind)
  if (isCaptchaGate(markup, survey)) find(0.95, 'a captcha and nothing else', 'captcha')
  if (speaks) find(0.9, 'words')
  else if (hints && refused && words < wordsOfWall.medium) find(0.75, 'words and status')
  if (refused && words < wordsOfWall.short) find(0.7, `status ${status}`)
  return findings.reduce((best, each) => (each.score > best.score ? each : best))
}

function readSigns({ status, survey }: PageEvidence, interstitial: Recognized | undefined): Signs {
  return {
    words: survey.words - survey.linkWords,
    refused: statusesOfWalls.has(status),
    speaks: isSaid(interstitial, recognizedMin),
    hints: isSaid(interstitial, oddsOfHint),
    kind: kindOfWall(status, interstitial),
  }
}

/** Whether the words are those of a wall, with at least these odds. */
function isSaid(interstitial: Recognized | undefined, odds: number): boolean {
  return interstitial?.kind.isWall === true && interstitial.odds >= odds
}

function kindOfWall(status: number, interstitial: Recognized | undefined): VerdictKind {
  const { name = 'bot_wall', isWall } = interstitial?.kind ?? {}
  if (isWall === true && name !== 'bot_wall') return name
  if (status === 401 || status === 407) return 'login'
  return status === 429 ? 'rate_limited' : 'bot_wall'
}

/**
 * In the title, the heading or the first lines of the page's own text: further down, a mark is quoted. Where nothing
 * else speaks for a wall, two sentences of one vendor below the heading do, or one that ends in an id.
 */
function saysMark({ pattern, endsInId }: WordMark, survey: Survey, isNear: boolean): boolean {
  const { title, heading, body } = survey
  const headings = heading.split('\n')
  const own = body.split('\n').filter((line) => !headings.includes(line))
  const said = new Set(own.join('\n').toLowerCase().match(pattern))
  if (said.size > 1 || (endsInId === true && said.size > 0)) return true
  const opening = [title ?? '', heading, ...body.split('\n', linesOfOpening)]
  return isNear && opening.join('\n').search(pattern) !== -1
}

/**
 * The widget of a captcha on a page that asks for nothing else: its heading says so, or there is hardly another word.
 */
function isCaptchaGate(markup: string, survey: Survey): boolean {
  if (!captchaWidget.test(markup) || entryField.test(markup)) return false
  return isHeadedAsWall(survey) || survey.words - survey.linkWords < wordsOfGate
}

const captchaWidget =
  /<altcha-widget|<[a-z][^<>]{0,200}class="[^"]{0,80}(?:g-recaptcha|h-captcha|cf-turnstile|(?:frc|smart|m)-?captcha|lemin|captchafox|procaptcha)\b(?![^>]{0,200}data-size="invisible")|gcaptcha4\.geetest|static\.geetest\.com|initGeetest|client-api\.arkoselabs|captcha\.yandex/i
/** A captcha that has run adds a field for its own response. */
const entryField =
  /<textarea(?![^>]{0,300}-response)|<select|<input(?![^>]{0,300}type=["']?(?:hidden|submit|button))/i
const linesOfOpening = 4
const wordsOfGate = 15
/** A page that says this little and a vendor's words is the vendor's. */
const wordsOfMark = 30
