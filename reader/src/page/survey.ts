// What the verdict needs to know of a page: its text, and what it is made of.
import { decodeHTML } from 'entities'
import { countWords } from './count-words.ts'
import { type MarkupTree, startTag, textRun } from './markup-tree.ts'
import { isBlock, isVoid } from './nesting.ts'
import { countPlaceholders, type Placeholders } from './placeholders.ts'
import type { Attributes } from './scan.ts'
import type { SeenPage } from './see-page.ts'

/** What a page is made of, whether or not a person can read it. */
export interface Survey extends Placeholders {
  readonly title: string | null
  /** Each h1 of the page's own body on a line, or else of the page, or else the first h2 of the body. */
  readonly heading: string
  /** What a person would see, the beginning of it. */
  readonly text: string
  /**
   * The part of it in the page's own body, outside of links and quotes, and in its links. The body is the `main`
   * element where it has words, and otherwise all that is not furniture.
   */
  readonly body: string
  readonly bodyLinks: string
  readonly words: number
  readonly linkWords: number
  /** Words outside of the page's own body: its header, navigation, footer and the like. */
  readonly furnitureWords: number
  /** Words in listings and quotes of the page's own body. */
  readonly quotedWords: number
  /** Words in paragraphs, list items, table cells and the like, outside of links. */
  readonly proseWords: number
  readonly elements: number
  readonly scripts: number
  readonly scriptCharacters: number
  /** What the page says to those who run no script. */
  readonly noscript: string
  readonly passwordFields: number
  /** Elements that are named as a check for people: the widget of a captcha, its picture, its form. */
  readonly checks: number
  /** What stands on the buttons of the page's own body, a line for each. */
  readonly buttons: string
  /** The content of a meta refresh. */
  readonly refresh: string | null
  /** There is an empty element of the kind that scripts fill: `<div id="root"></div>`. */
  readonly emptyRoot: boolean
  /** There is an element of that kind, whether or not it is empty. */
  readonly hasRoot: boolean
  /** Class and id of the page as a whole: of its html and body, and of what is around its first heading. */
  readonly names: string
  /** The page asks search engines not to list it. */
  readonly isUnlisted: boolean
  /** The page is longer or has more elements than are looked at. */
  readonly cut: boolean
}

const surveyedCharactersMax = 200_000
/** The verdict needs no more, and a long text need not cross between threads. */
const textCharactersMax = 16_000
const buttonsMax = 50
const namesCharactersMax = 1_000
const wordsOfEmptyRootMax = 10
const rootNames =
  /^(?:root|app|__next|__nuxt|___gatsby|main-app|react-root|svelte|q-app|ember-app|application)$/i

/** What a text stands in, as bits. */
const inLink = 1
const inHeading = 2
const inQuote = 4
const inProse = 8
const inFurniture = 16
/** A header inside of an article is the article's own. */
const inContent = 32
const inBanner = 64
const inMain = 128
const inSubheading = 256

const bitsOfElements: ReadonlyMap<string, number> = new Map(
  (
    [
      [inLink, 'a'],
      [inHeading, 'h1'],
      [inQuote, 'code samp kbd blockquote q'],
      [
        inProse,
        'p li td th dd dt pre blockquote figcaption h1 h2 h3 h4 h5 h6 article section main',
      ],
      [inFurniture, 'header nav footer menu search'],
      [inContent, 'main article section'],
      [inMain, 'main'],
      [inSubheading, 'h2'],
    ] as const
  )
    .flatMap(([bit, names]) => names.split(' ').map((name) => [name, bit] as const))
    .reduce(
      (bits, [name, bit]) => bits.set(name, (bits.get(name) ?? 0) | bit),
      new Map<string, number>(),
    ),
)

