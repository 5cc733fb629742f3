// What the yield check knows of a page's text and make-up, gathered while the page is cleaned.
import { decodeHTML } from 'entities'
import { isBlock, type TagStack } from './nesting.ts'

/** What a page is made of, whether or not anybody can read it. */
export interface Survey {
  readonly title: string | null
  /** The first h1. */
  readonly heading: string
  /** What a person would see, the beginning of it. */
  readonly text: string
  /** Of it what stands in the page's own body, outside of links, and in its links. */
  readonly body: string
  readonly bodyLinks: string
  readonly words: number
  readonly linkWords: number
  /** Words in the page's own header, navigation, footer and the like. */
  readonly furnitureWords: number
  /** Words in `code`, which are quoted rather than said. */
  readonly codeWords: number
  /** Words in paragraphs, list items, table cells and the like, outside of links. */
  readonly proseWords: number
  readonly elements: number
  readonly scripts: number
  readonly scriptCharacters: number
  /** What the page says to those who run no script. */
  readonly noscript: string
  readonly passwordFields: number
  /** What stands on the buttons of the page's own body, a line for each. */
  readonly buttons: string
  /** The content of a meta refresh. */
  readonly refresh: string | null
  /** There is an empty element of the kind that scripts fill: `<div id="root"></div>`. */
  readonly emptyRoot: boolean
  /** Class and id of the page as a whole: of its html and body. */
  readonly names: string
  /** The page asks search engines not to list it. */
  readonly isUnlisted: boolean
  /** The page is longer or has more elements than are looked at. */
  readonly cut: boolean
}

export interface SurveyTaker {
  title(content: string): void
  script(content: string): void
  noscript(text: string): void
  /** An element begins, inside the open tags. */
  element(name: string, attributes: ReadonlyMap<string, string>, tags: TagStack): void
  /** A block ends. */
  pause(): void
  /** Visible text, inside the open tags. */
  text(raw: string, tags: TagStack): void
  result(elements: number, elementsMax: number): Survey
}

const surveyedCharactersMax = 200_000
const noscriptCharactersMax = 2_000
const headingPartsMax = 20
const buttonsMax = 50
const namesCharactersMax = 1_000
const wordsOfEmptyRootMax = 10
const proseElements: ReadonlySet<string> = new Set(
  'p li td th dd dt pre blockquote figcaption h1 h2 h3 h4 h5 h6 article section main'.split(' '),
)
const furniture: ReadonlySet<string> = new Set(['header', 'nav', 'footer', 'menu', 'search'])
const content: ReadonlySet<string> = new Set(['main', 'article', 'section'])
const listings: ReadonlySet<string> = new Set(['code', 'samp'])
const rootNames =
  /^(?:root|app|__next|__nuxt|___gatsby|main-app|react-root|svelte|q-app|ember-app|application)$/i

/** What the head of a page says of it. */
function createHeadNotes() {
  const noscript: string[] = []
  const names: string[] = []
  let title: string | undefined
  let shareTitle: string | undefined
  let refresh: string | undefined
  let isUnlisted = false
  return {
    title(content: string) {
      title ??= tidyLine(decodeHTML(content))
    },
    noscript(text: string) {
      noscript.push(tidyLine(decodeHTML(text.slice(0, noscriptCharactersMax))))
    },
    names(attributes: ReadonlyMap<string, string>) {
      names.push(...namesOf(attributes))
    },
    meta(attributes: ReadonlyMap<string, string>) {
      const content = decodeHTML(attributes.get('content') ?? '')
      if (attributes.get('http-equiv')?.toLowerCase() === 'refresh') refresh ??= content
      if (attributes.get('name')?.toLowerCase() === 'robots')
        isUnlisted ||= /noindex|none/i.test(content)
      if (attributes.get('property') === 'og:title') shareTitle ??= tidyLine(content)
    },
    result: () => ({
      title: title || shareTitle || null,
      noscript: noscript.join(' ').slice(0, noscriptCharactersMax).trim(),
      refresh: refresh ?? null,
      names: names.join(' ').slice(0, namesCharactersMax),
      isUnlisted,
    }),
  }
}

