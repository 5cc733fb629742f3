// What a person would see of a page: what is hidden leaves the order of the page, and what stands in noscript stays only
// where it is the page.
import { endTag, type MarkupTree, readMarkupTree, startTag, textRun } from './markup-tree.ts'
import { isVoid } from './nesting.ts'
import type { Attributes } from './scan.ts'
import { countWords } from './survey.ts'

/** A page whose events are those that a person sees. Hidden elements keep their numbers. */
export interface SeenPage extends MarkupTree {
  /** What the page says to readers without scripts. */
  readonly noscript: string
}

/** Some forums put the whole page there for readers without scripts; others only ask them to turn scripts on. */
const noscriptPageWordsMin = 60
const noscriptCharactersMax = 2_000

export function seePage(html: string, { isRendered = false } = {}): SeenPage {
  const tree = readMarkupTree(html)
  const { names, attributes, events } = tree
  const seen: number[] = []
  const messages: string[] = []
  for (let index = 0; index < events.length; index += 1) {
    const event = events[index] as number
    const node = event >> 2
    if ((event & 3) === startTag) {
      const end = () => endOf(tree, index)
      if (names[node] === 'noscript') {
        const text = textBetween(tree, index, end())
        if (isRendered || countWords(text) < noscriptPageWordsMin) {
          messages.push(text.slice(0, noscriptCharactersMax))
          index = end()
          continue
        }
      } else if (isHidden(names[node] as string, attributes[node] as Attributes)) {
        index = end()
        continue
      }
    }
    seen.push(event)
  }
  const noscript = messages.join(' ').replace(/\s+/g, ' ').trim().slice(0, noscriptCharactersMax)
  return { ...tree, events: seen, noscript }
}

/** The place of the end tag of the element that starts here. */
function endOf({ events, names }: MarkupTree, start: number): number {
  const node = (events[start] as number) >> 2
  if (isVoid(names[node] as string)) return start
  return events.indexOf(node * 4 + endTag, start)
}

function textBetween({ events, texts }: MarkupTree, from: number, to: number): string {
  const parts: string[] = []
  for (let index = from; index < to; index += 1) {
    const event = events[index] as number
    if ((event & 3) === textRun) parts.push(texts[event >> 2] as string)
  }
  return parts.join(' ')
}

/**
 * Whether the element itself says that it is not to be seen. Not every way of saying so counts: whole pages stand in
 * `visibility: hidden` until a script shows them, and React sends parts of a page in `<div hidden id="S:1">` for its
 * script to move into place.
 */
function isHidden(name: string, attributes: Attributes): boolean {
  if (name === 'dialog') return !attributes.has('open')
  if (/^S:[0-9a-f]+$/.test(attributes.get('id') ?? '')) return false
  if (attributes.has('hidden') && attributes.get('hidden') !== 'until-found') return true
  return /display\s*:\s*none/i.test(attributes.get('style') ?? '')
}
