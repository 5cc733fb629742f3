// Feeds become pages: RSS, Atom and JSON Feed as a heading for the feed and one for each of its entries, in their
// order. Broken parts are skipped. Linear, and without a limit of its own: the page limit bounds a feed as well.
import { decodeXML } from 'entities'
import { readAttributes } from './scan.ts'
import { createXmlScanner } from './xml-scan.ts'

interface Entry {
  title: string
  link: string
  date: string
  author: string
  /** HTML, the longest of what the entry has of itself. */
  content: string
}

interface Feed extends Entry {
  readonly entries: readonly Entry[]
}

const sniffedCharactersMax = 4_096

export function isFeed(kind: string, text: string): boolean {
  const start = text.slice(0, sniffedCharactersMax)
  if (kind === 'json') return /"version"\s*:\s*"https?:\/\/(?:www\.)?jsonfeed\.org\//.test(start)
  return (
    kind === 'xml' && /<(?:rss|feed|rdf:RDF)[\s>]/.test(start) && /<(?:item|entry)[\s>]/.test(text)
  )
}

export function feedToHtml(text: string): string {
  const feed = text.trimStart().startsWith('{') ? readJsonFeed(text) : readXmlFeed(text)
  if (feed === undefined) return `<pre>${escapeText(text)}</pre>`
  return [
    `<title>${escapeText(feed.title)}</title><h1>${linked(feed)}</h1>${feed.content}`,
    ...feed.entries.map(writeEntry),
  ].join('\n')
}

function writeEntry(entry: Entry): string {
  const byline = [entry.date, entry.author].filter((part) => part !== '').map(escapeText)
  const told = byline.length > 0 ? `<p>${byline.join(', ')}</p>` : ''
  const heading = entry.title || entry.link ? `<h2>${linked(entry)}</h2>` : ''
  return `<article>${heading}${told}<div>${entry.content}</div></article>`
}

function linked({ title, link }: Entry): string {
  const text = escapeText(title || link)
  return link === '' ? text : `<a href="${escapeText(link)}">${text}</a>`
}

function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

function emptyEntry(): Entry {
  return { title: '', link: '', date: '', author: '', content: '' }
}

type Field = keyof Entry

const fieldOf: ReadonlyMap<string, Field> = new Map([
  ['title', 'title'],
  ['link', 'link'],
  ['pubDate', 'date'],
  ['published', 'date'],
  ['updated', 'date'],
  ['dc:date', 'date'],
  ['author', 'author'],
  ['dc:creator', 'author'],
  ['description', 'content'],
  ['summary', 'content'],
  ['subtitle', 'content'],
  ['content', 'content'],
  ['content:encoded', 'content'],
])
const channels: ReadonlySet<string> = new Set(['rss', 'channel', 'feed', 'rdf:RDF'])

interface OpenField {
  readonly name: string
  readonly key: Field
  readonly isMarkup: boolean
}

/** Keeps the longest content, which is the whole of it, and the first date, which is that of publication. */
function setField(entry: Entry, { key, isMarkup }: OpenField, read: string): void {
  const value = key === 'content' ? contentOf(read, isMarkup) : plainOf(read)
  if (key === 'content' ? value.length > entry.content.length : entry[key] === '')
    entry[key] = value
}

function readXmlFeed(text: string): Feed {
  const whole = emptyEntry()
  const entries: Entry[] = []
  let entry: Entry | undefined
  /** What is being read, and how many elements inside of it are open. */
  let field: OpenField | undefined
  let inside = 0
  let pieces: string[] = []
  /** Pictures of the feed and the like, which have titles and links of their own. */
  let passed: string | undefined

  function endField(): void {
    if (field === undefined) return
    setField(entry ?? whole, field, pieces.join('').trim())
    field = undefined
    pieces = []
  }

  function openField(name: string, attributes: string): void {
    const key = fieldOf.get(name)
    const written = readAttributes(` ${attributes.replace(/\/$/, '')}`)
    if (name === 'link' && written.has('href')) {
      const target = entry ?? whole
      if ((written.get('rel') ?? 'alternate') === 'alternate')
        target.link ||= decodeXML(written.get('href') ?? '')
      return
    }
    if (key !== undefined) {
      field = { name, key, isMarkup: written.get('type') === 'xhtml' }
      inside = 0
    } else if (!channels.has(name) && entry === undefined) passed = name
  }

  const scan = createXmlScanner({
    open(name, attributes) {
      if (passed !== undefined) return
      if (name === 'item' || name === 'entry') {
        endField()
        entry = emptyEntry()
        entries.push(entry)
      } else if (field === undefined) openField(name, attributes)
      else {
        if (name === field.name) inside += 1
        if (field.isMarkup) pieces.push(`<${name}${attributes}>`)
      }
    },
    close(name) {
      if (passed !== undefined) {
        if (name === passed) passed = undefined
      } else if (name === 'item' || name === 'entry') {
        endField()
        entry = undefined
      } else if (field !== undefined && name === field.name) {
        if (inside === 0) endField()
        else inside -= 1
      } else if (field?.isMarkup) pieces.push(`</${name}>`)
    },
    text(part) {
      if (field !== undefined) pieces.push(field.isMarkup ? part : decodeXML(part))
    },
    literal(part) {
      if (field !== undefined) pieces.push(part)
    },
  })
  scan(text)
  endField()
  return { ...whole, entries }
}

/** HTML if it has a tag or an entity in it, else a text. */
function contentOf(read: string, isMarkup: boolean): string {
  if (isMarkup || /<[a-z!/]|&(?:#\d+|#x[\da-f]+|\w+);/i.test(read)) return read
  return read === '' ? '' : `<p>${escapeText(read)}</p>`
}

/** Titles are texts, though some are written as HTML. */
function plainOf(read: string): string {
  return decodeXML(read.replace(/<[a-z/][^<>]{0,500}>/gi, ''))
    .replace(/\s+/g, ' ')
    .trim()
}

function readJsonFeed(text: string): Feed | undefined {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    return undefined
  }
  const feed = fieldsOf(read)
  if (!Array.isArray(feed.items)) return undefined
  return { ...readJsonEntry(feed), entries: feed.items.map(fieldsOf).map(readJsonEntry) }
}

function readJsonEntry(fields: Readonly<Record<string, unknown>>): Entry {
  const text = (...keys: string[]) =>
    keys.map((key) => fields[key]).find((value) => typeof value === 'string') ?? ''
  const [author] = Array.isArray(fields.authors) ? fields.authors : [fields.author]
  const html = text('content_html')
  const name = fieldsOf(author).name
  return {
    title: text('title'),
    link: text('home_page_url', 'url', 'external_url'),
    date: text('date_published', 'date_modified'),
    author: typeof name === 'string' ? name : '',
    content: html || contentOf(text('content_text', 'summary', 'description'), false),
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
