// Where people are looked for, and how each source says who it has found.

import { membersOf } from '#core/input/members.ts'
import type { FoundPerson } from './merge.ts'
import { areNamesAlike, canonicalProfile } from './person.ts'
import type { PeopleQuestion } from './question.ts'

export interface PeopleSource {
  /** The action that is asked. */
  readonly id: string
  /** Its input, with what may be spent on it. Undefined: the question is not one for this source. */
  readonly ask: (question: PeopleQuestion, limit: number, cents: number) => object | undefined
  read(data: unknown, question: PeopleQuestion): readonly Omit<FoundPerson, 'source'>[]
}

const pageSizeMax = 25

/** The sources by preference. Each takes what those before it have left of the price. */
export const peopleSources: readonly PeopleSource[] = [
  {
    id: 'ns_semantic/search',
    ask: ({ text }, limit) => ({ query: text, category: 'people', numResults: limit }),
    read: ({ results }) => results.flatMap(readPage),
  },
  {
    id: 'ns_contact/people-search',
    // It cannot search by company, and each profile costs a cent.
    ask: ({ head, company, place }, limit, cents) =>
      company === undefined
        ? {
            job_title: [head],
            ...(place === undefined ? {} : { location: [place] }),
            page_size: Math.min(limit, cents, pageSizeMax),
          }
        : undefined,
    read: ({ profiles }) => profiles.flatMap(readProfile),
  },
  {
    id: 'ns_scholar/authors',
    ask: ({ head, place }, limit) =>
      place === undefined ? { search: head, per_page: limit } : undefined,
    // Its search is by name, so what is found for a role is not about it.
    read: ({ results }, { head }) =>
      results
        .filter(({ display_name: name }: Author) => areNamesAlike(name, head))
        .map(({ display_name: name, last_known_institutions: places }: Author) => ({
          name,
          company: places?.[0]?.display_name,
        })),
  },
]

interface Author {
  readonly display_name: string
  readonly last_known_institutions?: readonly { readonly display_name?: string }[] | null
}

interface Profile {
  readonly url: string
  readonly full_name?: unknown
  readonly title?: unknown
  readonly headline?: unknown
  readonly location?: unknown
  readonly company?: unknown
}

function readProfile(profile: Profile) {
  const name = textOf(profile.full_name)
  if (name === undefined) return []
  const said = readHeadline(textOf(profile.title) ?? textOf(profile.headline) ?? '')
  return [
    {
      name,
      title: said.title,
      company: textOf(membersOf(profile.company).name) ?? said.company,
      location: textOf(profile.location),
      linkedin: canonicalProfile(profile.url),
    },
  ]
}

interface Page {
  readonly url: string
  readonly title?: string | null
  readonly entities?: unknown
}

/** A page about a person: what the index knows of them, or else the title of the page. */
function readPage({ url, title, entities }: Page) {
  const known = readEntity(entities)
  const [name, said] = readPageTitle(title ?? '')
  const linkedin = canonicalProfile(url)
  const person = { ...said, name: known?.name ?? name, ...known, linkedin }
  // A page elsewhere may be about anything: without a company or a title it does not describe a person.
  const isPerson = person.name !== '' && (linkedin || person.company || person.title)
  return isPerson ? [person] : []
}

interface PersonEntity {
  readonly type?: string
  readonly properties?: {
    readonly name?: unknown
    readonly location?: unknown
    readonly workHistory?: readonly {
      readonly title?: unknown
      readonly company?: { readonly name?: unknown } | null
    }[]
  } | null
}

function readEntity(entities: unknown) {
  const found = Array.isArray(entities) ? (entities as PersonEntity[]) : []
  const person = found.find(({ type }) => type === 'person')?.properties
  const name = textOf(person?.name)
  if (name === undefined) return undefined
  const [job] = person?.workHistory ?? []
  return dropGaps({
    name,
    title: textOf(job?.title),
    company: textOf(job?.company?.name),
    location: textOf(person?.location),
  }) as { name: string; title?: string; company?: string; location?: string }
}

/** `Jane Doe | VP Marketing at Acme`, `Jane Doe - VP Marketing - Acme | LinkedIn`. */
function readPageTitle(title: string) {
  const [name = '', ...rest] = title
    .split(/\s+[|–—-]\s+/)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !/^linkedin$/i.test(part))
  const [headline = '', company] = rest
  const said = readHeadline(headline)
  return [name, dropGaps({ title: said.title, company: said.company ?? company })] as const
}

/** `VP Marketing at Acme` */
function readHeadline(headline: string) {
  const [, title, company] = /^(.*?)\s+(?:at|@)\s+(.+)$/i.exec(headline) ?? []
  return { title: textOf(title ?? headline), company: textOf(company) }
}

const textOf = (value: unknown) =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined

const dropGaps = <Values extends object>(values: Values) =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Partial<Values>
