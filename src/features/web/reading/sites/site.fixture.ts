// A site of 200 pages on loopback, with everything that crawlers get lost in.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { type LoopbackServer, serve } from '#platform/egress/loopback.fixture.ts'

export type Answer = (response: ServerResponse, incoming: IncomingMessage) => void

/** Any name leads to it: `http://site.example:<port>`. */
export interface Site extends LoopbackServer {
  readonly url: (path: string, host?: string) => string
  /** Answers by path and query; what is not there is a 404. */
  readonly answers: Map<string, Answer>
}

export async function serveSite(ownHost = 'site.example'): Promise<Site> {
  const answers = new Map<string, Answer>()
  const server = await serve((incoming, response) => {
    const answer = answers.get(incoming.url ?? '')
    if (answer) answer(response, incoming)
    else void response.writeHead(404).end('<a href="/never">not here</a>')
  })
  const url = (path: string, host = ownHost) => `http://${host}:${server.port}${path}`
  return { ...server, url, answers }
}

export const html = (...links: string[]): Answer => page(links.map(toLink).join(''))

const toLink = (address: string) => `<a href="${address}">x</a>`

export function page(body: string): Answer {
  return (response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>x</title>${body}`)
}

export function file(body: string | Buffer, type = 'application/xml'): Answer {
  return (response) => void response.writeHead(200, { 'content-type': type }).end(body)
}

export const redirect =
  (location: string): Answer =>
  (response) =>
    void response.writeHead(302, { location }).end()

export const urlset = (addresses: readonly string[]) =>
  `<urlset>${addresses.map((address) => `<url><loc>${address}</loc></url>`).join('')}</urlset>`

export const sitemapIndex = (addresses: readonly string[]) =>
  `<sitemapindex>${addresses.map((address) => `<sitemap><loc>${address}</loc></sitemap>`).join('')}</sitemapindex>`

const sections = 10
const count = (length: number, path: (n: number) => string) =>
  Array.from({ length }, (_, n) => path(n))

/** The home page, ten sections, and 189 pages in them: of the first sections in sitemaps, of the last only linked. */
const sectionPaths = count(sections, (n) => `/s${n}`)
const pagePaths = sectionPaths.map((section, n) =>
  count(n === sections - 1 ? 18 : 19, (page) => `${section}/p${page}`),
)

const traps = {
  /** Linked from the home page, and no page of the map for one reason or other. */
  never: [
    '/gone',
    '/report.pdf',
    '/disguised',
    '/picture.png',
    '/loop/loop/loop',
    '/private/',
    '/secret.html?x',
    '/old',
    '/away',
    'https://other.example/',
    'https://www.youtube.com/watch?v=1',
    'mailto:somebody@site.example',
    'javascript:void(0)',
  ],
  calendar: count(24, (n) => `/calendar/${2_020 + n}/05`),
  variants: count(40, (n) => `/list?sort=${n}`),
}

/** Everything that is to be found, the seed first, as paths in the order of the map. */
export const expectedPaths: readonly string[] = [
  '/',
  // One step deep: in the sitemaps first, then as the home page links to them, then what those link to.
  ...sectionPaths,
  '/loop/',
  '/big',
  '/slow',
  '/hop',
  '/new',
  '/early',
  '/refreshed',
  // Two steps deep.
  ...traps.variants.slice(0, 10),
  ...pagePaths.flat(),
  '/loop/loop/',
  // Three.
  ...traps.calendar.slice(0, 3),
]

/** With words on its pages they are worth reading, and not only mapping. */
export async function serveLargeSite({
  host,
  words = '',
}: {
  readonly host?: string
  readonly words?: string
} = {}): Promise<Site> {
  const site = await serveSite(host)
  const linked = (...links: string[]) => page(words + links.map(toLink).join(''))
  const { answers, url } = site
  const set = (path: string, answer: Answer) => answers.set(path, answer)
  set(
    '/robots.txt',
    file(
      `User-agent: *\nCrawl-delay: 0\nDisallow: /private\nDisallow: /*.html?\nSitemap: ${url('/index.xml')}`,
      'text/plain',
    ),
  )
  set(
    '/',
    linked(
      ...sectionPaths,
      ...traps.never,
      ...traps.calendar,
      ...traps.variants,
      '/loop/',
      '/big',
      '/slow',
      '/hop',
    ),
  )
  sectionPaths.forEach((path, n) => {
    set(path, linked('/', ...(pagePaths[n] ?? []), 'https://other.example/x'))
  })
  for (const path of pagePaths.flat()) set(path, linked('/', '/too-deep'))

  const absolute = (paths: readonly string[]) => paths.map((path) => url(path))
  set(
    '/index.xml',
    file(sitemapIndex(absolute(['/nested.xml', '/plain.xml', '/list.txt', '/index.xml']))),
  )
  set('/nested.xml', file(sitemapIndex(absolute(['/packed.xml']))))
  set('/plain.xml', file(urlset(absolute(pagePaths.slice(0, 3).flat()))))
  set('/list.txt', file(absolute(pagePaths[3] ?? []).join('\n'), 'text/plain'))
  set('/packed.xml', file(gzipSync(urlset(absolute(pagePaths.slice(4, 7).flat())))))

  set('/disguised', file('%PDF-1.7', 'application/pdf'))
  set('/private/', linked('/private/a'))
  set('/secret.html?x', linked())
  set('/old', redirect('/older'))
  set('/older', redirect('/new'))
  set('/new', linked())
  set('/away', redirect(url('/elsewhere', 'elsewhere.example')))
  set('/elsewhere', linked())
  set('/loop/', linked('loop/', 'loop/loop/'))
  set('/hop', page('<meta http-equiv="refresh" content="0; url=/refreshed">'))
  set('/refreshed', linked())
  set('/early', linked())
  for (const path of [...traps.calendar, ...traps.variants]) set(path, linked())
  // Without an answer, for as long as anybody waits.
  set('/slow', () => {})
  set('/big', (response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.write('<a href="/early">x</a>')
    response.write('<p>words</p>'.repeat(800_000))
    response.end('<a href="/late">x</a>')
  })
  return site
}
