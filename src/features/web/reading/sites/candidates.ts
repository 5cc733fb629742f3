// The pages found on a site so far: each once, without files that are not pages, other sites, or links that lead on for
// ever. Pure.
import { documentExtension, normalizeUrl } from '../actions/intake.ts'

/** The owner vouches for the pages of a sitemap. A link may be a trap. */
export type CandidateOrigin = 'sitemap' | 'link'

export interface Candidates {
  /** Whether the address is a wanted page, regardless of the room left. */
  accepts(address: string): boolean
  /** Returns whether the address is now a candidate, new or known. */
  add(address: string, origin: CandidateOrigin): boolean
  /** Removes a page that is refused, gone or elsewhere. It cannot be added again. */
  drop(url: string): void
  /** Replaces a page by the target of its redirect. Returns whether the target is a candidate. */
  move(url: string, target: string): boolean
  /** True when no further page is added. */
  readonly full: boolean
  readonly size: number
  /** Pages in the seed's language first, then shallow pages first. */
  ordered(): readonly string[]
}

export const candidatesMax = 10_000
export const urlCharactersMax = 2_048
/** A link that is relative by mistake makes ever deeper paths. */
export const pathDepthMax = 10
/** `/a/b/a/b` may be a page; `/a/b/a/b/a/b` is a loop. */
export const segmentRepeatsMax = 2
/** For the links to one path with different queries. */
export const queryVariantsMax = 10
/** For the pages of one calendar, which has a page for every month or day. */
export const calendarPagesMax = 3

interface Candidate {
  readonly url: string
  readonly foreign: boolean
  readonly depth: number
}

export function createCandidates(options: {
  /** Normalised; not itself a candidate. */
  readonly seed: string
  /** Hosts of the site, as `siteOf` names them. */
  readonly sites: ReadonlySet<string>
  readonly wants: (url: string) => boolean
}): Candidates {
  const found = new Map<string, Candidate>()
  const dropped = new Set([keyOf(new URL(options.seed))])
  const isTrap = createTrapDetector()
  const language = languageOf(new URL(options.seed))

  function read(address: string): URL | undefined {
    const url = readPage(address, options.sites)
    return url !== undefined && !dropped.has(keyOf(url)) && options.wants(url.href)
      ? url
      : undefined
  }

  function add(address: string, origin: CandidateOrigin): boolean {
    const url = read(address)
    if (url === undefined) return false
    const key = keyOf(url)
    if (found.has(key)) return true
    if (found.size >= candidatesMax || (origin === 'link' && isTrap(url))) return false
    found.set(key, toCandidate(url, language))
    return true
  }

  function drop(url: string): void {
    const key = keyOf(new URL(url))
    dropped.add(key)
    found.delete(key)
  }

  return {
    accepts: (address) => read(address) !== undefined,
    add,
    drop,
    move(url, target) {
      // From http to https, or to `www.`, it is the same page.
      if (keyOf(new URL(url)) === keyOf(new URL(target))) return true
      drop(url)
      return add(target, 'link')
    },
    get full() {
      return found.size >= candidatesMax
    },
    get size() {
      return found.size
    },
    ordered: () => [...found.values()].sort(byPreference).map(({ url }) => url),
  }
}

function toCandidate(url: URL, seedLanguage: string | undefined): Candidate {
  const language = languageOf(url)
  const foreign = language !== undefined && language !== seedLanguage
  return { url: url.href, foreign, depth: depthOf(url) }
}

function byPreference(one: Candidate, other: Candidate): number {
  return Number(one.foreign) - Number(other.foreign) || one.depth - other.depth
}

/**
 * Tells whether a link leads on for ever. It remembers each link that it lets pass, and counts those of the same kind.
 */
