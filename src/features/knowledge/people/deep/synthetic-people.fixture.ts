// People with known facts, and vendors that know some of them and say wrong things at known rates. The same seed gives
// the same people and the same answers.
import { createHash } from 'node:crypto'
import type { HttpRequest } from '#core/ports.ts'
import type { StrictVendors } from '../people-context.fixture.ts'
import type { PersonField } from '../person.ts'

export interface TruePerson extends Readonly<Record<PersonField, string>> {
  readonly at: number
  readonly domain: string
  readonly formerEmail: string
}

const firstNames =
  'Ada Ben Carla Dmitri Elena Farid Greta Hugo Ines Jonas Kira Liam Mona Nils Olga Pedro Rosa Sven Tara Umar'.split(
    ' ',
  )
const lastNames =
  'Abel Brandt Castro Dumont Eriksen Fischer Garcia Haddad Ivanova Jensen Kaya Larsen Moreau Novak Okafor Petrov Quist Rossi Silva Tanaka Ueda Varga Weber Ximenes Yilmaz Zhang'.split(
    ' ',
  )
const companyNames =
  'Alder Birch Cedar Dogwood Elm Fir Gorse Hazel Ivy Juniper Larch Maple Oak Pine Rowan Spruce Teak Willow Yew Aspen'.split(
    ' ',
  )
const jobs = ['CEO', 'CTO', 'Head of Sales', 'Nurse', 'Data Engineer', 'Buyer', 'Recruiter']

/** Of the same arguments, which are asked for often. */
const chances = new Map<string, number>()

/** A number between 0 and 1 that only its arguments decide. */
function chance(...of: readonly (string | number)[]): number {
  const text = of.join('|')
  const known = chances.get(text)
  if (known !== undefined) return known
  const number = createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32
  chances.set(text, number)
  return number
}

const pick = <Value>(list: readonly Value[], ...of: readonly (string | number)[]) =>
  list[Math.floor(chance(...of) * list.length)] as Value

const addressForms = [
  (first: string, last: string) => `${first}.${last}`,
  (first: string, last: string) => `${first[0]}${last}`,
  (first: string, last: string) => `${first}${last[0]}`,
]

function createPerson(seed: number, at: number): TruePerson {
  const [first, last] = [pick(firstNames, seed, at, 'first'), pick(lastNames, seed, at, 'last')]
  const company = pick(companyNames, seed, at, 'company')
  const local = pick(addressForms, seed, company)(first.toLowerCase(), last.toLowerCase())
  const domain = `${company.toLowerCase()}.example`
  const former = pick(companyNames, seed, at, 'former').toLowerCase()
  return {
    at,
    name: `${first} ${last}`,
    title: pick(jobs, seed, at, 'job'),
    company,
    domain,
    linkedin: `https://www.linkedin.com/in/${first}-${last}-${at}`.toLowerCase(),
    email: `${local}@${domain}`,
    formerEmail: `${first}.${last}@${former}.example`.toLowerCase(),
    phone: `+1${2_000_000_000 + at}`,
  }
}

/**
 * With namesakes, but not in one company, where not even a person could tell them apart. No two have the same address.
 */
function createPeople(seed: number, count: number): readonly TruePerson[] {
  const people: TruePerson[] = []
  const taken = new Set<string>()
  for (let at = 0; people.length < count; at += 1) {
    const person = createPerson(seed, at)
    if (!taken.has(person.email)) people.push(person)
    taken.add(person.email)
  }
  return people.map((person, at) => ({ ...person, at }))
}

interface VendorRates {
  /** The share of the people whom it knows. */
  readonly known: number
  /** The share of its answers that are wrong. */
  readonly lies: number
}

export type Rates = Readonly<Record<string, VendorRates>>

export const usualRates: Rates = {
  'email-finder': { known: 0.6, lies: 0.15 },
  linkedin: { known: 0.5, lies: 0.1 },
  contacts: { known: 0.65, lies: 0.06 },
  'email-search': { known: 0.5, lies: 0.12 },
  'phone-finder': { known: 0.5, lies: 0.1 },
  phone: { known: 0.5, lies: 0.08 },
  enrich: { known: 0.6, lies: 0.08 },
  'person-from-email': { known: 0.5, lies: 0.05 },
  index: { known: 0.8, lies: 0.05 },
}

