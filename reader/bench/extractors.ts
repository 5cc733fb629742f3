// The npm packages that find main content, as they are meant to be used.
import { Readability } from '@mozilla/readability'
import { Defuddle } from 'defuddle/node'
import { JSDOM, VirtualConsole } from 'jsdom'
import { parseHTML } from 'linkedom'

export interface Extracted {
  readonly html: string
  readonly title: string
}

export type Extractor = (html: string, url: string) => Extracted | Promise<Extracted>

export function readabilityOnLinkedom(html: string): Extracted {
  const { document } = parseHTML(html)
  return read(document)
}

export function readabilityOnJsdom(html: string, url: string): Extracted {
  const dom = new JSDOM(html, { url, virtualConsole: new VirtualConsole() })
  try {
    return read(dom.window.document)
  } finally {
    dom.window.close()
  }
}

function read(document: unknown): Extracted {
  const article = new Readability(document as never).parse()
  return { html: article?.content ?? '', title: article?.title ?? '' }
}

/** `useAsync` would let it ask third parties for the page. */
export async function defuddleOnLinkedom(html: string, url: string): Promise<Extracted> {
  const { document } = parseHTML(html)
  const { content, title } = await Defuddle(document as never, url, { useAsync: false })
  return { html: content ?? '', title: title ?? '' }
}
