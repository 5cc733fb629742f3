// One pass over a page as it came: out of it come balanced, shallow, script-free HTML with absolute links, and the
// survey that the yield check judges by. Everything that parses the page afterwards parses this.
import { decodeHTML } from 'entities'
import { createTagStack, isBlock, isVoid } from './nesting.ts'
import { readAttributes, scanHtml } from './scan.ts'

/** What a page is made of, whether or not anybody can read it. */
export interface Survey {
  readonly title: string | null
  /** The first h1. */
  readonly heading: string
  /** What a person would see, the beginning of it. */
  readonly text: string
  readonly words: number
  readonly linkWords: number
  /** Words in paragraphs, list items, table cells and the like, outside of links. */
  readonly proseWords: number
  readonly elements: number
  readonly scripts: number
  readonly scriptCharacters: number
  /** What the page says to those who run no script. */
  readonly noscript: string
  readonly passwordFields: number
  /** The content of a meta refresh. */
  readonly refresh: string | null
  /** There is an empty element of the kind that scripts fill: `<div id="root"></div>`. */
  readonly emptyRoot: boolean
  /** The page is longer or has more elements than are looked at. */
  readonly cut: boolean
}

export interface CleanedPage {
  readonly html: string
  readonly survey: Survey
  /** What relative links are relative to. */
  readonly baseUrl: string
}

export interface CleanOptions {
  /** Keep class, role and the like, which tell an extractor what an element is for. */
  readonly hints: boolean
  /** Elements to leave out with all that they hold. */
  readonly drop?: ReadonlySet<string>
}

export const elementsMax = 200_000
const surveyedCharactersMax = 200_000
const noscriptCharactersMax = 2_000

const skipped: ReadonlySet<string> = new Set(
  `noscript template svg object embed canvas audio video map select datalist applet frameset dialog`.split(
    ' ',
  ),
)
/** Their tags go, their words stay. */
const unwrapped: ReadonlySet<string> = new Set(
  'html head body button form fieldset label font center nobr input link meta base param source track frame area portal slot template'.split(
    ' ',
  ),
)
const keptAttributes: ReadonlySet<string> = new Set(
  'alt title colspan rowspan lang dir datetime start id open reversed cite scope'.split(' '),
)
const hintAttributes: ReadonlySet<string> = new Set(
  'class role itemprop itemtype rel style hidden aria-hidden property'.split(' '),
)
const proseElements: ReadonlySet<string> = new Set(
  'p li td th dd dt pre blockquote figcaption h1 h2 h3 h4 h5 h6 article section main'.split(' '),
)
const rootNames =
  /^(?:root|app|__next|__nuxt|___gatsby|main-app|react-root|svelte|q-app|ember-app|application)$/i

export function cleanPage(html: string, url: string, options: CleanOptions): CleanedPage {
  const output: string[] = []
  const tags = createTagStack((markup) => output.push(markup))
  const survey = createSurvey()
  let baseUrl = url
  let hasBase = false
  let skipping: { name: string; depth: number; content: string[] } | undefined
  let elements = 0

  scanHtml(html, {
    done: () => elements > elementsMax,
    open(name, attributeText) {
      elements += 1
      if (skipping) {
        if (name === skipping.name) skipping.depth += 1
        return
      }
      const shadow = name === 'template' && attributeText.includes('shadowrootmode')
      if ((skipped.has(name) && !shadow) || options.drop?.has(name)) {
        skipping = { name, depth: 1, content: [] }
        return
      }
      const attributes = readAttributes(attributeText)
      survey.element(name, attributes)
      if (name === 'base' && !hasBase) {
        const base = resolveLink(attributes.get('href') ?? '', url)
        if (base?.startsWith('http')) [baseUrl, hasBase] = [base, true]
      }
      if (unwrapped.has(name)) return
      const markup = `<${name}${writeAttributes(name, attributes, baseUrl, options)}>`
      if (isVoid(name)) output.push(markup)
      else tags.open(name, markup, isHidden(attributes))
    },
    close(name) {
      if (skipping) {
        if (name !== skipping.name) return
        skipping.depth -= 1
        if (skipping.depth === 0) {
          if (name === 'noscript') survey.noscript(skipping.content.join(' '))
          skipping = undefined
        }
        return
      }
      tags.close(name)
      if (isBlock(name)) survey.pause()
    },
    text(raw) {
      if (skipping) {
        skipping.content.push(raw)
        return
      }
      output.push(raw)
      if (!tags.isHidden()) survey.text(raw, tags)
    },
    raw(name, content) {
      elements += 1
      if (name === 'title') survey.title(content, skipping === undefined)
      else if (name === 'script') survey.script(content)
    },
  })
  tags.closeAll()
  return { html: output.join(''), survey: survey.result(elements), baseUrl }
}

function isHidden(attributes: ReadonlyMap<string, string>): boolean {
  if (attributes.has('hidden') && attributes.get('hidden') !== 'until-found') return true
  return /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes.get('style') ?? '')
}

