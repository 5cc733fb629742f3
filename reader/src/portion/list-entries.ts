// Where a text lists other pages of its site: contents, indexes and the like, whose words are about those pages.

/** A part of a text, and the page that it links to or is about. */
export interface LinkedText {
  /** Without a fragment. */
  readonly url: string
  /** In characters of the text. */
  readonly from: number
  readonly to: number
}

/** What stands beside the link of an entry is short. */
const entryCharactersMax = 300
/** From this share of links on, a block of any element is a list. */
const linkedShareMin = 0.6
/** A block of which so much is one link consists of that link: the rest is marks. */
const wholeLinkShareMin = 0.9
const entryCells: ReadonlySet<string> = new Set(['li', 'dt', 'dd', 'td', 'th'])
const cellLists: ReadonlySet<string> = new Set(['ul', 'ol', 'dl', 'table'])
const descriptionCells: ReadonlySet<string> = new Set(['dd', 'td'])
const wordCharacter = /[\p{L}\p{N}]/u
const markdownEntry = /^[ \t]*(?:(?:[-*+|]|\d{1,9}[.)])[ \t]*)?\[[^[\]\n]{1,300}\]\((\S{1,2000}?)\)/

/** The links to other pages of the page's site, as they are met. Without the address of the page there are none. */
export function openLinks(pageUrl: string | undefined) {
  const otherPage = otherPageOf(pageUrl)
  let links: LinkedText[] = []
  let open: { readonly url: string; readonly from: number } | undefined
  const close = (to: number) => {
    if (open !== undefined && to > open.from) links.push({ ...open, to })
  }
  return {
    start(href: string | undefined, at: number) {
      const url = otherPage(href)
      open = url === undefined ? undefined : { url, from: at }
    },
    end(at: number) {
      close(at)
      open = undefined
    },
    /** The links of the text that ends here. A link around several blocks goes on in the next one. */
    take(at: number): readonly LinkedText[] {
      const taken = links
      close(at)
      if (open !== undefined) open = { ...open, from: 0 }
      links = []
      return taken
    },
  }
}

/** The page that a text consists of a link to. */
export function wholeLinkOf(text: string, links: readonly LinkedText[]): string | undefined {
  const [link, ...others] = links
  if (link === undefined || others.some(({ url }) => url !== link.url)) return undefined
  return linkedShare(text, links) >= wholeLinkShareMin ? link.url : undefined
}

/** Tells of one block after the other which parts of it list other pages. */
export function createEntryWatch() {
  let cell = ''
  /** The link that the last cell consists of. */
  let term: string | undefined
  return {
    startElement(name: string) {
      if (entryCells.has(name)) cell = name
    },
    endElement(name: string) {
      if (cellLists.has(name)) cell = ''
    },
    entriesOf(text: string, links: readonly LinkedText[]): readonly LinkedText[] {
      if (text.trim() === '') return []
      const described = term
      term = cell === '' ? undefined : wholeLinkOf(text, links)
      const isShort = text.length <= entryCharactersMax
      const [first] = links
      if (first === undefined)
        return described !== undefined && isShort && descriptionCells.has(cell)
          ? [{ url: described, from: 0, to: text.length }]
          : []
      if (linkedShare(text, links) >= linkedShareMin) return links
      const isFirst = !wordCharacter.test(text.slice(0, first.from))
      return isFirst && isShort && cell !== '' ? [{ url: first.url, from: 0, to: text.length }] : []
    },
  }
}

/** The lines of a Markdown block that begin with a link to another page. */
export function entriesOfMarkdown(text: string, pageUrl: string | undefined): LinkedText[] {
  const otherPage = otherPageOf(pageUrl)
  const entries: LinkedText[] = []
  let from = 0
  for (const line of text.split('\n')) {
    const to = from + line.length
    const url =
      line.length <= entryCharactersMax ? otherPage(markdownEntry.exec(line)?.[1]) : undefined
    if (url !== undefined) entries.push({ url, from, to })
    from = to + 1
  }
  return entries
}

function linkedShare(text: string, links: readonly LinkedText[]): number {
  const linked = links.reduce((sum, { from, to }) => sum + to - from, 0)
  return linked / Math.max(1, text.trim().length)
}

function otherPageOf(pageUrl: string | undefined) {
  const page = pageUrl === undefined ? null : withoutFragment(pageUrl)
  return (href: string | undefined): string | undefined => {
    if (page === null || href === undefined || href.startsWith('#')) return undefined
    const url = withoutFragment(href, page.href)
    return url !== null && url.host === page.host && url.href !== page.href ? url.href : undefined
  }
}

function withoutFragment(href: string, base?: string): URL | null {
  const url = URL.parse(href, base)
  if (url !== null) url.hash = ''
  return url
}
