// What people may ask about themselves: what was sold about them and why, and that it ends. A mailed link proves who
// asks.
import { createHash, randomBytes } from 'node:crypto'
import { fail } from '#core/errors.ts'
import type { Database } from '#platform/database/database.ts'
import { digestOfKey, keysOf } from './opt-out.ts'
import {
  areCompaniesAlike,
  areNamesAlike,
  emailKey,
  isEmailOfName,
  type Person,
  profileSlug,
} from './person.ts'

export interface Disclosure {
  readonly action: string
  readonly purpose: string | null
  readonly disclosedAt: Date
}

export interface PeopleRights {
  /** The secret of a link that proves the address. */
  issueLink(email: string): Promise<string>
  /** The address that the link proves. Throws `not_found` for one that has expired or never existed. */
  addressOf(link: string): Promise<string>
  /** What was sold about the owner of the address in the last year, newest first. */
  disclosuresTo(email: string): Promise<readonly Disclosure[]>
  /**
   * From now on no action finds the owner of the address, nor a person of this name, company and profile. Throws
   * `bad_request` where the address does not prove that these are the owner's.
   */
  optOut(person: Person & { readonly email: string }): Promise<void>
}

export interface DisclosureBook {
  /** Notes that these people were sold by the action. */
  note(
    people: readonly Person[],
    sale: { action: string; purpose?: string | undefined },
  ): Promise<void>
  forgetOld(): Promise<void>
}

export const personLinkSeconds = 3_600
const disclosuresShown = 200
const keptDays = 365
const secretBytes = 32

export function createPeopleRights(database: Database): PeopleRights & DisclosureBook {
  return {
    async issueLink(email) {
      const secret = randomBytes(secretBytes).toString('base64url')
      await database.query(
        `insert into people_link (hash, email, expires_at) values ($1, $2, now() + $3 * interval '1 second')`,
        [hashOf(secret), emailKey(email), personLinkSeconds],
      )
      return secret
    },
    async addressOf(link) {
      const [found] = await database.query<{ email: string }>(
        'select email from people_link where hash = $1 and expires_at > now()',
        [hashOf(link)],
      )
      if (found !== undefined) return found.email
      throw fail('not_found', { message: 'This link has expired, or never existed.' })
    },
    disclosuresTo: (email) =>
      database.query<Disclosure>(
        `select action, purpose, disclosed_at as "disclosedAt" from people_disclosure
         where digest = $1 order by disclosed_at desc limit ${disclosuresShown}`,
        [digestOfKey(emailKey(email))],
      ),
    async optOut(person) {
      refuseOthers(person)
      const digests = keysOf(person).map(digestOfKey)
      await database.query(
        'insert into people_opt_out (digest) select unnest($1::bytea[]) on conflict do nothing',
        [digests],
      )
    },
    async note(people, { action, purpose }) {
      const keys = people.flatMap(({ email, linkedin }) => keysOf({ email, linkedin }))
      if (keys.length === 0) return
      await database.query(
        'insert into people_disclosure (digest, action, purpose) select unnest($1::bytea[]), $2, $3',
        [[...new Set(keys)].map(digestOfKey), action, purpose ?? null],
      )
    },
    async forgetOld() {
      await database.query('delete from people_link where expires_at < now()')
      await database.query(
        `delete from people_disclosure where disclosed_at < now() - $1 * interval '1 day'`,
        [keptDays],
      )
    },
  }
}

/** An address proves the name that it is formed from, the company of its domain, and a profile with that name. */
function refuseOthers({ email, name, company, linkedin }: Person & { readonly email: string }) {
  const host = email.slice(email.lastIndexOf('@') + 1)
  if (name !== undefined && isEmailOfName(email, name) !== true)
    throw fail('bad_request', {
      message: `The address does not show that your name is ${name}. Ask the operator to add the name.`,
    })
  if (company !== undefined && (name === undefined || !areCompaniesAlike(host, company)))
    throw fail('bad_request', {
      message: `The address does not show that you are at ${company}. Ask the operator to add the company.`,
    })
  const slug = linkedin === undefined ? '' : (profileSlug(linkedin) ?? '')
  const written = slug
    .split(/[^\p{L}]+/u)
    .slice(0, 2)
    .join(' ')
  if (linkedin !== undefined && (name === undefined || !areNamesAlike(written, name)))
    throw fail('bad_request', {
      message: 'The profile does not have your name in its address. Ask the operator to add it.',
    })
}

const hashOf = (secret: string) => createHash('sha256').update(secret).digest()
