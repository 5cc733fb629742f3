// The content of a page as passages: pieces of a size that a search can return, each with the headings above it. A
// passage ends where a block or a section ends, unless one block alone is too long.
import { decodeHTML } from 'entities'
import { endTag, readMarkupTree, textRun } from '../page/markup-tree.ts'
import { isBlock } from '../page/nesting.ts'
import { createFenceWatch } from './fences.ts'
import {
  createEntryWatch,
  entriesOfMarkdown,
  type LinkedText,
  openLinks,
  wholeLinkOf,
} from './list-entries.ts'

export interface Passage {
  /** The headings above it, the outermost first. */
  readonly headings: readonly string[]
  /** The last id before it in its section, for links to it. */
  readonly anchor: string | null
  readonly text: string
  /** The parts of the text that list other pages of the site. Absent if there are none. */
  readonly entries?: readonly LinkedText[]
  /** The other page that the innermost heading links to, which the passage is then about. */
  readonly headingUrl?: string
}

/** Up to here, blocks of one section share a passage. */
const passageCharactersTarget = 700
/** A longer block is cut between two words. */
const passageCharactersMax = 1_400
const headingCharactersMax = 200
const anchorCharactersMax = 200

/** The passages of content that is HTML. Without `pageUrl`, no text is known to list other pages. */
export function passagesOfHtml(html: string, pageUrl?: string): Passage[] {
  const { names, attributes, events, texts } = readMarkupTree(html)
  const passages = createPassages()
  const links = openLinks(pageUrl)
  const lists = createEntryWatch()
  let text = ''
  let headingLevel: number | undefined
  let listings = 0
  for (const event of events) {
    const place = event >> 2
    const kind = event & 3
    if (kind === textRun) {
      text += listings > 0 ? texts[place] : texts[place]?.replace(/\s+/g, ' ')
      continue
    }
    const name = names[place] as string
    const level = levelOf(name)
    if (headingLevel === undefined && (isBlock(name) || level !== undefined)) {
      addBlock(text)
      text = ''
    }
    if (kind === endTag) {
      if (name === 'pre') listings -= 1
      if (name === 'a') links.end(text.length)
      lists.endElement(name)
      if (level === undefined || headingLevel === undefined) continue
      passages.addHeading(text, headingLevel, wholeLinkOf(text, links.take(text.length)))
      text = ''
      headingLevel = undefined
    } else {
      const id = attributes[place]?.get('id')
      if (id !== undefined) passages.noteAnchor(decodeHTML(id))
      if (name === 'pre') listings += 1
      if (name === 'a') links.start(decodeHTML(attributes[place]?.get('href') ?? ''), text.length)
      lists.startElement(name)
      headingLevel = level ?? headingLevel
    }
  }
  addBlock(text)
  return passages.end()

  function addBlock(block: string) {
    passages.addBlock(block, lists.entriesOf(block, links.take(block.length)))
  }
}

/** The passages of content that is Markdown or plain text. Without `pageUrl`, no text is known to list other pages. */
export function passagesOfText(text: string, pageUrl?: string): Passage[] {
  const passages = createPassages()
  const isCode = createFenceWatch()
  let block = ''
  for (const line of text.split('\n')) {
    const inListing = isCode(line)
    const [, marks, heading] = (!inListing && /^(#{1,6}) +(.*)$/.exec(line)) || []
    if (!inListing && (heading !== undefined || line.trim() === '')) {
      addBlock()
      block = ''
      if (heading !== undefined) passages.addHeading(heading, marks?.length ?? 1)
    } else block += `${line}\n`
  }
  addBlock()
  return passages.end()

  function addBlock() {
    passages.addBlock(block, entriesOfMarkdown(block, pageUrl))
  }
}

const levelOf = (name: string) => {
  const level = /^h([1-6])$/.exec(name)?.[1]
  return level === undefined ? undefined : Number(level)
}

interface Heading {
  readonly text: string
  readonly level: number
  /** Of the other page that it links to. */
  readonly url: string | undefined
}

function createPassages() {
  const passages: Passage[] = []
  let headings: readonly Heading[] = []
  let anchor: string | null = null
  /** The last id since the last text. */
  let anchorAhead: string | null = null
  let passage: { text: string; anchor: string | null; entries: LinkedText[] } | undefined

  function endPassage() {
    if (passage !== undefined) {
      const { entries, ...rest } = passage
      const url = headings.at(-1)?.url
      passages.push({
        headings: headings.map(({ text }) => text),
        ...rest,
        ...(entries.length === 0 ? undefined : { entries }),
        ...(url === undefined ? undefined : { headingUrl: url }),
      })
    }
    passage = undefined
  }
  /** `entries` have their places in the block, whose text `text` is from `start` on. */
  function addPart(text: string, entries: readonly LinkedText[], start: number) {
    if (passage !== undefined && passage.text.length + text.length > passageCharactersTarget)
      endPassage()
    if (passage === undefined) passage = { text, anchor, entries: [] }
    else passage.text += `\n${text}`
    const shift = passage.text.length - text.length - start
    for (const { url, from, to } of entries)
      passage.entries.push({ url, from: Math.max(0, from + shift), to: to + shift })
  }

  return {
    /** An id that stands before what is added next. */
    noteAnchor(id: string) {
      if (id.length <= anchorCharactersMax) anchorAhead = id
    },
    addHeading(written: string, level: number, url?: string) {
      endPassage()
      const text = written.replace(/\s+/g, ' ').trim().slice(0, headingCharactersMax).toWellFormed()
      headings = [
        ...headings.filter((above) => above.level < level),
        ...(text === '' ? [] : [{ text, level, url }]),
      ]
      anchor = anchorAhead
      anchorAhead = null
    },
    addBlock(written: string, entries: readonly LinkedText[]) {
      const text = written.trim()
      if (text === '') return
      anchor = anchorAhead ?? anchor
      anchorAhead = null
      const [whole = '', ...others] = cutText(text)
      const start = written.length - written.trimStart().length
      if (others.length === 0) addPart(whole, entries, start)
      else for (const part of [whole, ...others]) addPart(part, [], 0)
    },
    end() {
      endPassage()
      return passages
    },
  }
}

/** The text in parts that are not too long, cut at white space where there is some. */
function cutText(text: string): string[] {
  const parts: string[] = []
  let from = 0
  while (text.length - from > passageCharactersMax) {
    const to = from + passageCharactersMax
    const space = /\s\S*$/.exec(text.slice(from + passageCharactersTarget, to))
    const end = space === null ? to : from + passageCharactersTarget + space.index
    parts.push(text.slice(from, end).trim().toWellFormed())
    from = end
  }
  return [...parts, text.slice(from).trim().toWellFormed()].filter((part) => part !== '')
}
