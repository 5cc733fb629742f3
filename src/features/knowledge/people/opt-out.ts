// People who do not want to be found here, by the operator's list. Neither they nor what is known of them is returned.
import { readFile, stat } from 'node:fs/promises'
import type { Log } from '#core/ports.ts'
import { canonicalProfile, emailKey, nameKey, type Person, placeKey } from './person.ts'

export interface OptOut {
  /** The list as it is now. */
  current(): Promise<OptOutList>
}

export interface OptOutList {
  has(person: Person): boolean
}

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
  return {
    has({ name, company, domain, email, linkedin }) {
      const places = [company, domain, email?.split('@')[1]]
      return [
        email && emailKey(email),
        linkedin && canonicalProfile(linkedin),
        ...places.map((place) => name && place && personKey(name, place)),
      ].some((key) => key && keys.has(key))
    },
  }
}

function keyOfLine(line: string): string {
  const profile = canonicalProfile(line)
  if (profile !== undefined) return profile
  if (line.includes('@')) return emailKey(line)
  const [name = '', ...company] = line.split(',')
  return personKey(name, company.join(',').trim())
}

const personKey = (name: string, company: string) => `${nameKey(name)}, ${placeKey(company)}`
