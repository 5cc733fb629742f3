// Which pages of a site a caller wants, said in globs: `*` is anything, and a pattern without it is a substring.
// No regular expressions: a pattern is a caller's text, and its cost must not depend on how it is written.
import { domainToUnicode } from 'node:url'
import { fail } from '#core/errors.ts'

export const patternsMax = 50
export const patternCharactersMax = 500

export interface UrlGlobs {
  readonly include?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
}

/**
 * Whether a normalised URL is wanted: included by some pattern if there are any, and excluded by none. Throws CallError
 * `bad_request` for patterns that are empty, too long or too many.
 */
export function createUrlFilter({
  include = [],
  exclude = [],
}: UrlGlobs): (url: string) => boolean {
  const included = readPatterns('include', include)
  const excluded = readPatterns('exclude', exclude)
  return (url) => {
    if (included.length === 0 && excluded.length === 0) return true
    const spellings = spell(url).map(readStarts)
    const matches = (pieces: readonly string[]) =>
      spellings.some((starts) => matchesPieces(pieces, starts))
    return !excluded.some(matches) && (included.length === 0 || included.some(matches))
  }
}

function readPatterns(field: string, patterns: readonly string[]): (readonly string[])[] {
  if (patterns.length > patternsMax)
    throw fail('bad_request', { message: `${field} has at most ${patternsMax} patterns.` })
  return patterns.map((pattern) => {
    if (pattern.trim() === '' || pattern.length > patternCharactersMax)
      throw fail('bad_request', {
        message: `A pattern of ${field} has between 1 and ${patternCharactersMax} characters.`,
      })
    return fold(pattern.trim()).split('*')
  })
}

/** URLs have hosts of other letters in ASCII; who writes a pattern may write them as they are read. */
function spell(url: string): readonly string[] {
  const hostname = /^[^/]*\/\/([^/:?#]*)/.exec(url)?.[1] ?? ''
  return /(?:^|\.)xn--/.test(hostname)
    ? [url, url.replace(hostname, domainToUnicode(hostname))]
    : [url]
}

/**
 * Where the first piece of a pattern may be anchored: at the whole URL, at its host, at its path. So `/blog/*` and
 * `example.com/blog/*`, which no URL begins with, mean what their writer meant.
 */
function readStarts(url: string): readonly string[] {
  const whole = fold(url)
  const host = whole.indexOf('://') + 3
  const path = whole.indexOf('/', host)
  return [whole, whole.slice(host), path === -1 ? '/' : whole.slice(path)]
}

function matchesPieces(pieces: readonly string[], starts: readonly string[]): boolean {
  const [whole = ''] = starts
  const [first = '', ...rest] = pieces
  if (rest.length === 0) return whole.includes(first)
  return starts.some((text) => text.startsWith(first) && endsWithPieces(text, first.length, rest))
}

/** The leftmost place of each piece leaves the most room for those after it, so no other has to be tried. */
function endsWithPieces(text: string, from: number, pieces: readonly string[]): boolean {
  const last = pieces.at(-1) ?? ''
  let index = from
  for (const piece of pieces.slice(0, -1)) {
    const found = text.indexOf(piece, index)
    if (found === -1) return false
    index = found + piece.length
  }
  return text.length - last.length >= index && text.endsWith(last)
}

/** One case, and letters outside of ASCII as URLs have them. */
function fold(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\p{ASCII}]+/gu, encodeURIComponent)
    .toLowerCase()
}