export function surveyPage(page: SeenPage): Survey {
  const { names, attributes, parents, events, texts, head } = page
  const places = placesOf(page)
  const notes = createNotes()
  let place = 0
  for (const event of events) {
    const index = event >> 2
    const kind = event & 3
    if (kind === textRun) notes.text(texts[index] as string, place)
    else if (kind === startTag) {
      const name = names[index] as string
      const own = places[index] as number
      notes.element(name, attributes[index] as Attributes, own)
      if (!isVoid(name)) place = own
    } else {
      place = places[parents[index] as number] as number
      if (isBlock(names[index] as string)) notes.pause()
    }
  }
  return {
    ...notes.result(),
    ...headOf(page),
    names: namesOf(page),
    ...countPlaceholders(page),
    noscript: page.noscript,
    elements: names.length - 1 + head.scripts,
    scripts: head.scripts,
    scriptCharacters: head.scriptCharacters,
    cut: head.isCut || notes.isFull(),
  }
}

/** For each element, what it and the elements around it are. */
function placesOf({ names, parents, attributes }: MarkupTree): Uint16Array {
  const places = new Uint16Array(names.length)
  const banners = new Map<string, number>()
  for (let node = 1; node < names.length; node += 1) {
    const own = attributes[node] as Attributes
    const written = own.size === 0 ? '' : `${own.get('id') ?? ''} ${own.get('class') ?? ''}`
    let banner = banners.get(written)
    if (banner === undefined) {
      banner = bannerNames.test(written) ? inBanner : 0
      banners.set(written, banner)
    }
    const element = own.get('role') === 'main' ? 'main' : (names[node] as string)
    const bits = bitsOfElements.get(element) ?? 0
    places[node] = (places[parents[node] as number] as number) | bits | banner
  }
  return places
}

/** Names of what asks about cookies: it lies over a page and does not belong to it. */
const bannerNames =
  /cookie[-_]?(?:banner|bar|notice|consent|popup|law|message|info|layer|hint|wall|overlay|modal|dialog)|(?:^|\s)(?:onetrust-|didomi-|usercentrics-|cybotcookie|truste-|qc-cmp|cmpbox|cc-window|sp_message_|cky-|osano-cm)/i

function isFurniture(place: number): boolean {
  return (place & inFurniture) !== 0 && (place & inContent) === 0
}

/** The text of one part of a page. */
function createPart() {
  const own = createLines()
  const links = createLines()
  const headings = createLines()
  const subheadings: string[] = []
  let words = 0
  let quotedWords = 0
  return {
    pause() {
      for (const lines of [own, links, headings]) lines.pause()
    },
    add(text: string, count: number, place: number) {
      words += count
      if ((place & inQuote) !== 0) quotedWords += count
      else if ((place & inLink) !== 0) links.add(text)
      else own.add(text)
      if ((place & inHeading) !== 0) headings.add(text)
      if ((place & inSubheading) !== 0 && subheadings.length === 0) subheadings.push(text)
    },
    words: () => words,
    heading: headings.result,
    subheading: () => tidyLine(subheadings.join(' ')),
    texts: () => ({ body: own.result(), bodyLinks: links.result(), quotedWords }),
  }
}

function createNotes() {
  const headings = createLines()
  const unfurnished = createPart()
  const main = createPart()
  const parts = createLines()
  const buttons = createButtonLabels()
  const counts = {
    words: 0,
    linkWords: 0,
    proseWords: 0,
    passwordFields: 0,
    checks: 0,
  }
  let characters = 0
  let wordsBeforeRoot: number | undefined
  const isFull = () => characters > surveyedCharactersMax

  function pause(): void {
    for (const lines of [parts, headings, unfurnished, main]) lines.pause()
  }

  return {
    isFull,
    pause,
    element(name: string, attributes: Attributes, place: number) {
      if (isBlock(name)) pause()
      if (isButton(name, attributes) && !isFurniture(place)) buttons.button(name, attributes)
      if (isCheck(attributes)) counts.checks += 1
      if (name === 'input' && attributes.get('type')?.toLowerCase() === 'password')
        counts.passwordFields += 1
      else if (name === 'app-root' || rootNames.test(attributes.get('id') ?? ''))
        wordsBeforeRoot ??= counts.words
    },
    text(raw: string, place: number) {
      if (isFull()) return
      characters += raw.length
      const text = raw.slice(0, surveyedCharactersMax).replace(/\s+/g, ' ')
      const words = countWords(text)
      parts.add(text)
      buttons.text(text)
      if ((place & inHeading) !== 0) headings.add(text)
      if ((place & inBanner) === 0) {
        if ((place & inMain) !== 0) main.add(text, words, place)
        if (!isFurniture(place)) unfurnished.add(text, words, place)
      }
      counts.words += words
      if ((place & inLink) !== 0) counts.linkWords += words
      else if ((place & inProse) !== 0) counts.proseWords += words
    },
    result() {
      const own = main.words() > 0 ? main : unfurnished
      return {
        ...counts,
        ...own.texts(),
        heading: own.heading() || headings.result() || own.subheading(),
        text: parts.result(),
        furnitureWords: counts.words - own.words(),
        buttons: buttons.result(),
        hasRoot: wordsBeforeRoot !== undefined,
        emptyRoot:
          wordsBeforeRoot !== undefined && counts.words - wordsBeforeRoot < wordsOfEmptyRootMax,
      }
    },
  }
}

