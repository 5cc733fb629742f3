// Which elements a person does not see, told from attributes, styles of their own, and the page's style sheets. What a
// person can open stays: details, tabs and folds that another rule shows.
import { endTag, type MarkupTree, startTag, textRun } from '../markup-tree.ts'
import { isVoid } from '../nesting.ts'
import type { Attributes } from '../scan.ts'
import { findOpenable } from './opened-by-click.ts'
import { readStyleEffects } from './style-effects.ts'
import { cascade, readStyleSheet, type WeightedEffect } from './style-sheet.ts'

/** Hidden with all that it holds. */
export const hiddenWhole = 1
/** Elements inside may show themselves again. */
const hiddenByVisibility = 2
const hiddenByFontSize = 4

/** A page that shows less of its text than this shows the rest by a script. */
const visibleShareMin = 0.1
/** Heavier than the rules of any style sheet. */
const inlineWeight = 1_000_000

/** Names that front-end frameworks agree on; their rules often stand in a file of their own. */
const screenReaderClass =
  /(?:^|\s)(?:sr-only|visually-hidden|visuallyhidden|screen-reader-text)(?:\s|$)/
/** Their text is the name of a drawing. */
const iconClass = /(?:^|\s)material-(?:icons|symbols)/
/** The links by which MediaWiki edits a section: they stand in its heading. */
const editClass = /(?:^|\s)mw-editsection(?:\s|$)/
/** Libraries that fade in what is scrolled into view mark it so. */
const scrollEffect = /^data-(?:aos|sal|scroll|reveal|animate|animation)(?:-|$)/
const dialogClass = /(?:^|[\s_-])(?:modal|dialog|popup|offcanvas|drawer|lightbox)(?:$|[\s_-])/i

/** For each element 0 where its own text is seen. `isStill` says that the page's scripts have run. */
export function findHidden(page: MarkupTree, isStill: boolean): Uint8Array {
  const { names, parents, attributes, head } = page
  const sheet = readStyleSheet(head, isStill)
  const isOpenable = findOpenable(page)
  const byAttributes = new Uint8Array(names.length)
  const hidden = new Uint8Array(names.length)
  let isStyled = false
  for (let node = 1; node < names.length; node += 1) {
    const name = names[node] as string
    const found = attributes[node] as Attributes
    const parent = parents[node] as number
    const around = hidden[parent] as number
    const isHiddenByAttributes =
      byAttributes[parent] === 1 || (hasHidingAttribute(name, found) && !isOpenable(node))
    if (isHiddenByAttributes) byAttributes[node] = 1
    if (isHiddenByAttributes || around === hiddenWhole) hidden[node] = hiddenWhole
    else {
      const state = styleOf({
        around,
        name,
        attributes: found,
        rules: sheet.effectsOn(name, found),
        isStill,
      })
      hidden[node] = state !== around && state !== 0 && isOpenable(node) ? around : state
      isStyled ||= hidden[node] !== 0
    }
  }
  return isStyled && !isShown(page, byAttributes, hidden) ? byAttributes : hidden
}

function hasHidingAttribute(name: string, attributes: Attributes): boolean {
  if (attributes.size === 0) return name === 'dialog'
  if (name === 'dialog' && !attributes.has('open')) return true
  if (attributes.has('popover')) return true
  const id = attributes.get('id') ?? ''
  // React sends parts of a page in `<div hidden id="S:1">` for its script to move into place.
  if (attributes.has('hidden') && attributes.get('hidden') !== 'until-found')
    return !/^S:[0-9a-f]+$/.test(id)
  const className = attributes.get('class') ?? ''
  if (iconClass.test(className) || editClass.test(className)) return true
  return (
    attributes.get('aria-hidden') === 'true' &&
    (/dialog$/.test(attributes.get('role') ?? '') || dialogClass.test(`${className} ${id}`))
  )
}

interface StyledElement {
  readonly name: string
  readonly attributes: Attributes
  readonly rules: readonly WeightedEffect[]
  /** How the element around it is hidden. */
  readonly around: number
  readonly isStill: boolean
}

function styleOf({ name, attributes, rules, around, isStill }: StyledElement): number {
  const className = attributes.get('class') ?? ''
  const id = attributes.get('id') ?? ''
  const style = attributes.get('style')
  if (style === undefined && rules.length === 0) {
    if (screenReaderClass.test(className)) return hiddenWhole
    // A style sheet elsewhere may give the element letters again.
    return className === '' && id === '' ? around : around & ~hiddenByFontSize
  }
  // Pages whose html or body is hidden wait for a script.
  if (name === 'html' || name === 'body' || /^S:[0-9a-f]+$/.test(id)) return around
  const own = readStyleEffects(style ?? '', isStill).map((each) => ({
    ...each,
    weight: inlineWeight,
  }))
  const hides = cascade([...rules, ...own])
  if (hides.get('place') ?? screenReaderClass.test(className)) return hiddenWhole
  if (hides.get('display') === true) return hiddenWhole
  const isFadedIn = !isStill && [...attributes.keys()].some((key) => scrollEffect.test(key))
  if (hides.get('opacity') === true && !isFadedIn) return hiddenWhole
  const isSized = hides.has('fontSize') || className !== '' || id !== ''
  let state = isSized ? around & ~hiddenByFontSize : around
  if (hides.get('fontSize') === true) state |= hiddenByFontSize
  if (hides.get('visibility') === true && !isFadedIn) state |= hiddenByVisibility
  else if (hides.get('visibility') === false) state &= ~hiddenByVisibility
  return state
}

/** Whether the page shows enough with these elements hidden, of what it shows without styles. */
function isShown(page: MarkupTree, byAttributes: Uint8Array, hidden: Uint8Array): boolean {
  const { events, texts, parents, names } = page
  let node = 0
  let seen = 0
  let all = 0
  for (const event of events) {
    const place = event >> 2
    const kind = event & 3
    if (kind === startTag && !isVoid(names[place] as string)) node = place
    else if (kind === endTag) node = parents[place] as number
    if (kind !== textRun || byAttributes[node] === 1) continue
    const length = (texts[place] as string).trim().length
    all += length
    if (hidden[node] === 0) seen += length
  }
  return seen >= all * visibleShareMin
}
