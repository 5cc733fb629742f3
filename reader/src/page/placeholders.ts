// Boxes that a script has yet to fill, told by how they are made: leaf elements without words or pictures.
import { endTag, startTag, textRun } from './markup-tree.ts'
import { isVoid } from './nesting.ts'
import type { SeenPage } from './see-page.ts'

export interface Placeholders {
  /** Empty elements named as placeholders, elements that say that they are busy, and frames without an address. */
  readonly placeholders: number
  /** Other empty boxes. */
  readonly emptyBoxes: number
  /** Texts that a template has yet to replace, such as `{{ price }}`, outside of listings. */
  readonly templateFields: number
}

const boxes: ReadonlySet<string> = new Set('div li p td section article'.split(' '))
/** The terms of design systems: skeleton screens, shimmer effects, ghost elements, pulse animations. */
const placeholderNames =
  /skelet|shimmer|placeholder|animate-pulse|(?:^|[\s_-])(?:ghost|loading|loader|spinner)(?:$|[\s_-])/i

const templateField = /^\s*\{\{[^{}]{1,200}\}\}\s*$/
const listings: ReadonlySet<string> = new Set(['code', 'pre', 'samp', 'kbd'])

export function countPlaceholders(page: SeenPage): Placeholders {
  const { names, attributes, events, texts, head } = page
  let placeholders = head.emptyFrames
  let emptyBoxes = 0
  let templateFields = 0
  /** The listing that has begun. */
  let listing: number | undefined
  /** The element that has begun and holds nothing yet. */
  let leaf: number | undefined
  for (const event of events) {
    const place = event >> 2
    const kind = event & 3
    if (kind === textRun) {
      const text = texts[place] as string
      if (/[\p{L}\p{N}]/u.test(text)) leaf = undefined
      if (listing === undefined && text.includes('{{') && templateField.test(text))
        templateFields += 1
    } else if (kind === startTag) {
      leaf = isVoid(names[place] as string) ? undefined : place
      if (listings.has(names[place] as string)) listing ??= place
      if (attributes[place]?.get('aria-busy') === 'true') placeholders += 1
    } else if (kind === endTag) {
      if (place === listing) listing = undefined
      if (place === leaf) {
        const own = attributes[place]
        if (placeholderNames.test(`${own?.get('id') ?? ''} ${own?.get('class') ?? ''}`))
          placeholders += 1
        else if (boxes.has(names[place] as string)) emptyBoxes += 1
      }
      leaf = undefined
    }
  }
  return { placeholders, emptyBoxes, templateFields }
}
