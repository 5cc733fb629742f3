// What a person would see of a page: what is hidden leaves the order of the page, and what stands in noscript stays
// only where it is the page.

import { countWords } from './count-words.ts'
import { type Formula, findFormulas } from './formulas/find-formulas.ts'
import { endTag, type MarkupTree, readMarkupTree, startTag, textRun } from './markup-tree.ts'
import { isVoid } from './nesting.ts'
import { fallbackFrom, settlePictures } from './pictures.ts'
import { findHidden, hiddenWhole } from './visibility/hidden-elements.ts'

/** A page whose events are those that a person sees. Hidden elements keep their numbers. */
export interface SeenPage extends MarkupTree {
  /** What the page says to readers without scripts. */
  readonly noscript: string
  /** By the outermost element of each formula, which is empty in `events`. */
  readonly formulas: ReadonlyMap<number, Formula>
}

/** Some forums put the whole page there for readers without scripts; others only ask them to turn scripts on. */
const noscriptPageWordsMin = 60
const noscriptCharactersMax = 2_000

export function seePage(html: string, { isRendered = false } = {}): SeenPage {
  const read = readMarkupTree(html)
  const tree = { ...read, attributes: settlePictures(read) }
  const { names, parents, events } = tree
  const formulas = findFormulas(tree)
  const hidden = findHidden(tree, isRendered)
  const seen: number[] = []
  const messages: string[] = []
  const seenBefore = (noscript: number, from: number, to: number) =>
    fallbackFrom({ ...tree, events: events.slice(from, to), hidden }, noscript, seen)
  let node = 0
  for (let index = 0; index < events.length; index += 1) {
    const event = events[index] as number
    const place = event >> 2
    const kind = event & 3
    if (kind === textRun) {
      if (hidden[node] === 0) seen.push(event)
      continue
    }
    if (kind === endTag) node = parents[place] as number
    else if (names[place] === 'noscript') {
      const end = endOf(tree, index)
      const text = textBetween(tree, index, end)
      if (isRendered || countWords(text) < noscriptPageWordsMin) {
        const kept = isRendered || text.trim() !== '' ? undefined : seenBefore(place, index, end)
        if (kept === undefined) {
          messages.push(text.slice(0, noscriptCharactersMax))
          index = end
          continue
        }
        seen.length = kept
      }
    } else if (hidden[place] === hiddenWhole) {
      index = endOf(tree, index)
      continue
    }
    const formula = kind === startTag ? formulas.get(place) : undefined
    if (formula !== undefined) {
      index = endOf(tree, index)
      if (formula.tex === '') continue
      seen.push(event)
      if (!isVoid(names[place] as string)) seen.push(place * 4 + endTag)
      continue
    }
    if (kind === startTag) {
      if (isVoid(names[place] as string)) {
        if (hidden[place] !== 0) continue
      } else node = place
    }
    seen.push(event)
  }
  const noscript = messages.join(' ').replace(/\s+/g, ' ').trim().slice(0, noscriptCharactersMax)
  return { ...tree, events: seen, noscript, formulas }
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
