// People who do not want to be found here, by the operator's list and by their own word. Neither they nor what is known
// of them is returned.
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import type { Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import { canonicalProfile, emailKey, nameKey, type Person, placeKey } from './person.ts'

export interface OptOut {
  /** The list as it is now. */
  current(): Promise<OptOutList>
}

export interface OptOutList {
  has(person: Person): boolean
}

/** The list of the operator, and those who have opted out by themselves. */
export function joinOptOuts(operators: OptOut, database: Database): OptOut {
  const digests = new Set<string>()
  let newest = 0
  return {
    async current() {
      const [list, added] = await Promise.all([
        operators.current(),
        database.query<{ number: number; digest: Buffer }>(
          'select number, digest from people_opt_out where number > $1 order by number',
          [newest],
        ),
      ])
      for (const { number, digest } of added) {
        digests.add(digest.toString('base64'))
        newest = Math.max(newest, number)
      }
      const hasDigest = (key: string) => digests.has(digestOfKey(key).toString('base64'))
      return { has: (person) => list.has(person) || keysOf(person).some(hasDigest) }
    },
  }
}

export const digestOfKey = (key: string): Buffer => createHash('sha256').update(key).digest()

/**
 * `path`: a file with one person on each line, by e-mail address, by profile, or as `name, company`. Lines that begin
 * with # are comments. A changed file is read again. Throws if it cannot be read at first; later the last list that was
 * read stays.
 */
export async function openOptOut(path: string | undefined, log: Log): Promise<OptOut> {
  if (path === undefined) return { current: async () => parseOptOut('') }
  let version = await versionOf(path)
  let list = parseOptOut(await readFile(path, 'utf8'))
  return {
    async current() {
      try {
        const found = await versionOf(path)
        if (found !== version) {
          list = parseOptOut(await readFile(path, 'utf8'))
          version = found
        }
      } catch (error) {
        log.error(
          { err: error },
          'PEOPLE_OPT_OUT cannot be read. The last list that was read is used.',
        )
      }
      return list
    },
  }
}

async function versionOf(path: string): Promise<string> {
  const { mtimeMs, size, ino } = await stat(path)
  return `${mtimeMs} ${size} ${ino}`
}

export function parseOptOut(text: string): OptOutList {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  const keys = new Set(lines.map(keyOfLine))
  return { has: (person) => keysOf(person).some((key) => keys.has(key)) }
}

/** What a person is recognised by: the e-mail address, the profile, and the name with the company. */
export function keysOf({ name, company, domain, email, linkedin }: Person): readonly string[] {
  const places = [company, domain, email?.split('@')[1]]
  return [
    email && emailKey(email),
    linkedin && canonicalProfile(linkedin),
    ...places.map((place) => name && place && personKey(name, place)),
  ].flatMap((key) => key || [])
}

function keyOfLine(line: string): string {
  const profile = canonicalProfile(line)
  if (profile !== undefined) return profile
  if (line.includes('@')) return emailKey(line)
  const [name = '', ...company] = line.split(',')
  return personKey(name, company.join(',').trim())
}

const personKey = (name: string, company: string) => `${nameKey(name)}, ${placeKey(company)}`
