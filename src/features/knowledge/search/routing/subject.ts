// The name that a question about a company is about: what is left of it without the words of the question itself.
import type { Slots } from './slots.ts'

/** Words of any question. They are left out of names. */
const grammarWords = wordsIn(
  `a an the of for from to in on at by with about and into or as is are was were be been being it its their his her
  this that these those there what whats which who whom whose when where why how much many long did does do done has
  have had can could will would should may me my i we us our you your please show give get find tell list look up pull
  fetch read see need want know check search any some all each every most recent recently latest last newest new current
  currently previous prior past next first over since until before after during between per year years yearly annual
  annually quarter quarters quarterly month months monthly week weeks fiscal fy ytd q1 q2 q3 q4 period ended ending
  today now ago january february march april june july august september october november december
  according say said says state stated states speak`,
)
/** Words of questions about figures, filings, offerings and registries. A name may begin with one: "Form Energy". */
const topicWords = wordsIn(
  `revenue revenues sales turnover income net profit profits profitable profitability earnings earn earned earns loss
  losses assets liabilities equity cash gross operating margin margins total amount number numbers figure figures
  financials balance sheet statement statements result results make made makes making money dollars usd worth
  much value size take took
  sec edgar filing filings file filed files report reports reported reporting disclose disclosed disclosure disclosures
  submit submitted document documents form forms registrant proxy prospectus notice notices
  raise raised raises raising round rounds fund funded funding fundraising fundraise funds investor
  investors investment offering offerings exempt regulation reg d private placement securities seed series exemption
  company companies business firm corporate entity entities organization organisation legal official registered
  registration registry registries register identifier identifiers id ids cross lei cik ein isin kyc kyb aml compliance
  due diligence verify verification canonical ticker symbol stock sanctions sanctioned wikidata gleif opencorporates vat duns counterparty rev sell sold
  lose loses lost paperwork`,
)
const formNames =
  /\b(?:def\s?14a|(?:schedule |sc )?13[dfg](?:-hr)?|(?:10|20|40)-?[kqf]|[86]-?k|s-?[134]|form [345d])\b/gi
const periodOrNumber = /^(?:fy)?(?:19|20)?\d{2}$|^(?:fy|q[1-4])\d{2,4}$|^\d+$/i
/** The name of a figure in XBRL. */
export const figureTag =
  /\b(?:[A-Z][a-z]+)+(?:Loss|Income|Assets|Liabilities|Revenues?|Profit|Equity|Value|Expense|Debt|Cash|Taxes|Diluted)\b/
const token = /\$?[\p{L}\p{N}](?:[\p{L}\p{N}.'’&-]*[\p{L}\p{N}])?|&/gu
const raisedCapital = /\brais\w+ (?:new |private )?capital\b|\bcapital rais\w+/gi
/** Words that stand between the words of a name. */
const joining = /^(?:&|of|and|the|de)$/i
/** They ask which companies there are, so they are about none. */
const asksWhich =
  /\b(?:which|what|any|all|list of) (?:public |private |listed |traded |other )?(?:companies|issuers|firms|registrants|funds|start-?ups|businesses|banks)\b|\b(?:companies|issuers|firms|registrants|start-?ups) (?:that|which|who|with|in)\b|\bwho (?:mentions?|discloses?|files?|reports?)\b/i

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/))
}

interface Token {
  readonly text: string
  /** A word of the topic with a capital, which a name may begin with. */
  readonly isOpening: boolean
  readonly isKept: boolean
  readonly isCapital: boolean
}

/**
 * The name of the company that a question may be about, in the question's own spelling. Undefined if nothing is left of
 * it, or if it asks which companies there are. `isWhole`: all that is left, not only the first name in capitals.
 */
export function subjectOfCompany(
  question: string,
  { places }: Pick<Slots, 'places'>,
  isWhole = false,
): string | undefined {
  if (asksWhich.test(question)) return undefined
  const quoted = /["“]([^"”]{2,80})["”]/.exec(question)?.[1]
  if (quoted !== undefined) return quoted
  const text = [raisedCapital, formNames, new RegExp(figureTag, 'g')].reduce(
    (rest, pattern) => rest.replaceAll(pattern, ' '),
    question,
  )
  const isShouted = !/\p{Ll}/u.test(text) && /\s/.test(text.trim())
  const tokens = (isShouted ? text.toLowerCase() : text).match(token) ?? []
  const read = tokens.map((each) => readToken(each, places))
  const proper = firstRun(read, ({ isKept, isCapital }) => isKept && isCapital)
  const words = proper.length > 0 && !isWhole ? proper : withoutQuestion(read)
  const name = words.map((each) => each.text).join(' ')
  return name === '' ? undefined : name
}

/** Whether a question says no more than a company and a period. */
export function isOnlySubject(question: string, slots: Pick<Slots, 'places'>): boolean {
  const name = subjectOfCompany(question, slots)
  const rest = question.replace(name ?? '', ' ').match(token) ?? []
  return rest.every((each) => grammarWords.has(each.toLowerCase()) || periodOrNumber.test(each))
}

function readToken(each: string, places: readonly string[]): Token {
  const text = each.replace(/^\$/, '')
  const plain = text.toLowerCase().replace(/['’]s?$/, '')
  const isTopic = topicWords.has(plain)
  const isName = !isTopic && !grammarWords.has(plain) && !periodOrNumber.test(plain)
  const isKept = isName && text !== '&' && !places.includes(text)
  const isOpening = isTopic && /^\p{Lu}\p{Ll}/u.test(text)
  return { text, isKept, isOpening, isCapital: /^\p{Lu}/u.test(text) }
}

/** The first name in capitals. Joining words stay between its parts: "Bank of America". */
function firstRun(tokens: readonly Token[], isPart: (each: Token) => boolean): readonly Token[] {
  const first = tokens.findIndex(isPart)
  if (first === -1) return []
  // The first word of a sentence has a capital for another reason.
  const start = first > 1 && tokens[first - 1]?.isOpening === true ? first - 1 : first
  const run: Token[] = []
  for (const [at, each] of tokens.entries()) {
    if (at < start) continue
    const next = tokens[at + 1]
    const isJoint = joining.test(each.text) && next !== undefined && isPart(next)
    if (at >= first && !isPart(each) && !isJoint) break
    run.push(each)
    // A possessive ends a name.
    if (/['’]s?$/.test(each.text)) break
  }
  return run
}

const withoutQuestion = (tokens: readonly Token[]): readonly Token[] =>
  tokens.filter(
    ({ text, isKept }, at) =>
      isKept ||
      (joining.test(text) && tokens[at - 1]?.isKept === true && tokens[at + 1]?.isKept === true),
  )
