// The name that a question about a company is about: what is left of it without the words of the question itself.
import type { Slots } from './slots.ts'

/** Words of questions about figures, filings, offerings and registries. They are left out of names. */
const questionWords = new Set(
  `a an the of for from to in on at by with about into and or as is are was were be been being it its their his her
  this that these those there what whats which who whom whose when where why how much many long did does do done has
  have had can could will would should may me my i we us our you your please show give get find tell list look up pull
  fetch read see need want know check search any some all each every most recent recently latest last newest new current
  currently previous prior past next first over since until before after during between per year years yearly annual
  annually quarter quarters quarterly month months monthly week weeks fiscal fy ytd q1 q2 q3 q4 period ended ending
  today now ago january february march april june july august september october november december
  revenue revenues sales turnover income net profit profits profitable profitability earnings earn earned earns loss
  losses assets liabilities equity cash gross operating margin margins total amount number numbers figure figures
  financials balance sheet statement statements result results make made makes making money dollars usd worth
  much value size
  sec edgar filing filings file filed files report reports reported reporting disclose disclosed disclosure disclosures
  submit submitted document documents form forms registrant proxy prospectus
  10-k 10k 10-q 10q 8-k 8k 20-f 20f 40-f 6-k s-1 s1 13f 13-f def14a
  raise raised raises raising round rounds fund funded funding fundraising fundraise funds investor investors
  investment offering offerings exempt regulation reg d private placement securities seed series exemption
  company companies business firm corporate entity entities organization organisation legal official registered
  registration registry registries register identifier identifiers id ids cross lei cik ein isin kyc kyb aml compliance
  due diligence verify verification canonical ticker symbol stock sanctions sanctioned
  according say said says state stated states speak`.split(/\s+/),
)
const formOrPeriod =
  /^(?:fy)?(?:19|20)?\d{2}$|^(?:fy|q[1-4])\d{2,4}$|^\d+$|^(?:10|8|20|40|6|s)-?[a-z0-9]$/i
const token = /\$?[\p{L}\p{N}](?:[\p{L}\p{N}.'’&-]*[\p{L}\p{N}])?|&/gu
const raisedCapital = /\brais\w+ (?:new |private )?capital\b|\bcapital rais\w+/gi
/** Words that stand between the words of a name. */
const joining = /^(?:&|of|and|the|de)$/i
/** They ask which companies there are, so they are about none. */
const asksWhich =
  /\b(?:which|what|any|all|list of) (?:public |private |listed |traded |other )?(?:companies|issuers|firms|registrants|funds|start-?ups|businesses|banks)\b|\b(?:companies|issuers|firms|registrants|start-?ups) (?:that|which|who|with|in)\b|\bwho (?:mentions?|discloses?|files?|reports?)\b/i

interface Token {
  readonly text: string
  readonly isKept: boolean
  readonly isCapital: boolean
}

/**
 * The name of the company that a question may be about, in the question's own spelling. Undefined if nothing is left of
 * it, or if it asks which companies there are.
 */
export function subjectOfCompany(question: string, { places }: Pick<Slots, 'places'>) {
  if (asksWhich.test(question)) return undefined
  const quoted = /["“]([^"”]{2,80})["”]/.exec(question)?.[1]
  if (quoted !== undefined) return quoted
  const text = question.replaceAll(raisedCapital, ' ')
  const isShouted = !/\p{Ll}/u.test(text) && /\s/.test(text.trim())
  const tokens = (isShouted ? text.toLowerCase() : text).match(token) ?? []
  const read = tokens.map((each) => readToken(each, places))
  const proper = firstRun(read, ({ isKept, isCapital }) => isKept && isCapital)
  const words = proper.length > 0 ? proper : withoutQuestion(read)
  const name = words.map((each) => each.text).join(' ')
  return name === '' ? undefined : name
}

function readToken(each: string, places: readonly string[]): Token {
  const text = each.replace(/^\$/, '')
  const plain = text.toLowerCase().replace(/['’]s?$/, '')
  const isKept =
    text !== '&' && !questionWords.has(plain) && !formOrPeriod.test(plain) && !places.includes(text)
  return { text, isKept, isCapital: /^\p{Lu}/u.test(text) }
}

/** The first name in capitals. Joining words stay between its parts: "Bank of America". */
function firstRun(tokens: readonly Token[], isPart: (each: Token) => boolean): readonly Token[] {
  const start = tokens.findIndex(isPart)
  if (start === -1) return []
  const run: Token[] = []
  for (const [at, each] of tokens.entries()) {
    if (at < start) continue
    const next = tokens[at + 1]
    const isJoint = joining.test(each.text) && next !== undefined && isPart(next)
    if (!isPart(each) && !isJoint) break
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
