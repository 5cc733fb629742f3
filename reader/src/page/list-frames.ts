// The frames of a page that a person sees: where each stands, and what it shows.
import { decodeHTML } from 'entities'
import { resolveLink } from '../content/attributes.ts'
import { type Attributes, readAttributes, scanHtml } from './scan.ts'

export interface FrameLink {
  /** The place in the HTML where the content of the frame belongs. */
  readonly at: number
  /** The absolute address of what it shows. */
  readonly url?: string
  /** Or the page itself. */
  readonly html?: string
}

const framesMax = 50

export function listFrames(html: string, url: string): readonly FrameLink[] {
  if (!/<i?frame[\s/]/i.test(html)) return []
  const frames: FrameLink[] = []
  let baseUrl = url
  let framesetAt: number | undefined
  const add = (attributes: Attributes, at: number) => {
    if (isHidden(attributes)) return
    const srcdoc = attributes.get('srcdoc')
    const source = resolveLink(attributes.get('src') ?? '', baseUrl)
    if (srcdoc !== undefined) frames.push({ at, html: decodeHTML(srcdoc) })
    else if (attributes.has('src') && source?.startsWith('http')) frames.push({ at, url: source })
  }
  scanHtml(html, {
    done: () => frames.length >= framesMax,
    open(name, text, start) {
      if (name === 'base') baseUrl = resolveLink(readAttributes(text).get('href') ?? '', url) ?? url
      // Nothing is shown inside of a frameset but its frames.
      else if (name === 'frameset') framesetAt ??= start
      else if (name === 'frame') add(readAttributes(text), framesetAt ?? start)
    },
    raw(name, _content, text, start) {
      if (name === 'iframe') add(readAttributes(text), start)
    },
    close() {},
    text() {},
  })
  return frames
}

/** Frames that count visits are hidden or have no size. */
function isHidden(attributes: Attributes): boolean {
  const style = attributes.get('style') ?? ''
  const isTiny = ['width', 'height'].some((side) =>
    /^\s*[01](?:px)?\s*$/.test(attributes.get(side) ?? ''),
  )
  return (
    isTiny ||
    attributes.has('hidden') ||
    attributes.get('aria-hidden') === 'true' ||
    /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden|(?:width|height)\s*:\s*[01](?:px)?\s*(?:;|$|!))/i.test(
      style,
    )
  )
}