/** The beginning of a text, a line for each block. */
function createLines() {
  const parts: string[] = []
  let characters = 0
  return {
    /** White space in `text` is collapsed. */
    add(text: string) {
      if (characters > textCharactersMax) return
      if (text === ' ' && (parts.length === 0 || parts.at(-1) === '\n')) return
      characters += text.length
      parts.push(text)
    },
    pause() {
      if (parts.length > 0 && parts.at(-1) !== '\n') parts.push('\n')
    },
    result: () =>
      parts
        .join('')
        .replace(/ {2,}/g, ' ')
        .replace(/ ?\n\s*/g, '\n')
        .trim()
        .slice(0, textCharactersMax),
  }
}

/** The labels of the page's own buttons: the value of an input, or the first text inside. */
function createButtonLabels() {
  const labels: string[] = []
  let isOpen = false
  return {
    button(name: string, attributes: Attributes) {
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

/** Class and id of html and body, and of the first heading with the elements around it. */
function namesOf({ names, parents, attributes, events }: SeenPage): string {
  const first = ['h1', 'h2'].map((tag) =>
    events.find((event) => (event & 3) === startTag && names[event >> 2] === tag),
  )
  const named = names.flatMap((name, node) => (name === 'html' || name === 'body' ? [node] : []))
  const heading = first.find((event) => event !== undefined)
  for (let node = (heading ?? 0) >> 2; node > 0; node = parents[node] as number) named.push(node)
  return [...new Set(named)]
    .flatMap((node) => [attributes[node]?.get('class') ?? '', attributes[node]?.get('id') ?? ''])
    .join(' ')
    .slice(0, namesCharactersMax)
}

/** What the head of a page says of it. */
function headOf({ names, attributes, head }: MarkupTree) {
  let shareTitle: string | undefined
  let refresh: string | undefined
  let isUnlisted = false
  names.forEach((name, node) => {
    const found = attributes[node] as Attributes
    if (name !== 'meta') return
    const content = decodeHTML(found.get('content') ?? '')
    if (found.get('http-equiv')?.toLowerCase() === 'refresh') refresh ??= content
    if (found.get('name')?.toLowerCase() === 'robots') isUnlisted ||= /noindex|none/i.test(content)
    if (found.get('property') === 'og:title') shareTitle ??= tidyLine(content)
  })
  return {
    title: tidyLine(head.title) || shareTitle || null,
    refresh: refresh ?? null,
    isUnlisted,
  }
}

const namingAttributes = ['class', 'id', 'name', 'action', 'src'] as const

/** An invisible captcha asks for nothing. */
function isCheck(attributes: Attributes): boolean {
  return (
    attributes.size > 0 &&
    namingAttributes.some((name) => checkNames.test(attributes.get(name) ?? '')) &&
    attributes.get('data-size') !== 'invisible'
  )
}

const checkNames =
  /captcha|turnstile|anti-?(?:ro)?bot|(?:slid|puzzl|human|robot|bot|security)e?r?-?(?:check|verif|captcha)|challenge|verif(?:y|ica)/i

function isButton(name: string, attributes: Attributes): boolean {
  if (name === 'input') return /^(?:submit|button|image)$/i.test(attributes.get('type') ?? '')
  return name === 'button' || attributes.get('role') === 'button'
}

function tidyLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
