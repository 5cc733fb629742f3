// How sure a value is. Odds that it is right are multiplied: those of each source that says it, those of facts that fit
// without having been sent to the source, and those of the verification.
import {
  areCompaniesAlike,
  areNamesAlike,
  isEmailOfName,
  type Person,
  type PersonField,
  profileSlug,
} from '../person.ts'
import type { PersonRecord } from './steps.ts'

/** A value is charged only if the chance that it is wrong is at most this. */
const wrongShareMax = 0.03
export const oddsNeeded = (1 - wrongShareMax) / wrongShareMax

/** A fact that the source was not told fits, such as the name behind a profile. */
const fitting = 4
const contradicting = 1 / 10
/** A company that differs may be a former one. */
const otherCompany = 1 / 2
/** An address has nothing of a name, or a name nothing of a profile's address. */
const strange = 1 / 3
/** A company may have its mail at a domain of another name, and a person may have an address elsewhere. */
const otherDomain = 1 / 5
/** Its mail server accepts mail for the address. */
export const verifiedOdds = 4

/** The most that facts, and for an address its verification, can add to a value of this field. */
export const factsMost: Readonly<Record<PersonField, number>> = {
  name: fitting ** 2,
  title: fitting ** 2,
  company: fitting ** 2,
  linkedin: fitting ** 2,
  email: fitting ** 3 * verifiedOdds,
  phone: 1,
}

export const oddsOf = (trust: number) => trust / (1 - trust)

/** The chance behind odds, in hundredths and never rounded up to certainty. */
export const confidenceOf = (odds: number) => Math.floor((100 * odds) / (1 + odds)) / 100

/** What fits between a record and a person. `sent` is what the source was asked with, and so only repeats. */
export function factOdds(
  record: PersonRecord,
  person: Person,
  sent: readonly PersonField[],
): number {
  const [name] = record.name ?? []
  const [company] = record.company ?? []
  const ofName = name === undefined || sent.includes('name') ? 1 : nameOdds(name, person)
  const places = [person.company, person.domain, person.email?.split('@')[1]].filter(Boolean)
  if (company === undefined || sent.includes('company') || places.length === 0) return ofName
  const isThere = places.some((place) => areCompaniesAlike(company, place ?? ''))
  return ofName * (isThere ? fitting : otherCompany)
}

function nameOdds(name: string, { name: known, email, linkedin }: Person): number {
  if (known !== undefined) return areNamesAlike(name, known) ? fitting : contradicting
  if (email !== undefined) return isEmailOfName(email, name) ? fitting : 1
  const written = linkedin && nameInProfile(linkedin)
  return written ? (areNamesAlike(name, written) ? fitting : strange) : 1
}

/** What fits between an address and the name and company of its owner. */
export function addressOdds(email: string, { name, company, domain, linkedin }: Person): number {
  const host = email.slice(email.lastIndexOf('@') + 1)
  const known = name ?? (linkedin && nameInProfile(linkedin))
  const fits = known === undefined ? undefined : isEmailOfName(email, known)
  const ofName = fits === undefined ? 1 : fits ? fitting : strange
  if (domain !== undefined) return ofName * (areCompaniesAlike(host, domain) ? 1 : contradicting)
  if (company === undefined) return ofName
  return ofName * (areCompaniesAlike(host, company) ? 1 : otherDomain)
}

/** The first two words of `jane-doe-4a1`, which most people write their name into. */
function nameInProfile(profile: string): string | undefined {
  const [first, last] = (profileSlug(profile) ?? '').split(/[^\p{L}]+/u)
  return first && last ? `${first} ${last}` : undefined
}
