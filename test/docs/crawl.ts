// Links of the texts that a gateway serves, and where each of them leads.
import { anchorOf } from '#surfaces/doors/guide.ts'

export interface Fetched {
  readonly status: number
  readonly type: string
  readonly text: string
}

export interface Crawled {
  /** `page -> link: what is wrong`. */
  readonly dead: readonly string[]
  /** The addresses that were read, without fragments. */
  readonly read: ReadonlySet<string>
  /** Links to other hosts, which tests cannot follow. */
  readonly elsewhere: ReadonlySet<string>
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
}
const readEntities = (text: string) =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name) => entities[name] ?? '')

const fence = /^ *(```|~~~)[\s\S]*?^ *\1/gm

/** The links of a text by its media type. Those of JSON are the values that are addresses of this gateway. */
export function linksOf({ type, text }: Pick<Fetched, 'type' | 'text'>, origin: string): string[] {
  if (type.startsWith('text/html'))
    return [...text.matchAll(/<(?:a|link|script|img|form)\b[^>]*?\s(?:href|src|action)="([^"]*)"/g)]
      .map(([, link = '']) => readEntities(link))
      .filter((link) => !link.startsWith('data:'))
  if (type.startsWith('application/json')) {
    const values = [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, value = '']) => value)
    return values.filter(
      (value) => /^\/docs\/[^{}\s]*$/.test(value) || isPlainAddress(value, origin),
    )
  }
  if (!/^text\/(plain|markdown)/.test(type)) return []
  const prose = text.replaceAll(fence, '').replaceAll(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
}

/** Addresses for people and programs, not those to which a call is posted. */
const isPlainAddress = (value: string, origin: string) =>
  value.startsWith(`${origin}/`) && !/[{}\s]|\/(mcp|api)\b/.test(value)

function hasAnchor({ type, text }: Fetched, fragment: string): boolean {
  if (type.startsWith('text/html')) return text.includes(`id="${fragment}"`)
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))
  return headings.includes(fragment)
}

/** Follows links from the starts through all that one origin serves. */
export async function crawl(
  starts: readonly string[],
  origin: string,
  get: (url: string) => Promise<Fetched>,
): Promise<Crawled> {
  const dead: string[] = []
  const elsewhere = new Set<string>()
  const fetched = new Map<string, Promise<Fetched>>()
  const read = (url: string) => {
    const known = fetched.get(url) ?? get(url)
    fetched.set(url, known)
    return known
  }
  const waiting = starts.map((start) => ({ from: 'start', link: new URL(start, origin).href }))
  const seen = new Set<string>()
  for (const { from, link } of waiting) {
    const { origin: at, href, hash } = new URL(link)
    if (at !== origin) elsewhere.add(href)
    if (at !== origin || seen.has(`${from} ${href}`)) continue
    seen.add(`${from} ${href}`)
    const url = href.slice(0, href.length - hash.length)
    const isNew = !fetched.has(url)
    const page = await read(url)
    if (page.status !== 200) dead.push(`${from} -> ${link}: ${page.status}`)
    else if (hash !== '' && !hasAnchor(page, decodeURIComponent(hash.slice(1))))
      dead.push(`${from} -> ${link}: no such heading`)
    if (!isNew) continue
    for (const next of linksOf(page, origin)) {
      const target = URL.parse(next, url)
      if (target === null) dead.push(`${url} -> ${next}: not an address`)
      else if (/^https?:$/.test(target.protocol)) waiting.push({ from: url, link: target.href })
    }
  }
  return { dead, read: new Set(fetched.keys()), elsewhere }
}
