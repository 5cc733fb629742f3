// robots.txt as RFC 9309 has it: which paths of an origin our product token may ask for. Pure.
// (robots-parser 3.0.1 stores every rule once for each agent of its group: a file of 277 kB that names 15 000 agents
// takes it 48 seconds and 2 GB, and one of 490 kB full of stars 2.5 seconds for every address that is judged.)

export interface Robots {
  allows(url: string): boolean
  /** How long to wait between two requests, if the site says so; never longer than the limit. */
  readonly crawlDelayMs: number | undefined
  /** Addresses as written, absolute or not; of the whole file, for all user agents. */
  readonly sitemaps: readonly string[]
  /** How much it holds on to, in characters. */
  readonly size: number
}

const productToken = 'tollway'
export const crawlDelayMsMax = 5_000
const sitemapsMax = 50
/** Of all patterns with a star together. Judging one address costs at most this many times the length of its path. */
const starCharactersMax = 10_000

export const allowAll: Robots = {
  allows: () => true,
  crawlDelayMs: undefined,
  sitemaps: [],
  size: 0,
}
export const disallowAll: Robots = { ...allowAll, allows: isRobotsFile }

interface Group {
  readonly rules: Map<string, Rule>
  starCharacters: number
  crawlDelayMs: number | undefined
}

interface Rule {
  readonly pieces: readonly string[]
  readonly anchored: boolean
  readonly length: number
  allow: boolean
}

/** Reads any file: unknown lines are skipped, so an HTML page allows everything. */
export function parseRobots(text: string): Robots {
  const own = emptyGroup()
  const everyone = emptyGroup()
  const sitemaps = new Set<string>()
  let named = false
  let current = new Set<Group>()
  let closed = true
  for (const [field, value] of readLines(text)) {
    switch (field) {
      case 'user-agent':
        if (closed) current = new Set()
        closed = false
        if (value.startsWith('*')) current.add(everyone)
        else if (/^[a-z_-]*/i.exec(value)?.[0].toLowerCase() === productToken) {
          current.add(own)
          named = true
        }
        break
      case 'allow':
      case 'disallow':
        closed = true
        for (const group of current) addRule(group, value, field === 'allow')
        break
      case 'crawl-delay':
        // Not of the RFC, but those who end a group with it mean it as one of its rules.
        closed = true
        for (const group of current) group.crawlDelayMs ??= readDelay(value)
        break
      case 'sitemap':
        if (value !== '' && sitemaps.size < sitemapsMax) sitemaps.add(value)
    }
  }
  return toRobots(named ? own : everyone, [...sitemaps])
}

function emptyGroup(): Group {
  return { rules: new Map(), starCharacters: 0, crawlDelayMs: undefined }
}

function* readLines(text: string): Generator<readonly [field: string, value: string]> {
  for (const line of text.replace(/^\ufeff/, '').split(/[\r\n]+/)) {
    const content = line.split('#', 1)[0] ?? ''
    const colon = content.indexOf(':')
    if (colon > 0)
      yield [content.slice(0, colon).trim().toLowerCase(), content.slice(colon + 1).trim()]
  }
}

function readDelay(value: string): number | undefined {
  const seconds = Number(value || Number.NaN)
  return seconds >= 0 ? Math.min(seconds * 1_000, crawlDelayMsMax) : undefined
}

/**
 * Of a pattern that is both allowed and disallowed the first is true, as the less restrictive. With the stars used up,
 * a pattern is taken for what comes before its star where it disallows, and for nothing where it allows.
 */
function addRule(group: Group, value: string, allow: boolean): void {
  if (!/^[/*]/.test(value)) return
  const anchored = value.endsWith('$')
  const pattern = canonical(anchored ? value.slice(0, -1) : value).replace(/\*{2,}/g, '*')
  const key = anchored ? `${pattern}$` : pattern
  const known = group.rules.get(key)
  if (known !== undefined) {
    known.allow ||= allow
    return
  }
  const pieces = pattern.split('*').map(protect)
  const rule = { pieces, anchored, length: key.length, allow }
  if (pieces.length > 1) {
    group.starCharacters += key.length
    if (group.starCharacters > starCharactersMax) {
      if (allow) return
      Object.assign(rule, { pieces: pieces.slice(0, 1), anchored: false })
    }
  }
  group.rules.set(key, rule)
}

function toRobots({ rules, crawlDelayMs }: Group, sitemaps: readonly string[]): Robots {
  // The longest match counts, and of two as long the one that allows; so the first match of this order.
  const ordered = [...rules.values()].sort(
    (one, other) => other.length - one.length || Number(other.allow) - Number(one.allow),
  )
  const characters = ordered.reduce((sum, { length }) => sum + length, 0)
  return {
    crawlDelayMs,
    sitemaps,
    size: sitemaps.reduce((sum, { length }) => sum + length, characters),
    allows(url) {
      if (isRobotsFile(url)) return true
      const { pathname, search } = new URL(url)
      const path = protect(canonical(pathname + search)).replaceAll('*', '%2A')
      return ordered.find((rule) => matches(rule, path))?.allow ?? true
    },
  }
}

function isRobotsFile(url: string): boolean {
  return new URL(url).pathname === '/robots.txt'
}

/**
 * The leftmost place of each piece leaves the most room for the rest; only the last of an anchored rule may not choose.
 */
function matches({ pieces, anchored }: Rule, path: string): boolean {
  const [first = ''] = pieces
  if (!path.startsWith(first)) return false
  let index = first.length
  const last = pieces.length - 1
  for (let place = 1; place <= last; place += 1) {
    const piece = pieces[place] ?? ''
    if (anchored && place === last)
      return path.length - piece.length >= index && path.endsWith(piece)
    const found = path.indexOf(piece, index)
    if (found === -1) return false
    index = found + piece.length
  }
  return !anchored || index === path.length
}

/** One spelling of all that RFC 9309 calls equal: octets in capitals, and encoded only where they have to be. */
function canonical(text: string): string {
  return encodeURI(text.toWellFormed())
    .replace(/%25/g, '%')
    .replace(/%[0-9a-f]{2}/gi, (octet) => {
      const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16))
      return /[\w.~-]/.test(character) ? character : octet.toUpperCase()
    })
}

/** Dollars that are meant as such. */
function protect(text: string): string {
  return text.replaceAll('$', '%24')
}
