// The people whose fields are to be filled, as callers name them.
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { canonicalProfile, emailKey, isDomain, type Person } from '../person.ts'

export const rowsMax = 50
const text = z.string().trim().min(1).max(200)
const known = text.nullish()

const knownPerson = z.object({
  name: known,
  title: known,
  company: known,
  domain: known,
  location: known,
  linkedin: z.string().trim().min(1).max(2_048).nullish(),
  email: z.email().max(254).nullish(),
  phone: z.string().trim().min(3).max(40).nullish(),
})

export const personInput = z
  .union([z.string().trim().min(3).max(2_048), knownPerson])
  .describe(
    'An e-mail address, a LinkedIn profile, "name, company", or a row of onefind. A domain may stand for the company.',
  )

/** Throws `bad_request` for a person of whom too little is known. */
export function readPerson(input: z.output<typeof personInput>): Person {
  const person = typeof input === 'string' ? readText(input) : readRow(input)
  const { name, company, domain, linkedin, email } = person
  if (linkedin || email || (name && (company || domain))) return person
  throw fail('bad_request', {
    message: `No one can be found by ${JSON.stringify(typeof input === 'string' ? input.slice(0, 100) : (name ?? 'this row'))}. Send an e-mail address, a LinkedIn profile, or a name with a company. Nothing was charged.`,
  })
}

function readText(input: string): Person {
  const linkedin = canonicalProfile(input)
  if (linkedin !== undefined) return { linkedin }
  if (/^\S+@\S+\.\S+$/.test(input)) return { email: emailKey(input) }
  const [, name, place] =
    /^(.+?)(?:\s*,\s*|\s+at\s+|\s+@\s*)(.+)$/i.exec(input) ??
    /^(\S+\s+\S+)\s+(.+)$/.exec(input) ??
    []
  if (name === undefined || place === undefined) return { name: input }
  return { name: name.trim(), ...placeOf(place.trim()) }
}

const placeOf = (place: string) =>
  isDomain(place) ? { domain: place.toLowerCase() } : { company: place }

function readRow({ linkedin, email, company, ...row }: z.output<typeof knownPerson>): Person {
  const profile = linkedin ? canonicalProfile(linkedin) : undefined
  const entries = Object.entries({
    ...row,
    ...(company ? placeOf(company) : {}),
    linkedin: profile,
    email: email ? emailKey(email) : undefined,
  })
  return Object.fromEntries(entries.filter(([, value]) => value)) as Person
}