function createSurvey() {
  const parts: string[] = []
  let characters = 0
  let title: string | null = null
  let openGraphTitle: string | null = null
  let refresh: string | null = null
  let noscript = ''
  let root: { emptyAt: number } | undefined
  const heading: string[] = []
  const counts = {
    words: 0,
    linkWords: 0,
    proseWords: 0,
    scripts: 0,
    scriptCharacters: 0,
    passwordFields: 0,
  }

  return {
    title(content: string, visible: boolean) {
      if (visible) title ??= tidyLine(decodeHTML(content))
    },
    script(content: string) {
      counts.scripts += 1
      counts.scriptCharacters += content.length
    },
    noscript(content: string) {
      noscript =
        `${noscript} ${tidyLine(decodeHTML(content.slice(0, noscriptCharactersMax)))}`.slice(
          0,
          noscriptCharactersMax,
        )
    },
    element(name: string, attributes: ReadonlyMap<string, string>) {
      if (name === 'input' && attributes.get('type')?.toLowerCase() === 'password')
        counts.passwordFields += 1
      if (name === 'meta') {
        if (attributes.get('http-equiv')?.toLowerCase() === 'refresh')
          refresh ??= decodeHTML(attributes.get('content') ?? '')
        if (attributes.get('property') === 'og:title')
          openGraphTitle ??= tidyLine(decodeHTML(attributes.get('content') ?? ''))
      }
      if (name === 'div' || name === 'main' || name === 'app-root') {
        if (name === 'app-root' || rootNames.test(attributes.get('id') ?? ''))
          root ??= { emptyAt: counts.words }
      }
      if (isBlock(name)) parts.push('\n')
    },
    pause() {
      parts.push('\n')
    },
    text(
      raw: string,
      tags: { has(name: string): boolean; hasAny(names: ReadonlySet<string>): boolean },
    ) {
      if (characters > surveyedCharactersMax) return
      const part = raw.slice(0, surveyedCharactersMax)
      const text = part.includes('&') ? decodeHTML(part) : part
      const words = countWords(text)
      characters += raw.length
      parts.push(text)
      if (words === 0) return
      counts.words += words
      if (tags.has('a')) counts.linkWords += words
      else if (tags.hasAny(proseElements)) counts.proseWords += words
      if (tags.has('h1') && heading.length < 20) heading.push(text)
    },
    result(elements: number): Survey {
      const text = parts
        .join('')
        .replace(/[^\S\n]+/g, ' ')
        .replace(/ ?\n[\s]*/g, '\n')
        .trim()
      return {
        title: openGraphTitle && !title ? openGraphTitle : title || null,
        heading: tidyLine(heading.join(' ')),
        text,
        ...counts,
        noscript: noscript.trim(),
        refresh,
        emptyRoot: root !== undefined && counts.words - root.emptyAt < 10,
        elements,
        cut: elements > elementsMax || characters > surveyedCharactersMax,
      }
    },
  }
}

/** Words of spaced scripts; two characters of Chinese, Japanese or Thai count as one, which is about right. */
export function countWords(text: string): number {
  let words = 0
  for (const [run] of text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu)) {
    const unspaced = run.length > 1 ? (run.match(unspacedScripts)?.length ?? 0) : 0
    words += unspaced > 1 ? Math.ceil(unspaced / 2) : 1
  }
  return words
}

const unspacedScripts =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}]/gu

export function tidyLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function writeAttributes(
  name: string,
  attributes: ReadonlyMap<string, string>,
  baseUrl: string,
  { hints }: CleanOptions,
): string {
  let written = ''
  for (const [key, value] of attributes) {
    const kept = keptAttributes.has(key) || (hints && hintAttributes.has(key))
    const language = key === 'class' && (name === 'code' || name === 'pre')
    if (kept || language) written += ` ${key}="${escapeMarks(value)}"`
  }
  if (name === 'a') written += writeLink('href', attributes.get('href'), baseUrl)
  if (name === 'img') written += writeLink('src', imageSource(attributes), baseUrl)
  return written
}

/** Pages that load pictures late put the address elsewhere and a placeholder into src. */
function imageSource(attributes: ReadonlyMap<string, string>): string | undefined {
  const source = attributes.get('src')
  if (source && !source.startsWith('data:')) return source
  const late =
    attributes.get('data-src') ?? attributes.get('data-original') ?? attributes.get('data-lazy-src')
  return (
    late ??
    attributes
      .get('srcset')
      ?.trim()
      .split(/[\s,]+/, 1)[0]
  )
}

function writeLink(key: string, value: string | undefined, baseUrl: string): string {
  const link = value === undefined ? undefined : resolveLink(value, baseUrl)
  return link === undefined
    ? ''
    : ` ${key}="${link.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`
}

function escapeMarks(value: string): string {
  return value.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function resolveLink(value: string, baseUrl: string): string | undefined {
  const link = URL.parse(value.includes('&') ? decodeHTML(value) : value, baseUrl)
  if (link === null) return undefined
  return ['http:', 'https:', 'mailto:', 'tel:'].includes(link.protocol) ? link.href : undefined
}
