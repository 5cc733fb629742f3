// The actions that fill fields: what each needs to know of a person, what it finds, and how it is polled.
import {
  areCompaniesAlike,
  areNamesAlike,
  canonicalProfile,
  type Person,
  type PersonField,
} from '../person.ts'
import { peopleSources } from '../sources.ts'

/** What a source says of a person: values of a field with the likeliest one first. */
export type PersonRecord = { readonly [field in PersonField]?: readonly string[] }

export interface FillStep {
  /** The action, and a word for the way in which it is asked, if there are several. */
  readonly id: string
  readonly action: string
  readonly fills: readonly PersonField[]
  /** Undefined if too little is known of the person. */
  readonly input: (person: Person) => object | undefined
  read(data: unknown, person: Person): PersonRecord
  /**
   * What is expected of a try, before this gateway has seen one: how often it fills the field, and what it costs with
   * polls and verification.
   */
  readonly prior: { readonly share: number; readonly cents: number }
  /** How an answer that only says that the work has begun is followed. */
  readonly poll?: {
    readonly action: string
    input(launched: unknown): object
    isRunning(data: unknown): boolean
  }
}

interface FoundEmail {
  readonly email?: string | null
  readonly full_name?: string | null
  readonly position?: string | null
  readonly company?: string | null
}

const readFound = ({ email, full_name, position, company }: FoundEmail): PersonRecord => ({
  ...list('email', email),
  ...list('name', full_name),
  ...list('title', position),
  ...list('company', company),
})

const list = (field: PersonField, value: unknown): PersonRecord =>
  typeof value === 'string' && value.trim() !== '' ? { [field]: [value.trim()] } : {}

interface Contacts {
  readonly work_email: readonly string[]
  readonly email: readonly string[]
  readonly personal_email: readonly string[]
  readonly phone: readonly string[]
}

const readContacts = ({ profile }: { readonly profile: Contacts }): PersonRecord => ({
  email: [...new Set([...profile.work_email, ...profile.email, ...profile.personal_email])],
  phone: profile.phone,
})

const byProfile =
  (field: string, more: object = {}) =>
  ({ linkedin }: Person) =>
    linkedin === undefined ? undefined : { [field]: linkedin, ...more }

/** A name of at least two words, with the company. */
function nameAt({ name, company, domain }: Person) {
  const words = name?.split(/\s+/) ?? []
  const place = domain ?? company
  return name === undefined || words.length < 2 || place === undefined
    ? undefined
    : { name, first: words[0] ?? '', last: words.slice(1).join(' '), place }
}

export const fillSteps: readonly FillStep[] = [
  {
    id: 'ns_email_a/email-finder',
    action: 'ns_email_a/email-finder',
    fills: ['email', 'title', 'company'],
    input(person) {
      const known = nameAt(person)
      if (known === undefined) return undefined
      const { domain } = person
      return { full_name: known.name, ...(domain ? { domain } : { company: known.place }) }
    },
    read: readFound,
    prior: { share: 0.5, cents: 3 },
  },
  {
    id: 'ns_email_a/linkedin-finder',
    action: 'ns_email_a/linkedin-finder',
    fills: ['email', 'name', 'title', 'company'],
    input: byProfile('url'),
    read: readFound,
    prior: { share: 0.4, cents: 2.8 },
  },
  {
    id: 'ns_contact/linkedin-contacts',
    action: 'ns_contact/linkedin-contacts',
    fills: ['email'],
    input: byProfile('profile'),
    read: readContacts,
    prior: { share: 0.6, cents: 7.2 },
  },
  {
    id: 'ns_contact/linkedin-contacts phone',
    action: 'ns_contact/linkedin-contacts',
    fills: ['phone'],
    input: byProfile('profile', { include_phone: true }),
    read: readContacts,
    prior: { share: 0.4, cents: 14 },
  },
  {
    id: 'ns_email_b/email-search',
    action: 'ns_email_b/email-search',
    fills: ['email'],
    input(person) {
      const known = nameAt(person)
      return known && { firstname: known.first, lastname: known.last, domainOrCompany: known.place }
    },
    read: ({ items }) => ({
      email: ((items[0]?.results?.emails ?? []) as { email?: unknown }[]).flatMap(({ email }) =>
        typeof email === 'string' ? [email] : [],
      ),
    }),
    prior: { share: 0.4, cents: 6.8 },
    poll: {
      action: 'ns_email_b/result',
      input: ({ item }) => ({ id: item._id }),
      isRunning: ({ items }) => items[0]?.state === 'in_progress',
    },
  },
  {
    id: 'ns_email_a/phone-finder',
    action: 'ns_email_a/phone-finder',
    fills: ['phone'],
    input: ({ linkedin, email }) =>
      linkedin ? { url: linkedin } : email === undefined ? undefined : { email },
    read: ({ phones }) => ({
      phone: (phones as { e164_format: string }[]).map(({ e164_format }) => e164_format),
    }),
    prior: { share: 0.4, cents: 4 },
  },
  {
    id: 'ns_email_a/enrich',
    action: 'ns_email_a/enrich',
    fills: ['name', 'title', 'company'],
    input: ({ email }) => (email === undefined ? undefined : { email }),
    read: ({ email: _asked, ...found }: FoundEmail) => readFound(found),
    prior: { share: 0.5, cents: 2 },
  },
  {
    id: 'ns_contact/person-from-email',
    action: 'ns_contact/person-from-email',
    fills: ['linkedin', 'name', 'title', 'company'],
    input: ({ email }) => (email === undefined ? undefined : { email }),
    read: ({ profile }) => ({
      ...list('linkedin', profile?.url && canonicalProfile(profile.url)),
      ...list('name', profile?.full_name),
      ...list('title', profile?.headline),
      ...list('company', profile?.company?.name),
    }),
    prior: { share: 0.5, cents: 5 },
  },
  {
    id: 'ns_semantic/search',
    action: 'ns_semantic/search',
    fills: ['linkedin', 'title'],
    input(person) {
      const known = nameAt(person)
      return known && { query: `${known.name}, ${known.place}`, category: 'people', numResults: 5 }
    },
    read(data, person) {
      const [index] = peopleSources
      const question = { text: '', head: '', company: undefined, place: undefined }
      const same = (index?.read(data, question) ?? []).filter(
        (found) => found.linkedin !== undefined && isThere(found, person),
      )
      // Two profiles of one name at one company are two people.
      const [only] = new Set(same.map(({ linkedin }) => linkedin)).size === 1 ? same : []
      return {
        ...list('linkedin', only?.linkedin),
        ...list('name', only?.name),
        ...list('title', only?.title),
        ...list('company', only?.company),
      }
    },
    prior: { share: 0.6, cents: 1 },
  },
]

const isThere = (found: Person, { name = '', company, domain }: Person) =>
  areNamesAlike(found.name ?? '', name) &&
  [company, domain].some((known) => known && areCompaniesAlike(found.company ?? '', known))
