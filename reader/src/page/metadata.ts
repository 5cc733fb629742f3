// What a page says about itself to search engines and to sites that quote it: meta elements, OpenGraph, JSON-LD, times.
import { decodeHTML } from 'entities'
import { readLinkedData } from './linked-data.ts'
import { type MarkupTree, startTag, textRun } from './markup-tree.ts'
import { isVoid } from './nesting.ts'
import type { Attributes } from './scan.ts'

/** Each is null where the page does not say it. */
export interface PageMetadata {
  readonly description: string | null
  readonly author: string | null
  /** ISO 8601, as exact as the page says. Without an offset where the page names none. */
  readonly publishedAt: string | null
  readonly modifiedAt: string | null
  /** A language tag, such as `en` or `pt-BR`. */
  readonly language: string | null
  readonly siteName: string | null
  /** Absolute addresses of the web. */
  readonly canonicalUrl: string | null
  readonly imageUrl: string | null
}

export const noMetadata: PageMetadata = {
  description: null,
  author: null,
  publishedAt: null,
  modifiedAt: null,
  language: null,
  siteName: null,
  canonicalUrl: null,
  imageUrl: null,
}

const textCharactersMax = 2_000
const authorCharactersMax = 200

export function readMetadata(page: MarkupTree, baseUrl: string): PageMetadata {
  const metas = readMetas(page)
  const { links, times, author: byline, language } = readElements(page)
  const linked = readLinkedData(page.head.linkedData)
  const meta = (...names: string[]) => names.map((name) => metas.get(name))
  const address = (candidates: readonly (string | undefined)[]) =>
    first(candidates.map((written) => webAddress(written, baseUrl)))
  const [onlyTime] = times.all.size === 1 ? times.all : []
  return {
    description: text([
      ...meta('description', 'og:description', 'twitter:description', 'dc.description'),
      linked.description,
    ]),
    author: text(
      [
        linked.author,
        ...meta('author', 'article:author', 'parsely-author', 'dc.creator', 'citation_author'),
        byline,
      ].filter((name) => name !== undefined && !/^https?:/i.test(name)),
      authorCharactersMax,
    ),
    publishedAt: first(
      [
        linked.published,
        ...meta('article:published_time', 'datepublished', 'date', 'pubdate', 'dc.date'),
        ...meta('dc.date.issued', 'parsely-pub-date', 'citation_publication_date'),
        times.published,
        onlyTime,
      ].map(isoDate),
    ),
    modifiedAt: first(
      [
        linked.modified,
        ...meta('article:modified_time', 'og:updated_time', 'datemodified', 'last-modified'),
        times.modified,
      ].map(isoDate),
    ),
    language: first(
      [language, ...meta('content-language', 'language', 'og:locale'), linked.language].map(
        languageTag,
      ),
    ),
    siteName: text([...meta('og:site_name', 'application-name'), linked.siteName]),
    canonicalUrl: address([links.get('canonical'), ...meta('og:url')]),
    imageUrl: address([
      ...meta('og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'),
      linked.image,
      links.get('image_src'),
    ]),
  }
}

/** The first content of each meta element, by name in lower case. */
function readMetas({ names, attributes }: MarkupTree): ReadonlyMap<string, string> {
  const metas = new Map<string, string>()
  names.forEach((name, node) => {
    if (name !== 'meta') return
    const found = attributes[node] as Attributes
    const key = ['property', 'name', 'itemprop', 'http-equiv'].map((each) => found.get(each))
    const content = decodeHTML(found.get('content') ?? '').trim()
    for (const written of key) {
      const known = written?.toLowerCase()
      if (known !== undefined && content !== '' && !metas.has(known)) metas.set(known, content)
    }
  })
  return metas
}

function readElements(page: MarkupTree) {
  const { names, attributes, events } = page
  const links = new Map<string, string>()
  const times = {
    all: new Set<string>(),
    published: undefined as string | undefined,
    modified: undefined as string | undefined,
  }
  let author: string | undefined
  let language: string | undefined
  events.forEach((event, index) => {
    if ((event & 3) !== startTag) return
    const node = event >> 2
    const name = names[node]
    const found = attributes[node] as Attributes
    if (found.size === 0) return
    if (name === 'html') language ??= found.get('lang') ?? found.get('xml:lang')
    else if (name === 'time') noteTime(times, found)
    else if (name === 'link') {
      for (const relation of (found.get('rel') ?? '').toLowerCase().split(/\s+/))
        if (!links.has(relation)) links.set(relation, found.get('href') ?? '')
    }
    if (name === 'link' || isVoid(name ?? '')) return
    if (found.get('rel') === 'author' || found.get('itemprop') === 'author')
      author ??= textWithin(page, index)
  })
  return { links, times, author, language }
}

function noteTime(
  times: { all: Set<string>; published: string | undefined; modified: string | undefined },
  attributes: Attributes,
): void {
  const written = attributes.get('datetime')
  if (written === undefined || isoDate(written) === undefined) return
  const property = `${attributes.get('itemprop') ?? ''} ${attributes.get('class') ?? ''}`
  if (/modified|updated/i.test(property)) times.modified ??= written
  else if (attributes.has('pubdate') || /published|dt-published/i.test(property))
    times.published ??= written
  times.all.add(written)
}

/** The beginning of the text of the element that starts here. */
function textWithin({ events, texts }: MarkupTree, start: number): string | undefined {
  const end = (events[start] as number) + 1
  let within = ''
  for (
    let index = start;
    events[index] !== end && within.length < authorCharactersMax;
    index += 1
  ) {
    const event = events[index]
    if (event === undefined) break
    if ((event & 3) === textRun) within += texts[event >> 2]
  }
  return within.replace(/\s+/g, ' ').trim() || undefined
}

function first(values: readonly (string | undefined)[]): string | null {
  return values.find((value) => value !== undefined && value !== '') ?? null
}

function text(values: readonly (string | undefined)[], charactersMax = textCharactersMax) {
  return first(
    values.map((value) =>
      value
        ?.replace(/[\s\0]+/g, ' ')
        .trim()
        .slice(0, charactersMax)
        .toWellFormed(),
    ),
  )
}

function webAddress(written: string | undefined, baseUrl: string): string | undefined {
  if (written === undefined || written === '') return undefined
  const url = URL.parse(decodeHTML(written), baseUrl)
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined
}

/** `en_US` is written by OpenGraph. */
function languageTag(written: string | undefined): string | undefined {
  const tag = written?.trim().replaceAll('_', '-') ?? ''
  return /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i.test(tag) ? tag : undefined
}

const isoPattern =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(?:\.\d+)?\s*(Z|[+-]\d{2}:?\d{2})?)?/i

function isoDate(written: string | undefined): string | undefined {
  const value = written?.trim() ?? ''
  const [, date, minutes, seconds = '', offset = ''] = isoPattern.exec(value) ?? []
  if (date !== undefined) {
    if (Number.isNaN(Date.parse(date))) return undefined
    if (minutes === undefined) return date
    return `${date}T${minutes}${seconds}${offset.toUpperCase().replace(/(\d{2})(\d{2})$/, '$1:$2')}`
  }
  // Other forms are read only where they name a zone: a machine's own zone must not decide what a page says.
  if (!/\d{4}/.test(value) || !/(?:GMT|UTC|[+-]\d{4})\s*$/.test(value)) return undefined
  const time = Date.parse(value)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}
