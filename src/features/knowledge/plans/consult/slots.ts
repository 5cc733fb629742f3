// Reads what an intent names: identifiers, names, quotations, and the subject that is left.
import { everywhere, type IdentifierKind, identifierPatterns } from '#core/identifier.ts'
import { quotationPattern } from '../../values/read-values.ts'

const namedPatterns = {
  quotation: quotationPattern,
  hashtag: /(?:#|\bhashtags?\s+)(\p{L}[\p{L}\d_]+)/iu,
  handle:
    /(?<![\w./])@([A-Za-z0-9_][A-Za-z0-9_.]{1,38})|\b(?:handle|username|github(?: user| profile| account| name)?(?:\s+is|:)?)\s+([\w-]{3,39})(?<!-)/i,
  subreddit: /\br\/(\w{2,30})\b/,
  id: /(?<![\p{L}\d./@#_-])([A-Za-z]{1,12}_(?=\w*\d)\w{3,}|[a-z]{1,4}-(?=[a-z\d]*\d)(?=[a-z\d]*[a-z])[a-z\d]{6,})(?![\p{L}\d@])/u,
  telephone: /(\+\d[\d\s()-]{6,20}\d)/,
  ASIN: /\b(B0[A-Z0-9]{8})\b/,
  date: /\b(\d{4}-\d{2}-\d{2})\b/,
  airport: /\b([A-Z]{3})\b/,
  person:
    /(?<![.!?]\s|^)(?<!\b(?:at|from|bei|chez)\s)(?<![-\p{L}])(\p{Lu}[\p{Ll}’']+(?:-\p{Lu}\p{Ll}+)?(?:\s(?:van|da|del|bin))?(?:\s\p{Lu}[\p{Ll}’']+(?:-\p{Lu}\p{Ll}+)?){1,2})\b/u,
  company:
    /\b(?:at|from|company|bei|chez|of|about|for|by|on|de|von)\s+((?:\p{Lu}[\p{L}\d&.’'-]*)(?:\s\p{Lu}[\p{L}\d&’'-]*){0,3})/u,
} as const

/** A kind of value that an intent may name. */
export type SlotKind =
  | IdentifierKind
  | keyof typeof namedPatterns
  | 'days'
  | 'latitude'
  | 'longitude'
  | 'listed name'
  | 'subject'
  | 'file'
  | 'project'
  | 'inbox'
  | 'message id'

/** What is known, by kind, in the order of the text. */
export type IntentSlots = ReadonlyMap<SlotKind, readonly string[]>

/** An address without its scheme: `example.com/page`. */
const bareAddress = /(?<![\w@/.-])(?:[a-z0-9-]+\.)+[a-z]{2,10}\/[^\s"')]+/gi

const messageIds = /<[^<>\s]+@[^<>\s]+>/g
const isInbox = /@agentmail\.to$/i

const valuesPerKindMax = 50

export function readSlots(text: string): IntentSlots {
  const slots = new Map<SlotKind, readonly string[]>()
  let rest = text.replaceAll(bareAddress, (address) => `https://${address}`)
  const messages = rest.match(messageIds) ?? []
  rest = rest.replaceAll(messageIds, ' ')
  if (messages.length > 0) slots.set('message id', messages)
  for (const [kind, pattern] of Object.entries(identifierPatterns)) {
    const values = [...rest.matchAll(everywhere(pattern))]
      .slice(0, valuesPerKindMax)
      .map(firstGroup)
    rest = rest.replaceAll(everywhere(pattern), ' ')
    if (values.length > 0) slots.set(kind as IdentifierKind, [...new Set(values)])
  }
  for (const [kind, pattern] of Object.entries(namedPatterns)) {
    const values = [...rest.matchAll(everywhere(pattern))].map(firstGroup)
    if (values.length > 0)
      slots.set(kind as keyof typeof namedPatterns, [...new Set(values)].slice(0, valuesPerKindMax))
  }
  const written = slots.has('person') ? undefined : readPersonAt(text)
  if (written !== undefined) {
    slots.set('person', [written.person])
    if (!slots.has('company') && written.company !== '') slots.set('company', [written.company])
  }
  const people = slots.get('person') ?? []
  const companies = (slots.get('company') ?? []).filter((name) => !people.includes(name))
  if (companies.length > 0) slots.set('company', companies)
  else slots.delete('company')
  // Addresses of the inboxes that this gateway opens.
  const addresses = slots.get('e-mail address') ?? []
  const inboxes = addresses.filter((address) => isInbox.test(address))
  if (inboxes.length > 0) {
    slots.set('inbox', inboxes)
    const others = addresses.filter((address) => !isInbox.test(address))
    if (others.length > 0) slots.set('e-mail address', others)
    else slots.delete('e-mail address')
  }
  const handles = [...(slots.get('handle') ?? []), ...readAccounts(text)]
  if (handles.length > 0) slots.set('handle', [...new Set(handles)].slice(0, valuesPerKindMax))
  const place = readCoordinates(text)
  if (place !== undefined) {
    slots.set('latitude', [place.latitude])
    slots.set('longitude', [place.longitude])
  }
  const listed = readListed(text)
  if (listed.length > 1) slots.set('listed name', listed)
  const dates = slots.get('date') ?? readDates(text)
  if (dates.length > 0) slots.set('date', dates)
  const days = readDays(text)
  if (days !== undefined) slots.set('days', [String(days)])
  const subject = subjectOf(text)
  if (subject !== '') slots.set('subject', [subject])
  return slots
}

/** `find dana whitfield at snowflake`: a name in small letters counts only beside where the person works. */
function readPersonAt(text: string) {
  const said =
    /(?:^|\b(?:find|contact|reach|email|is|of|for|about|meet|with)\s+)((?!(?:the|a|an|all|me|my|people|work|emails?|mails?|our|their|his|her|head|who|best|top)\b)\p{Ll}[\p{Ll}’'-]+\s(?!(?:at|of|from|for|who|and|the|people|work|emails?)\b)\p{Ll}[\p{Ll}’'-]+)\s+(?:at|@|from)\s+(\p{L}[\p{L}\d&’'-]*)(?!\S*\.\p{L})/u.exec(
      text,
    )
  return said?.[1] === undefined ? undefined : { person: said[1], company: said[2] ?? '' }
}

/** Names of accounts in a row: `the accounts alba, borr and cleo`. */
function readAccounts(text: string): readonly string[] {
  const said =
    /\b(?:accounts|users|profiles|perfis|perfiles|konten|comptes)\b(?:\s+p[úu]blicos)?(?:\s+(?:of|from|on|do|de|del|von)\s+\w+)?(?:\s+(?:are|called|named))?:?\s+((?:[a-z\d._-]{3,30}(?:,\s*|\s+(?:and|und|et|y|e)\s+))+[a-z\d._-]{3,30})/.exec(
      text,
    )
  return (said?.[1] ?? '').split(/,\s*|\s+(?:and|und|et|y|e)\s+/).filter((name) => name !== '')
}

const coordinates =
  /(?<![\d.])(-?\d{1,2}\.\d+)\s*°?\s*(N|S|north|south)?\b[,;\s]+(?:and\s+|lon\w*[:=]?\s*)?(-?\d{1,3}\.\d+)\s*°?\s*(E|W|east|west)?(?![\d.])/i
/** Numbers with fewer digits behind the point may be prices. */
const isExactPlace = /\.\d{3,}[\s\S]*\.\d{3,}|[NS][\s\S]*[EW]|lon/i

/** `44.98 N, 93.27 W`, `lat 47.3769, lon 8.5417`, or `46.6863, 7.8632`. */
function readCoordinates(
  text: string,
): { readonly latitude: string; readonly longitude: string } | undefined {
  const found = coordinates.exec(text)
  if (found === null || !isExactPlace.test(found[0])) return undefined
  const [, north = '', side, east = '', half] = found
  return {
    latitude: side?.toUpperCase().startsWith('S') ? `-${north}` : north,
    longitude: half?.toUpperCase().startsWith('W') ? `-${east}` : east,
  }
}

const listedWordsMax = 3

/** Names in a row after a colon: `these companies: Steiff, Playmobil and Smeg`. */
function readListed(text: string): readonly string[] {
  const [, list = ''] = /:\s+([^:.!?;\n]{3,400})(?:[.!?;\n]|$)/u.exec(text) ?? []
  const items = list.split(/\s*[,、]\s*|\s+(?:and|und|et|y|e)\s+/u).map((item) => item.trim())
  const areNames = items.every(
    (item) => item !== '' && item.split(/\s+/).length <= listedWordsMax && !/^["“'«]/.test(item),
  )
  return areNames ? items.slice(0, valuesPerKindMax) : []
}

const monthNames =
  'january february march april may june july august september october november december'.split(' ')

/** Days that are written out, as `14 November 2025` or `2025年11月14日`. */
function readDates(text: string): readonly string[] {
  const months = monthNames.map((name) => `${name}|${name.slice(0, 3)}`).join('|')
  const written = new RegExp(
    String.raw`\b(\d{1,2})(?:st|nd|rd|th)?\.?\s+(${months})\.?,?\s+(\d{4})\b|\b(${months})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})\b|(\d{4})年(\d{1,2})月(\d{1,2})日`,
    'giu',
  )
  return [...text.matchAll(written)].map(([, ...found]) => {
    const [day = '', month = '', year = ''] =
      found[0] !== undefined
        ? found
        : found[3] !== undefined
          ? [found[4], found[3], found[5]]
          : [found[8], found[7], found[6]]
    const named = monthNames.findIndex((name) => name.startsWith(month.toLowerCase().slice(0, 3)))
    const number = named === -1 ? month : String(named + 1)
    return `${year}-${number.padStart(2, '0')}-${day.padStart(2, '0')}`
  })
}

const daysOf: Readonly<Record<string, number>> = { hour: 1 / 24, day: 1, week: 7, month: 30 }

/** How many days a text looks back: `in the last 2 weeks`. */
function readDays(text: string): number | undefined {
  const said =
    /\b(?:last|past|(?:nothing|not|none|no) older than|newer than)\s+(?:(\d{1,3})\s+|an?\s+)?(hour|day|week|month)s?\b/i.exec(
      text,
    )
  const days = daysOf[said?.[2]?.toLowerCase() ?? '']
  return days === undefined ? undefined : Math.max(1, Math.round(Number(said?.[1] ?? 1) * days))
}

/** The group that matched, or else the whole match, without what ends a sentence. */
function firstGroup(match: RegExpMatchArray): string {
  const group = match.slice(1).find((each) => each !== undefined)
  return (group ?? match[0]).replace(/[.,;:!?’']+$/, '')
}

/** How people begin a request, before they say what it is about. */
const openings = [
  /^(?:hi|hello|hey|please|kindly|ok|okay|so|and|then|also|first|next|finally)\b[,!:]?\s*/i,
  /^(?:(?:can|could|would|will) you|i(?:['’]d like| want| need| would like)(?: you)?(?: to)?|help me(?: to)?|we (?:want|need)(?: to)?)\s+/i,
  /^(?:find|search|look(?:ing)?|google|get|fetch|show|list|tell|give|check|pull|research|collect|gather)\b(?:\s+(?:out|up|me|us|the web|the internet|online|for|through|all|a list of))*\s*/i,
]

/** What a request is about, without its opening words. */
function subjectOf(text: string): string {
  let rest = text.trim().replaceAll(/\s+/g, ' ')
  for (let turn = 0; turn < openings.length; turn++)
    for (const opening of openings) rest = rest.replace(opening, '')
  return rest.replace(/[.!?\s]+$/, '').slice(0, subjectCharactersMax)
}

const subjectCharactersMax = 300

/** The most that an intent says it may cost, in cents: `under 50 cents`, `a budget of $2`. */
export function readBudgetCents(intent: string): number | undefined {
  const stated =
    /(?:under|below|max(?:imum)?|at most|up to|less than|no more than|budget(?: is| of)?:?|spend)\s+(?:of\s+)?(?:(\d+(?:\.\d+)?)\s*(?:¢|cents?\b)|\$\s?(\d+(?:\.\d{1,2})?)(?!\d|[.,\d]*\s*(?:k|m|b|million|billion|thousand)\b))/i.exec(
      intent,
    )
  if (stated === null) return undefined
  // Dollars may be the price of something else: only a budget is what the calls may cost.
  const [said, cents, dollars] = stated
  if (cents !== undefined) return Math.floor(Number(cents))
  return dollars !== undefined && /budget|spend/i.test(said)
    ? Math.floor(Number(dollars) * 100)
    : undefined
}

/** What callers call a parameter. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  publication: ['newsletter', 'slug'],
  post: ['called', 'one called'],
  website_key: ['site_key'],
  subject: ['subj', 'betreff', 'asunto', 'objet', 'assunto', 'oggetto'],
  text: ['body', 'text', 'saying', 'message'],
}

/** A value that stands behind the name of its parameter: `session bs_71fe` for `session_id`, `sku LM-204` for `sku`. */
export function readByName(
  text: string,
  parameter: string,
  isPlainEnough: boolean,
): string | undefined {
  const [name = ''] = parameter
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    .split(/_(?:id|slug|number)$/)
  const known = [name, ...(otherNames[name] ?? [])]
  // Most texts have none of them, and making the expressions takes long.
  const lower = text.toLowerCase()
  const isNamed = known.some((each) => lower.includes((each.split('_')[0] ?? '').toLowerCase()))
  if (!isNamed) return undefined
  const names = known.map((each) => each.split('_').join(String.raw`[\s_-]?`))
  const words = `(?:${names.join('|')})`
  const quoted = `["“«'‘]([^"”»'’]{2,200})["”»'’]`
  const made = String.raw`([\w.+-]+@[\w.-]+\w|[\w.-]*[\d_][\w.-]*[\w-]|\w+(?:-\w+)+)`
  const plain = isPlainEnough ? String.raw`|([\p{Ll}\d]{6,})` : ''
  const label = String.raw`\b${words}s?(?:[\s_-]?(?:id|number|called|named|slug|handle))?`
  const value = `(?:${quoted}|${made}${plain})`
  // `post=x` says more than `the post: x`.
  for (const sign of [String.raw`\s?=\s?`, String.raw`(?:\s?[:#]\s*|\s+(?:is\s+)?)`]) {
    const named = new RegExp(`${label}${sign}${value}`, 'iu').exec(text)
    if (named !== null) return named.slice(1).find((group) => group !== undefined)
  }
  return undefined
}

/** The name that something new shall have: `a repository named website`. */
export function readGivenName(text: string): string | undefined {
  const name =
    /\b(?:named|called|titled|with the name|namens|nommée?|llamad[oa])\s+(?:["“«'‘]([^"”»'’]{1,100})["”»'’]|(?!(?:my|our|the|an?)\b)([\p{L}\d][\p{L}\d._-]*[\p{L}\d]))/iu.exec(
      text,
    )
  return name?.[1] ?? name?.[2]
}

/** Files that an address on the web does not reach. */
export const namesLocalFile = (text: string): boolean =>
  /\b(?:on|from|off) my (?:own )?(?:disk|drive|hard drive|laptop|computer|desktop|machine|phone|pc|camera)\b|\b(?:is|are|on|from) (?:a |the )?(?:local )?disk\b|\battached\b|\battachments?\b|\b(?:auf|von) (?:meinem|meiner) (?:rechner|computer|laptop|festplatte|handy)\b|\bim anhang\b|\bsur mon (?:disque|ordinateur|bureau|portable)\b|\bci-joint\b|\ben mi (?:disco|ordenador|computadora|portátil)\b|\badjunt[oa]s?\b|\bno meu (?:disco|computador|portátil)\b|\bsul mio (?:disco|computer)\b|我电脑|本地文件|附件|添付/iu.test(
    text,
  )

/**
 * Points at something that the text itself does not name: `this page`, `that file`, `our company`. Not at a time: `this
 * week`.
 */
export const pointsElsewhere = (text: string): boolean =>
  /\b(?:this|these|my|our|ours|dies\p{L}{0,2}|mein\p{L}{0,2}|unser\p{L}{0,2}|ce|cet|cette|ces|mon|ma|mes|notre|nos|este|esta|estos|ese|esa|aquel|mi|mis|nuestr[oa]|isto|esse|essa|meu|minha|nosso|quest[oaei]|quell[oaei]|mio|mia|nostr[oa]|dit|deze|mijn|onze)\b(?!\s+(?:week|weekend|month|year|quarter|morning|evening|afternoon|night|time|autumn|fall|spring|summer|winter|wochen?|monat|jahr|semaine|mois|ann[ée]e|semana|mes|a[ñn]o|m[eê]s|settimana|mese|anno|maand|jaar)\b)|\bthat (?:page|site|website|file|company|person|address|document|article|video|post|profile|job|one|thing|link|picture)\b|(?<!\p{L})(?:это|эту|этот|эта|мой|моя|мою|наш\p{L}?)(?!\p{L})|这个|那个|我的|我们的|この|その|あの|私の/iu.test(
    text,
  )