function createTrapDetector(): (url: URL) => boolean {
  const counts = new Map<string, number>()

  function admit(kind: string, most: number): boolean {
    const count = counts.get(kind) ?? 0
    if (count < most) counts.set(kind, count + 1)
    return count < most
  }

  return (url) => {
    const shape = calendarShape(url)
    if (shape !== undefined && !admit(shape, calendarPagesMax)) return true
    return url.search !== '' && !admit(url.pathname, queryVariantsMax)
  }
}

/** The host without `www.`, the port included: the same for two URLs of one site. */
export function siteOf(url: string): string {
  return new URL(url).host.replace(/^www\./, '')
}

/** The same for http and https, with `www.` or without. */
export function keyOf(url: URL): string {
  return `${siteOf(url.href)}${url.pathname}${url.search}`
}

/** Links with these extensions lead to files, even where their content could be read as a page. */
const fileExtensions: ReadonlySet<string> = new Set(
  `jpg jpeg png gif svg webp avif ico bmp tif tiff psd mp3 mp4 m4a m4v avi mov mkv mpg mpeg webm ogg ogv wav flac
   zip gz tgz tar bz2 xz 7z rar dmg exe msi deb rpm apk iso jar woff woff2 ttf otf eot xml rss atom ics csv torrent`.split(
    /\s+/,
  ),
)

/** The address as a page of this site, or undefined for other sites, files and pages without content. */
function readPage(address: string, sites: ReadonlySet<string>): URL | undefined {
  if (address.length > urlCharactersMax) return undefined
  const written = URL.parse(address)
  if (written?.protocol !== 'http:' && written?.protocol !== 'https:') return undefined
  if (!sites.has(siteOf(written.href)) || written.href.length > urlCharactersMax) return undefined
  const url = new URL(normalizeUrl(written.href))
  const segments = segmentsOf(url)
  const extension = /\.([a-z0-9]{1,8})$/i.exec(url.pathname)?.[1]?.toLowerCase() ?? ''
  if (fileExtensions.has(extension) || documentExtension(url) !== undefined) return undefined
  if (segments.length > pathDepthMax || repeats(segments) > segmentRepeatsMax) return undefined
  return url
}

function segmentsOf(url: URL): readonly string[] {
  return url.pathname.split('/').filter((segment) => segment !== '')
}

/** How often the most frequent segment occurs. */
function repeats(segments: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1)
  return Math.max(0, ...counts.values())
}

/** A query adds one to the depth, so that a list comes before its second page. */
function depthOf(url: URL): number {
  return segmentsOf(url).length + (url.search === '' ? 0 : 1)
}

const datePath = /\/(?:1[89]|2\d)\d\d(?:[-/]\d{1,2}){1,2}\/?$/
const dateValue = /^(?:1[89]|2\d)\d\d-\d{1,2}(?:-\d{1,2})?$/
const dateNames = /^(?:year|month|week|day|date|yr|mon)$/i

/** The same for all pages of one calendar. Undefined when the date stands inside a path, as in that of a post. */
function calendarShape(url: URL): string | undefined {
  const query = [...url.searchParams]
  const dated = query.some(([name, value]) => dateNames.test(name) || dateValue.test(value))
  if (!dated && !datePath.test(url.pathname)) return undefined
  const names = query.map(([name]) => name).sort()
  return `${url.pathname.replace(/\d+/g, '0')}?${names.join('&')}`
}

const languages: ReadonlySet<string> = new Set(
  `ar bg bn bs ca cs cy da de el en es et eu fa fi fr ga gl he hi hr hu hy id is it ja ka kk ko lt lv mk mn ms nb nl nn
   no pl pt ro ru sk sl sq sr sv ta te th tr uk ur uz vi zh`.split(/\s+/),
)

/** The language at the start of a path, as in `/de/` and `/pt-br/`. */
function languageOf(url: URL): string | undefined {
  const [, code] = /^\/([a-z]{2})(?:[-_][a-z]{2,4})?(?:\/|$)/i.exec(url.pathname) ?? []
  return code !== undefined && languages.has(code.toLowerCase()) ? code.toLowerCase() : undefined
}
