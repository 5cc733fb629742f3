// The content of a page as passages: pieces of a size that a search can return, each with the headings above it. A
// passage ends where a block or a section ends, unless one block alone is too long.
import { decodeHTML } from 'entities'
import { endTag, readMarkupTree, textRun } from '../page/markup-tree.ts'
import { isBlock } from '../page/nesting.ts'
import { createFenceWatch } from './fences.ts'

export interface Passage {
  /** The headings above it, the outermost first. */
  readonly headings: readonly string[]
  /** The last id before it in its section, for links to it. */
  readonly anchor: string | null
  readonly text: string
}

/** Up to here, blocks of one section share a passage. */
const passageCharactersTarget = 700
/** A longer block is cut between two words. */
const passageCharactersMax = 1_400
const headingCharactersMax = 200
const anchorCharactersMax = 200

/** The passages of content that is HTML. */
export function passagesOfHtml(html: string): Passage[] {
  const { names, attributes, events, texts } = readMarkupTree(html)
  const passages = createPassages()
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
      passages.addBlock(text)
      text = ''
    }
    if (kind === endTag) {
      if (name === 'pre') listings -= 1
      if (level === undefined || headingLevel === undefined) continue
      passages.addHeading(text, headingLevel)
      text = ''
      headingLevel = undefined
    } else {
      const id = attributes[place]?.get('id')
      if (id !== undefined) passages.noteAnchor(decodeHTML(id))
      if (name === 'pre') listings += 1
      headingLevel = level ?? headingLevel
    }
  }
  passages.addBlock(text)
  return passages.end()
}

/** The passages of content that is Markdown or plain text. */
export function passagesOfText(text: string): Passage[] {
  const passages = createPassages()
  const isCode = createFenceWatch()
  let block = ''
  for (const line of text.split('\n')) {
    const inListing = isCode(line)
    const [, marks, heading] = (!inListing && /^(#{1,6}) +(.*)$/.exec(line)) || []
    if (!inListing && (heading !== undefined || line.trim() === '')) {
      passages.addBlock(block)
      block = ''
      if (heading !== undefined) passages.addHeading(heading, marks?.length ?? 1)
    } else block += `${line}\n`
  }
  passages.addBlock(block)
  return passages.end()
}

const levelOf = (name: string) => {
  const level = /^h([1-6])$/.exec(name)?.[1]
  return level === undefined ? undefined : Number(level)
}

function createPassages() {
  const passages: Passage[] = []
  let headings: readonly { readonly text: string; readonly level: number }[] = []
  let anchor: string | null = null
  /** The last id since the last text. */
  let anchorAhead: string | null = null
  let passage: { text: string; anchor: string | null } | undefined

  function endPassage() {
    if (passage !== undefined)
      passages.push({ headings: headings.map(({ text }) => text), ...passage })
    passage = undefined
  }
  function addPart(text: string) {
    if (passage !== undefined && passage.text.length + text.length > passageCharactersTarget)
      endPassage()
    if (passage === undefined) passage = { text, anchor }
    else passage.text += `\n${text}`
  }

  return {
    /** An id that stands before what is added next. */
    noteAnchor(id: string) {
      if (id.length <= anchorCharactersMax) anchorAhead = id
    },
    addHeading(written: string, level: number) {
      endPassage()
      const text = written.replace(/\s+/g, ' ').trim().slice(0, headingCharactersMax).toWellFormed()
      headings = [
        ...headings.filter((above) => above.level < level),
        ...(text === '' ? [] : [{ text, level }]),
      ]
      anchor = anchorAhead
      anchorAhead = null
    },
    addBlock(written: string) {
      const text = written.trim()
      if (text === '') return
      anchor = anchorAhead ?? anchor
      anchorAhead = null
      for (const part of cutText(text)) addPart(part)
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