/** The labels of the page's own buttons: the value of an input, or the first text inside. */
function createButtonLabels() {
  const labels: string[] = []
  let isOpen = false
  return {
    button(name: string, attributes: ReadonlyMap<string, string>) {
      if (labels.length >= buttonsMax) return
      labels.push(attributes.get('value') ?? '')
      isOpen = name !== 'input'
    },
    text(text: string) {
      if (isOpen) labels.push(`${labels.pop()} ${text}`)
      isOpen = false
    },
    result: () => labels.map(tidyLine).join('\n'),
  }
}

const noCounts = {
  words: 0,
  linkWords: 0,
  furnitureWords: 0,
  codeWords: 0,
  proseWords: 0,
  scripts: 0,
  scriptCharacters: 0,
  passwordFields: 0,
}

export function createSurvey(): SurveyTaker {
  const head = createHeadNotes()
  const buttons = createButtonLabels()
  const parts: string[] = []
  const body: string[] = []
  const bodyLinks: string[] = []
  const heading: string[] = []
  const counts = { ...noCounts }
  let characters = 0
  let wordsBeforeRoot: number | undefined

  function pause(): void {
    for (const list of [parts, body, bodyLinks]) if (list.at(-1) !== '\n') list.push('\n')
  }

  return {
    title: head.title,
    noscript: head.noscript,
    script(content) {
      counts.scripts += 1
      counts.scriptCharacters += content.length
    },
    element(name, attributes, tags) {
      if (isBlock(name)) pause()
      if (isButton(name, attributes) && !isFurniture(tags)) buttons.button(name, attributes)
      if (name === 'meta') head.meta(attributes)
      else if (name === 'html' || name === 'body') head.names(attributes)
      else if (name === 'input' && attributes.get('type')?.toLowerCase() === 'password')
        counts.passwordFields += 1
      else if (name === 'app-root' || rootNames.test(attributes.get('id') ?? ''))
        wordsBeforeRoot ??= counts.words
    },
    pause,
    text(raw, tags) {
      if (characters > surveyedCharactersMax) return
      characters += raw.length
      const part = raw.slice(0, surveyedCharactersMax)
      const text = part.includes('&') ? decodeHTML(part) : part
      parts.push(text)
      buttons.text(text)
      const isOutside = tags.isIn('banner') || isFurniture(tags)
      if (!isOutside) (tags.has('a') ? bodyLinks : body).push(text)
      const words = countWords(text)
      if (words === 0) return
      counts.words += words
      if (isOutside) counts.furnitureWords += words
      if (tags.hasAny(listings)) counts.codeWords += words
      if (tags.has('a')) counts.linkWords += words
      else if (tags.hasAny(proseElements)) counts.proseWords += words
      if (tags.has('h1') && heading.length < headingPartsMax) heading.push(text)
    },
    result: (elements, elementsMax) => ({
      ...counts,
      ...head.result(),
      heading: tidyLine(heading.join(' ')),
      text: tidyLines(parts.join('')),
      body: tidyLines(body.join('')),
      bodyLinks: tidyLines(bodyLinks.join('')),
      elements,
      buttons: buttons.result(),
      emptyRoot:
        wordsBeforeRoot !== undefined && counts.words - wordsBeforeRoot < wordsOfEmptyRootMax,
      cut: elements > elementsMax || characters > surveyedCharactersMax,
    }),
  }
}

/** A header inside of an article is the article's own. */
function isFurniture(tags: TagStack): boolean {
  return tags.hasAny(furniture) && !tags.hasAny(content)
}

function isButton(name: string, attributes: ReadonlyMap<string, string>): boolean {
  if (name === 'input') return /^(?:submit|button|image)$/i.test(attributes.get('type') ?? '')
  return name === 'button' || attributes.get('role') === 'button'
}

function namesOf(attributes: ReadonlyMap<string, string>): string[] {
  return [attributes.get('class') ?? '', attributes.get('id') ?? '']
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

function tidyLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function tidyLines(text: string): string {
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim()
}
