// Parameters that are composed of what a goal says: addresses, fields to extract, people in a film, challenges on a
// page, and how fast, exact and recent an answer must be.
import type { CatalogEntry } from '#core/catalog.ts'
import type { PlanStep } from '#core/plan.ts'
import { isRace } from '../constraints.ts'
import type { Goal } from '../goal.ts'
import { readByName } from '../slots.ts'

/** Undefined if the goal does not say all of it. */
type ComposeValue = (goal: Goal) => unknown

const agreed =
  /\bconsent|\bagree[ds]?\b|\ballowed\b|einverstanden|stimm\p{L}+ zu|d['’]accord|consiente|de acuerdo|consent\p{L}+|concord\p{L}+|同意/iu

const consent: ComposeValue = ({ intent }) => (agreed.test(intent) ? true : undefined)

const performersMax = 2

/** Photos in the order of the text: the left one first, unless the text begins with the right one. */
const performers: ComposeValue = ({ intent, known }) => {
  const photos = known.get('job or transaction id') ?? []
  if (!agreed.test(intent) || photos.length === 0 || photos.length > performersMax) return undefined
  const startsRight =
    /\bright\b[\s\S]*\bleft\b/i.test(intent) || !/\bleft\b|\blinks\b/i.test(intent)
  const slots = startsRight && photos.length === 1 ? ['right'] : ['left', 'right']
  return photos.map((id, at) => ({ slot: slots[at], image_file_ids: [id], consent: true }))
}

interface PostalAddress {
  readonly name: string
  readonly line1: string
  readonly city: string
  readonly state: string
  readonly zip: string
  /** What stands before it. */
  readonly before: string
}

const postal =
  /([\p{L}\d.&’' -]{2,80}),\s*(\d+\s[^,;\n]{2,80}(?:,\s*(?:apt|unit|suite|floor|#)[^,;\n]{1,20})?),\s*(\p{Lu}[\p{L}. ]{1,40}?),?\s+([A-Z]{2}),?\s+(\d{5}(?:-\d{4})?)\b/giu
const leads = /^[\s\S]*\b(from|sender|to|recipient|for|deliver(?:ed|y)?|ship(?:ped)?)\b:?\s+/i

function readAddresses(text: string): readonly PostalAddress[] {
  return [...text.matchAll(postal)].map((match) => {
    const [, said = '', line1 = '', city = '', state = '', zip = ''] = match
    const name = said.replace(leads, '').trim()
    const before = `${text.slice(0, match.index)}${said.slice(0, said.length - name.length)}`
    return { name, line1, city, state, zip, before }
  })
}

const isSender = ({ before }: PostalAddress) => /\b(?:from|sender)\b:?\s*(?:\S+\s*)?$/i.test(before)

const mailAddress = ({ name, line1, city, state, zip }: PostalAddress) => ({
  name,
  line1,
  city,
  state,
  zip,
})

const sender: ComposeValue = ({ intent }) => {
  const addresses = readAddresses(intent)
  const found = addresses.find(isSender) ?? (addresses.length > 1 ? addresses[0] : undefined)
  return found && mailAddress(found)
}

const recipient: ComposeValue = ({ intent }) => {
  const addresses = readAddresses(intent)
  const found = addresses.findLast((one) => !isSender(one))
  return found && mailAddress(found)
}

const shipping: ComposeValue = (goal) => {
  const found = readAddresses(goal.intent).findLast((one) => !isSender(one))
  if (found === undefined) return undefined
  const { name, line1, city, state, zip } = found
  return { name, address_1: line1, city, state, zip }
}

const buyer =
  /\b[Bb]uyer(?:\s+is|:)?(?:\s+me)?,?\s+(\p{Lu}[\p{L}’'-]+(?:\s\p{Lu}[\p{L}’'-]+){1,2})/u

/** Senders order their own mail, unless the goal names another buyer. */
const buyerName: ComposeValue = ({ intent }) =>
  buyer.exec(intent)?.[1] ?? readAddresses(intent).find(isSender)?.name

/** The last quotation: a subject comes before it. */
const mailText: ComposeValue = ({ known, intent }) =>
  known.get('quotation')?.at(-1) ??
  behind(
    intent,
    /\b(?:saying|that says|(?:and|with) (?:the )?(?:text|body|message)|(?:tell|telling|let) (?:her|him|them)(?: know)?(?: that)?):?\s+/i,
  )

const copied = /\b(?:cc|copy(?: to)?|with)\s*:?\s*([\w.+-]+@[\w.-]+\w)(?:\s+in (?:copy|cc))?/giu

/** Who gets a copy: `with ann@example.com in copy`. */
function readCopied(intent: string): readonly string[] {
  return [...intent.matchAll(copied)]
    .filter(([said]) => /^(?:cc|copy)|in (?:copy|cc)$/i.test(said))
    .map(([, address = '']) => address)
}

const copyTo: ComposeValue = ({ intent }) => readCopied(intent)[0]

const mailTo: ComposeValue = ({ intent, known }) => {
  const copies = readCopied(intent)
  const others = (known.get('e-mail address') ?? []).filter((address) => !copies.includes(address))
  return others.length > 1 ? others : others[0]
}

/** Returns the query as it is written. */
const sparql: ComposeValue = ({ intent }) =>
  /\b(?:PREFIX|SELECT|ASK|DESCRIBE|CONSTRUCT)\b[\s\S]*\{[\s\S]*/.exec(intent)?.[0]

const mailSubject: ComposeValue = (goal) => {
  const { known, intent } = goal
  const quoted = known.get('quotation') ?? []
  const named = behind(intent, /\b(?:subject|betreff|asunto|objet|assunto|oggetto):?\s+/i)
  if (named !== undefined && quoted.length === 0) return named
  return quoted.length > 1 || named !== undefined ? quoted[0] : undefined
}

/** The words behind a mark, until the next part of the sentence. */
function behind(text: string, mark: RegExp): string | undefined {
  const match = mark.exec(text)
  const rest = match && text.slice(match.index + match[0].length)
  return (
    rest
      ?.split(/[.;\n]|,?\s+(?:and|with)\s+(?:the\s+)?(?:text|body|subject|message)\b/i)[0]
      ?.trim() || undefined
  )
}

const fieldsMax = 20
const fieldWordsMax = 5
const listed =
  /\{([^{}]{3,300})\}|\b(?:fields?|columns?|table|schema|felder|spalten|champs|campos)\s*[:=]\s*([^.;\n]{3,300})|\b(?:extract|fill|pull(?: out)?|read out|grab|scrape)\s+(?:the\s+)?((?:[^.;:\n{}]{2,60},\s*){1,15}[^.;:\n{}]{2,60}|[\w ]{2,40}\s+and\s+[\w ]{2,40}?)(?=\s+(?:as|from|in|into|of|for|out|on)\b|[.:;\n]|$)/iu

/** What is to be read from a page: `{name, price, stock}`, or `fields: name and price`. */
function readFields(text: string): readonly string[] {
  const [, braced, headed, told] = listed.exec(text.replaceAll(/https?:\/\/\S+/g, ' ')) ?? []
  const fields = (braced ?? headed ?? told ?? '')
    .split(/[,、]|\s(?:and|und|et|y|e)\s/u)
    .map((field) =>
      field.replace(/^\s*(?:and|und|et|y|the|whether)\s+|\s+(?:as|in)\s+json.*$/giu, '').trim(),
    )
    .filter((field) => field !== '' && field.split(/\s+/).length <= fieldWordsMax)
  return fields.slice(0, fieldsMax)
}

/** `extract the plans as JSON`: one thing. */
const oneField =
  /\b(?:extract|pull(?: out)?|grab|return|get|give me)\s+(?:all\s+)?(?:the\s+)?(\p{L}[\p{L}\d -]{2,60}?)\s+(?:as|in(?:to)?)\s+(?:a\s+)?(?:json|table|csv|structured)/iu

const schema: ComposeValue = ({ intent }) => {
  const listedFields = readFields(intent)
  const [, one] = oneField.exec(intent.replaceAll(/https?:\/\/\S+/g, ' ')) ?? []
  const fields = listedFields.length > 0 || one === undefined ? listedFields : [one]
  if (fields.length === 0) return undefined
  const named = fields.map((field) => {
    const name = field
      .replace(/:.*$/, '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\d]+/gu, '_')
      .replaceAll(/^_+|_+$/g, '')
    return [name, { description: field }] as const
  })
  return { type: 'object', properties: Object.fromEntries(named.filter(([name]) => name !== '')) }
}

const fieldList: ComposeValue = ({ intent }) => readFields(intent).join(', ') || undefined

/** What to extract, in the caller's words. */
const instruction: ComposeValue = ({ intent }) =>
  intent.replaceAll(/https?:\/\/[^\s,;]+/g, 'the page').slice(0, instructionCharactersMax)
const instructionCharactersMax = 1_000

const productPages: ComposeValue = ({ known }) =>
  known.get('ASIN')?.map((asin) => ({ url: `https://www.amazon.com/dp/${asin}` }))

const subreddits: ComposeValue = ({ known }) =>
  known.get('subreddit')?.map((name) => ({ url: `https://www.reddit.com/r/${name}` }))

const challenge: ComposeValue = ({ intent, known }) => {
  const type = /turnstile/i.test(intent)
    ? 'TurnstileTaskProxyless'
    : /hcaptcha/i.test(intent)
      ? 'HCaptchaTaskProxyless'
      : /recaptcha(?!\s*v3)/i.test(intent)
        ? 'RecaptchaV2TaskProxyless'
        : undefined
  const [websiteURL] = known.get('URL') ?? []
  const websiteKey = readByName(intent, 'website_key', true)
  if (type === undefined || websiteURL === undefined || websiteKey === undefined) return undefined
  return { type, websiteURL, websiteKey }
}

const exact = /\b(?:verbatim|word for word|exact (?:wording|text)|full texts?|whole texts?)\b/i
const asOfDay = /\b(?:as of|as it was on|as it stood on)\b/i

const timeCritical: ComposeValue = ({ constraints }) => (isRace(constraints) ? true : undefined)
const fidelityRequired: ComposeValue = ({ intent, constraints: { quality } }) =>
  quality === 'verified' || exact.test(intent) ? true : undefined
const asOf: ComposeValue = ({ intent, known }) =>
  asOfDay.test(intent) ? known.get('date')?.[0]?.replaceAll('-', '') : undefined
const fileName =
  /(?<![\w./@-])[\w-][\w.-]{0,100}\.(?:pdf|docx?|xlsx?|pptx?|csv|tsv|txt|md|json|xml|html?|zip|png|jpe?g|gif|webp|svg|heic|mp[34]|m4a|wav|mov|webm)(?![\w/])/i

/** A file that is named without an address. */
const namedFile: ComposeValue = ({ intent }) => fileName.exec(intent)?.[0]

const conceptAction = 'ns_filings/concept'
/** Maps what people call them to tags of the US-GAAP taxonomy. A tag that is written out counts first. */
const conceptNames: readonly (readonly [tag: string, said: RegExp])[] = [
  ['NetIncomeLoss', /\bnet income\b|\bprofits?\b|\bearnings\b|\bgewinn\b|\bbénéfice\b/iu],
  ['Revenues', /\brevenues?\b|\bturnover\b|\bumsatz\b|\bchiffre d['’]affaires\b/iu],
  ['Assets', /\bassets\b/iu],
  ['Liabilities', /\bliabilities\b/iu],
]
const writtenConcepts = /\b(?:us-gaap:|ifrs-full:)?((?:[A-Z][a-z]+){2,})\b/g

function conceptsIn(text: string, { known }: Goal): readonly string[] {
  const companies = known.get('company') ?? []
  const written = [...text.matchAll(writtenConcepts)]
    .map(([, tag = '']) => tag)
    .filter((tag) => !companies.some((name) => name.includes(tag)))
  const named = conceptNames.filter(([, said]) => said.test(text)).map(([tag]) => tag)
  return [...new Set([...written, ...named])]
}

/** Its own words say which, or those of a goal before it. */
function conceptsOf(goal: Goal): readonly string[] {
  const own = conceptsIn(goal.text, goal)
  return own.length > 0 ? own : conceptsIn(goal.intent, goal).slice(0, 1)
}

const concept: ComposeValue = (goal) => conceptsOf(goal)[0]

/** A call reads one concept, and a goal may name several: the parameters of the further calls. */
export const forFurtherConcepts = (
  { id }: CatalogEntry,
  params: PlanStep['params'],
  goal: Goal,
): readonly PlanStep['params'][] =>
  id === conceptAction
    ? conceptsOf(goal)
        .filter((tag) => tag !== params.concept)
        .map((tag) => ({ ...params, concept: tag }))
    : []

/** By `service/action.parameter`, or by `action.parameter` for the actions of this name of all services. */
const composedValues: Readonly<Record<string, ComposeValue>> = {
  'lead/generate.consent': consent,
  'performance/generate.performers': performers,
  ...ofBoth('ns_print/validate', 'ns_print/order', { sender, recipient, buyer_name: buyerName }),
  ...ofBoth('ns_wine/purchase', 'ns_jewelry/purchase', { shipping }),
  ...ofBoth('ns_mail/send', 'ns_mail/reply', { text: mailText }),
  'ns_mail/send.subject': mailSubject,
  'ns_mail/send.to': mailTo,
  'ns_mail/send.cc': copyTo,
  'ns_knowledge/sparql.query': sparql,
  'amazon/reviews.productUrls': productPages,
  'reddit/posts.startUrls': subreddits,
  'ns_render_a/extract.prompt': instruction,
  'ns_render_b/extract.prompt': instruction,
  'extract.prompt': instruction,
  'extract.schema': schema,
  'onesearch.timeCritical': timeCritical,
  'onesearch.fidelityRequired': fidelityRequired,
  'onesearch.asOf': asOf,
  'ns_resi/extract.extract_properties': fieldList,
  'ns_captcha/solve.task': challenge,
  [`${conceptAction}.concept`]: concept,
  'files/upload.filename': namedFile,
  'ns_media/upload.file_name': namedFile,
}

export const composeValue = ({ id, action }: CatalogEntry, name: string, goal: Goal): unknown =>
  (composedValues[`${id}.${name}`] ?? composedValues[`${action.name}.${name}`])?.(goal)

function ofBoth(one: string, other: string, values: Readonly<Record<string, ComposeValue>>) {
  return Object.fromEntries(
    [one, other].flatMap((id) =>
      Object.entries(values).map(([name, compose]) => [`${id}.${name}`, compose]),
    ),
  )
}
