// Boxes that a script has yet to fill, told by how they are made: leaf elements without words or pictures.
import { endTag, startTag, textRun } from './markup-tree.ts'
import { isVoid } from './nesting.ts'
import type { SeenPage } from './see-page.ts'

export interface Placeholders {
  /** Empty elements named as placeholders, and elements that say that they are busy. */
  readonly placeholders: number
  /** Other empty boxes. */
  readonly emptyBoxes: number
}

const boxes: ReadonlySet<string> = new Set('div li p td section article'.split(' '))
/** The terms of design systems: skeleton screens, shimmer effects, ghost elements, pulse animations. */
const placeholderNames =
  /skelet|shimmer|placeholder|animate-pulse|(?:^|[\s_-])(?:ghost|loading|loader|spinner)(?:$|[\s_-])/i

export function countPlaceholders({ names, attributes, events, texts }: SeenPage): Placeholders {
  let placeholders = 0
  let emptyBoxes = 0
  /** The element that has begun and holds nothing yet. */
  let leaf: number | undefined
  for (const event of events) {
    const place = event >> 2
    const kind = event & 3
    if (kind === textRun) {
      if (/[\p{L}\p{N}]/u.test(texts[place] as string)) leaf = undefined
    } else if (kind === startTag) {
      leaf = isVoid(names[place] as string) ? undefined : place
      if (attributes[place]?.get('aria-busy') === 'true') placeholders += 1
    } else if (kind === endTag && leaf !== undefined) {
      if (place === leaf) {
        const own = attributes[place]
        if (placeholderNames.test(`${own?.get('id') ?? ''} ${own?.get('class') ?? ''}`))
          placeholders += 1
        else if (boxes.has(names[place] as string)) emptyBoxes += 1
      }
      leaf = undefined
    }
  }
  return { placeholders, emptyBoxes }
}
