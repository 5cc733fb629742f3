// What is known of a person, and when two records are about the same one.

export const personFields = ['name', 'title', 'company', 'linkedin', 'email', 'phone'] as const
export type PersonField = (typeof personFields)[number]

/** What is known of a person. `linkedin` is the address of their profile. */
export type Person = { readonly [field in PersonField]?: string | undefined } & {
  readonly location?: string | undefined
  /** Of the company. */
  readonly domain?: string | undefined
}

/** Letters and digits, without accents and case: `José Núñez-Díaz` as `jose nunez diaz`. */
const plainWords = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Forms of address and degrees, which are not part of a name. */
const titles = /^(?:dr|prof|mr|mrs|ms|sir|phd|md|mba|jr|sr|cfa|cpa)$/

export const nameKey = (name: string) =>
  plainWords(name)
    .split(' ')
    .filter((word) => !titles.test(word))
    .join(' ')

/** Forms of companies, which some sources write and others leave out. */
const companyForms =
  /^(?:inc|incorporated|llc|ltd|limited|corp|corporation|co|company|plc|gmbh|ag|kg|se|sa|sas|sarl|srl|spa|bv|nv|ab|oy|as|pty|the)$/

export function companyKey(company: string): string {
  const words = plainWords(company).split(' ')
  const kept = words.filter((word) => !companyForms.test(word))
  return (kept.length > 0 ? kept : words).join(' ')
}

/** The part of a profile's address that names the person: `jane-doe-4a1`. Undefined for other addresses. */
export function profileSlug(address: string): string | undefined {
  const [, slug] = /(?:^|[/.])linkedin\.com\/(?:in|pub)\/([^/?#\s]+)/i.exec(address) ?? []
  if (slug === undefined) return undefined
  try {
    return decodeURIComponent(slug).toLowerCase()
  } catch {
    return slug.toLowerCase()
  }
}

/** One way to write the address of a profile. Undefined for other addresses. */
export function canonicalProfile(address: string): string | undefined {
  const slug = profileSlug(address)
  return slug === undefined ? undefined : `https://www.linkedin.com/in/${encodeURIComponent(slug)}`
}

export const emailKey = (email: string) => email.trim().toLowerCase()

/** Whether the words of one name are among those of the other, which may have middle names: at least two of them. */
export function areNamesAlike(one: string, other: string): boolean {
  const [short = [], long = []] = [nameKey(one).split(' '), nameKey(other).split(' ')].toSorted(
    (first, second) => first.length - second.length,
  )
  if (short.length < 2) return short.join() === long.join()
  return short.every((word) => long.includes(word))
}

/** One key for a company, by its name or by its domain: `Acme Inc.` and `acme.com`. */
export const placeKey = (text: string) =>
  companyKey(isDomain(text) ? mainLabel(text) : text).replaceAll(' ', '')

export const areCompaniesAlike = (one: string, other: string) =>
  placeKey(one) !== '' && placeKey(one) === placeKey(other)

export const isDomain = (text: string) => /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}$/i.test(text)

/** Second-level labels under which names are registered: `example.co.uk`. */
const registries = /^(?:co|com|ac|org|net|gov|edu)$/

/** `mail.example.co.uk` as `example`. */
function mainLabel(domain: string): string {
  const labels = domain.toLowerCase().split('.').slice(0, -1)
  const last = labels.at(-1) ?? ''
  return labels.length > 1 && registries.test(last) ? (labels.at(-2) ?? '') : last
}

/**
 * Whether the part of an address before the @ is formed from the name: `jdoe`, `jane.d`, `doe`. Undefined if it cannot
 * be told.
 */
export function isEmailOfName(email: string, name: string): boolean | undefined {
  const words = nameKey(name)
    .split(' ')
    .filter((word) => /^[a-z]+$/.test(word))
  const local = plainWords(email.slice(0, email.lastIndexOf('@')).replace(/\+.*$/, '')).replace(
    /[^a-z]/g,
    '',
  )
  if (words.length < 2 || local === '') return undefined
  const [first = '', last = ''] = [words[0], words.at(-1)]
  const initials = [first[0] ?? '', last[0] ?? '']
  return [
    ...[first, last, first + last, last + first],
    ...[initials[0] + last, first + initials[1], last + initials[0], initials[1] + first],
    words.map((word) => word[0]).join(''),
    words.join(''),
  ].includes(local)
}
