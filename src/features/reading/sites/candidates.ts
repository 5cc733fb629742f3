// The pages of a site that were found so far: of this site only, each once, without other files and without
// the places where a crawler gets lost. Pure.
import { documentExtension, normalizeUrl } from '../intake.ts'

/** A sitemap is its owner's word that the pages are worth it; links lead anywhere. */
export type CandidateOrigin = 'sitemap' | 'link'

export interface Candidates {
  /** Whether the address would be a page wanted, if there were room for it. */
  accepts(address: string): boolean
  /** Whether the address is one of the pages wanted; it need not be new. */
  add(address: string, origin: CandidateOrigin): boolean
  /** The page is not to be listed: refused, gone, or elsewhere. It does not come back either. */
  drop(url: string): void
  /** The page turned out to stand elsewhere: whether that is one of the pages wanted. */
  move(url: string, target: string): boolean
  /** Further pages are refused. */
  readonly full: boolean
  readonly size: number
  /** What was found, those of the seed's language and shallow ones first. */
  ordered(): readonly string[]
}

export const candidatesMax = 10_000
export const urlCharactersMax = 2_048
/** Deeper ones are how links that are relative by mistake go on for ever. */
export const pathDepthMax = 10
/** `/a/b/a/b` is a page; with one more round it is a loop. */
export const segmentRepeatsMax = 2
/** Of one path that links lead to with ever other queries. */
export const queryVariantsMax = 10
/** Of the months and days that a calendar has, to either end of time. */
export const calendarPagesMax = 3

interface Candidate {
  readonly url: string
  readonly foreign: boolean
  readonly depth: number
}

export function createCandidates(options: {
  /** Normalised; not itself a candidate. */
  readonly seed: string
  /** Hosts that count as the site, as `siteOf` names them. */
  readonly sites: ReadonlySet<string>
  readonly wants: (url: string) => boolean
}): Candidates {
  const found = new Map<string, Candidate>()
  const dropped = new Set([keyOf(new URL(options.seed))])
  const variants = new Map<string, number>()
  const language = languageOf(new URL(options.seed))

  /** Counts one more of its kind, unless there are enough of them. */
  function admit(kind: string, most: number): boolean {
    const count = variants.get(kind) ?? 0
    if (count < most) variants.set(kind, count + 1)
    return count < most
  }

  function isTrap(url: URL): boolean {
    const shape = calendarShape(url)
    if (shape !== undefined && !admit(shape, calendarPagesMax)) return true
    return url.search !== '' && !admit(url.pathname, queryVariantsMax)
  }

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
    const spoken = languageOf(url)
    const foreign = spoken !== undefined && spoken !== language
    found.set(key, { url: url.href, foreign, depth: depthOf(url) })
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
    ordered() {
      return [...found.values()]
        .sort(
          (one, other) => Number(one.foreign) - Number(other.foreign) || one.depth - other.depth,
        )
        .map(({ url }) => url)
    },
  }
}

/** What makes two hosts the same site: all but `www.`, the port included. */
export function siteOf(url: string): string {
  return new URL(url).host.replace(/^www\./, '')
}

/** The same page by http or https, with `www.` or without. */
export function keyOf(url: URL): string {
  return `${siteOf(url.href)}${url.pathname}${url.search}`
}

/** Links to these are links to files, even where their content could be read as a page. */
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

/** A query is a step further in: the list itself comes before its second page. */
function depthOf(url: URL): number {
  return segmentsOf(url).length + (url.search === '' ? 0 : 1)
}

const datePath = /\/(?:1[89]|2\d)\d\d(?:[-/]\d{1,2}){1,2}\/?$/
const dateValue = /^(?:1[89]|2\d)\d\d-\d{1,2}(?:-\d{1,2})?$/
const dateNames = /^(?:year|month|week|day|date|yr|mon)$/i

/** What all pages of one calendar have in common. A path that only has a date in it, as a post's, is of no calendar. */
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

/** The language that a path begins with, as in `/de/` and `/pt-br/`. */
function languageOf(url: URL): string | undefined {
  const [, code] = /^\/([a-z]{2})(?:[-_][a-z]{2,4})?(?:\/|$)/i.exec(url.pathname) ?? []
  return code !== undefined && languages.has(code.toLowerCase()) ? code.toLowerCase() : undefined
}
