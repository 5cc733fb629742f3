// One pass over a page as it came: out of it come balanced, shallow, script-free HTML with absolute links, and the
// survey that the yield check judges by. Everything that parses the page afterwards parses this.
import { resolveLink, writeAttributes } from './attributes.ts'
import { createTagStack, isBlock, isVoid } from './nesting.ts'
import { readAttributes, type ScanHandler, scanHtml } from './scan.ts'
import { createSkip } from './skip.ts'
import { countWords, createSurvey, type Survey } from './survey.ts'

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
  /** Leave out what a style or attribute of its own hides. */
  readonly visibleOnly?: boolean
  /** Scripts have run, and what stands in noscript is not for us. */
  readonly rendered?: boolean
}

const elementsMax = 200_000
/** Some forums put the whole page there for readers without scripts; others only ask them to turn scripts on. */
const noscriptPageWordsMin = 60

const skipped: ReadonlySet<string> = new Set(
  'template svg object embed canvas audio video map select datalist applet frameset dialog'.split(
    ' ',
  ),
)
/** Their tags go, their words stay. */
const unwrapped: ReadonlySet<string> = new Set(
  `html head body button form fieldset label font center nobr input link meta base param source track frame area portal
   slot template`.split(/\s+/),
)

export function cleanPage(html: string, url: string, options: CleanOptions): CleanedPage {
  const output: string[] = []
  const tags = createTagStack((markup) => output.push(markup))
  const survey = createSurvey()
  let baseUrl: string | undefined
  const skip = createSkip()
  let elements = 0
  let inNoscript = false

  const handler: ScanHandler = {
    done: () => elements > elementsMax,
    open(name, attributeText) {
      elements += 1
      if (skip.isActive()) return skip.open(name)
      if (isSkipped(name, attributeText, options)) return skip.begin(name)
      const attributes = readAttributes(attributeText)
      survey.element(name, attributes, tags)
      if (name === 'base') baseUrl ??= resolveBase(attributes.get('href'), url)
      if (unwrapped.has(name)) return
      const hidden = isHidden(attributes)
      if (hidden && options.visibleOnly && !isVoid(name)) return skip.begin(name)
      const kept = hidden && options.hints ? ' hidden' : ''
      const markup = `<${name}${kept}${writeAttributes(name, attributes, baseUrl ?? url, options.hints)}>`
      if (isVoid(name)) output.push(markup)
      else tags.open(name, markup, hidden ? 'hidden' : isBanner(attributes) ? 'banner' : undefined)
    },
    close(name) {
      if (skip.isActive()) return skip.close(name)
      tags.close(name)
      if (isBlock(name)) survey.pause()
    },
    text(raw) {
      if (skip.isActive()) return
      output.push(raw)
      if (!tags.isIn('hidden')) survey.text(raw, tags)
    },
    raw(name, content) {
      elements += 1
      if (name === 'script') survey.script(content)
      if (skip.isActive()) return
      if (name === 'title') survey.title(content)
      if (name !== 'noscript') return
      const text = textOf(content)
      if (options.rendered || inNoscript || countWords(text) < noscriptPageWordsMin) {
        survey.noscript(text)
        return
      }
      inNoscript = true
      scanHtml(content, handler)
      inNoscript = false
    },
  }
  scanHtml(html, handler)
  tags.closeAll()
  return {
    html: output.join(''),
    survey: survey.result(elements, elementsMax),
    baseUrl: baseUrl ?? url,
  }
}

function isSkipped(name: string, attributes: string, { drop }: CleanOptions): boolean {
  if (drop?.has(name)) return true
  // A browser that serialises shadow roots writes them as templates.
  return skipped.has(name) && !(name === 'template' && attributes.includes('shadowrootmode'))
}

/**
 * Whether the element itself says that it is not to be seen. Not every way of saying so counts: whole pages stand in
 * `visibility: hidden` until a script shows them, and React sends parts of a page in `<div hidden id="S:1">` for its
 * script to move into place.
 */
function isHidden(attributes: ReadonlyMap<string, string>): boolean {
  if (/^S:[0-9a-f]+$/.test(attributes.get('id') ?? '')) return false
  if (attributes.has('hidden') && attributes.get('hidden') !== 'until-found') return true
  return /display\s*:\s*none/i.test(attributes.get('style') ?? '')
}

/** Whether it is named as what asks about cookies: it lies over a page, and is none of it. */
function isBanner(attributes: ReadonlyMap<string, string>): boolean {
  return bannerNames.test(`${attributes.get('id') ?? ''} ${attributes.get('class') ?? ''}`)
}

const bannerNames =
  /cookie[-_]?(?:banner|bar|notice|consent|popup|law|message|info|layer|hint|wall|overlay|modal|dialog)|(?:^|\s)(?:onetrust-|didomi-|usercentrics-|cybotcookie|truste-|qc-cmp|cmpbox|cc-window|sp_message_|cky-|osano-cm)/i

function resolveBase(href: string | undefined, url: string): string | undefined {
  const base = resolveLink(href ?? '', url)
  return base?.startsWith('http') ? base : undefined
}

function textOf(html: string): string {
  const parts: string[] = []
  const nothing = () => {}
  const text = (raw: string) => void parts.push(raw)
  scanHtml(html, { done: () => false, open: nothing, close: nothing, raw: nothing, text })
  return parts.join(' ')
}