/** How often a verifier is wrong about a mailbox, and how often it cannot tell. */
const verifierRates = { wrong: 0.03, unknown: 0.06 }
/** People whom no vendor knows. */
const unknownShare = 0.1

export function createWorld(seed: number, count: number, rates: Rates = usualRates) {
  const people = createPeople(seed, count)
  const byProfile = new Map(people.map((person) => [person.linkedin, person]))
  const byEmail = new Map(people.map((person) => [person.email, person]))
  const mailboxes = new Set(people.flatMap(({ email, formerEmail }) => [email, formerEmail]))

  const ofName = (name: string, place: string) =>
    people.find((person) => person.name === name && [person.company, person.domain].includes(place))
  /** What a vendor says: of the person, of another one, or nothing. */
  function say(vendor: string, person: TruePerson | undefined) {
    const { known, lies } = rates[vendor] ?? { known: 0, lies: 0 }
    if (person === undefined || chance(seed, person.at, 'unknown') < unknownShare) return undefined
    if (chance(seed, vendor, person.at) >= known) return undefined
    const isLie = chance(seed, vendor, person.at, 'lie') < lies
    const kind = pick(
      ['guess', 'guess', 'guess', 'other', 'former'],
      seed,
      vendor,
      person.at,
      'kind',
    )
    const other = pick(people, seed, vendor, person.at, 'other')
    return { person, other: other === person ? undefined : other, lie: isLie ? kind : undefined }
  }
  type Said = NonNullable<ReturnType<typeof say>>

  function emailOf({ person, other, lie }: Said, vendor: string): string {
    if (lie === undefined) return person.email
    if (lie === 'former') return person.formerEmail
    if (lie === 'other' && other !== undefined) return other.email
    const [first = '', last = ''] = person.name.toLowerCase().split(' ')
    return `${last}.${first}${chance(seed, vendor, person.at) < 0.5 ? '' : '1'}@${person.domain}`
  }
  const recordOf = (said: Said) => (said.lie === 'other' && said.other ? said.other : said.person)
  const phoneOf = ({ person, lie }: Said, vendor: string) =>
    lie === undefined
      ? person.phone
      : `+1${3_000_000_000 + Math.floor(chance(seed, vendor, person.at, 'number') * 1e9)}`

  function verdictOf(email: string, verifier: string): 'good' | 'bad' | 'unknown' {
    const luck = chance(seed, verifier, email)
    if (luck < verifierRates.unknown) return 'unknown'
    const isGood = mailboxes.has(email) !== luck < verifierRates.unknown + verifierRates.wrong
    return isGood ? 'good' : 'bad'
  }

  const found = (said: Said | undefined, vendor: string) => {
    if (said === undefined) return { data: { email: null } }
    const { name, title, company } = recordOf(said)
    const email = emailOf(said, vendor)
    return { data: { email, full_name: name, position: title, company, score: 90 } }
  }
  const searches: (Said | undefined)[] = []

  const contact = createVendor({
    'GET /v1/people/linkedin': ([...keys], { profile = '', include_phone }) => {
      expectKeys(keys, ['profile', 'include_phone'])
      const said = say('contacts', byProfile.get(profile))
      const phone = include_phone === 'true' ? say('phone', byProfile.get(profile)) : undefined
      if (said === undefined && phone === undefined) return { status: 404, body: {} }
      const work = said ? [emailOf(said, 'contacts')] : []
      const contacts = { email: work, work_email: work, personal_email: [] }
      return { body: { profile: { ...contacts, phone: phone ? [phoneOf(phone, 'phone')] : [] } } }
    },
    'GET /v1/email/enrich': ([...keys], { email = '' }) => {
      expectKeys(keys, ['email'])
      const said = say('person-from-email', byEmail.get(email))
      if (said === undefined) return { status: 404, body: {} }
      const { name, title, company, linkedin } = recordOf(said)
      return {
        body: {
          profile: { full_name: name, headline: title, url: linkedin, company: { name: company } },
        },
      }
    },
    'GET /v1/email/verify': ([...keys], { email = '' }) => {
      expectKeys(keys, ['email'])
      const status = { good: 'valid', bad: 'invalid', unknown: 'unknown' }[verdictOf(email, 'a')]
      return { body: { data: { status } } }
    },
  })
  const emailA = createVendor({
    'GET /email-finder': ([...keys], { full_name = '', domain, company }) => {
      expectKeys(keys, ['full_name', domain === undefined ? 'company' : 'domain'])
      const person = ofName(full_name, domain ?? company ?? '')
      const answer = found(say('email-finder', person), 'email-finder')
      // It repeats the name that it was sent.
      return { body: answer.data.email === null ? answer : { data: { ...answer.data, full_name } } }
    },
    'GET /linkedin': ([...keys], { url = '' }) => {
      expectKeys(keys, ['url'])
      return { body: found(say('linkedin', byProfile.get(url)), 'linkedin') }
    },
    'GET /phone-finder': ([...keys], { linkedin, email }) => {
      expectKeys(keys, [linkedin === undefined ? 'email' : 'linkedin'])
      const person = linkedin === undefined ? byEmail.get(email ?? '') : byProfile.get(linkedin)
      const said = say('phone-finder', person)
      return { body: { data: said ? { e164_format: phoneOf(said, 'phone-finder') } : {} } }
    },
    'GET /enrich': ([...keys], { email = '' }) => {
      expectKeys(keys, ['email'])
      const { data } = found(say('enrich', byEmail.get(email)), 'enrich')
      return { body: { data: { ...data, email } } }
    },
    'GET /email-verifier': ([...keys], { email = '' }) => {
      expectKeys(keys, ['email'])
      const said = verdictOf(email, 'b')
      const result = { good: 'deliverable', bad: 'undeliverable', unknown: 'risky' }[said]
      return { body: { data: { email: { email, result } } } }
    },
  })
  const emailB = createVendor({
    'POST /email-search': ([...keys], { firstname = '', lastname = '', domainOrCompany = '' }) => {
      expectKeys(keys, ['firstname', 'lastname', 'domainOrCompany'])
      searches.push(say('email-search', ofName(`${firstname} ${lastname}`, domainOrCompany)))
      return { body: { success: true, item: { _id: String(searches.length - 1), status: 'NONE' } } }
    },
    'POST /bulk-single-searchs/read': ([...keys], { id = '' }) => {
      expectKeys(keys, ['id'])
      const said = searches[Number(id)]
      const emails = said ? [{ email: emailOf(said, 'email-search') }] : []
      const status = said ? 'FOUND' : 'NOT_FOUND'
      return { body: { success: true, items: [{ _id: id, status, results: { emails } }] } }
    },
  })
  const index = createVendor({
    'POST /search': ([...keys], { query = '' }) => {
      expectKeys(keys, ['query', 'type', 'numResults', 'category'])
      const [name = '', place = ''] = query.split(', ')
      const said = say('index', ofName(name, place))
      const namesakes = people.filter((person) => person.name === name && person.company !== place)
      const listed = [...(said ? [recordOf(said)] : []), ...namesakes].slice(0, 5)
      const results = listed.map((person) => ({
        id: person.linkedin,
        url: person.linkedin,
        title: `${person.name} | ${person.title} at ${person.company}`,
      }))
      return { body: { results } }
    },
  })
  const vendors: StrictVendors = {
    ns_contact: contact,
    ns_email_a: emailA,
    ns_email_b: emailB,
    ns_semantic: index,
  }
  return { people, vendors }
}

type Reply = { readonly status?: number; readonly body: unknown }
type Handler = (keys: readonly string[], fields: Readonly<Record<string, string>>) => Reply

function expectKeys(keys: readonly string[], known: readonly string[]) {
  const strange = keys.filter((key) => !known.includes(key))
  const lacking = known.filter((key) => !keys.includes(key))
  if (strange.length + lacking.length > 0)
    throw new Error(`The vendor does not know ${strange.join()} and needs ${lacking.join()}.`)
}

/** A request that is not in the vendor's reference is a mistake of the gateway. */
function createVendor(handlers: Readonly<Record<string, Handler>>) {
  return ({ method, path, query, body }: HttpRequest): Reply => {
    const handler = handlers[`${method} ${path}`]
    if (handler === undefined) throw new Error(`The vendor has no ${method} ${path}.`)
    const fields = Object.entries({ ...query, ...((body ?? {}) as object) })
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, String(value)] as const)
    return handler(
      fields.map(([key]) => key),
      Object.fromEntries(fields),
    )
  }
}
