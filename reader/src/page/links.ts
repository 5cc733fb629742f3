// Where an HTML page leads. A single pass over the tags, without a tree.
import { decodeHTML } from 'entities'
import { readAttributes, scanHtml } from './scan.ts'

export interface PageLinks {
  /** Absolute http and https addresses in the order of the page, without repetitions. */
  readonly links: readonly string[]
  /** Where a meta refresh sends the reader. */
  readonly refresh: string | undefined
}

const linksMax = 5_000

export function readLinks(html: string, url: string): PageLinks {
  const links = new Set<string>()
  let base: string | undefined
  let refresh: string | undefined
  const resolve = (written: string | undefined) =>
    written === undefined ? undefined : resolveLink(written, base ?? url)

  scanHtml(html, {
    done: () => links.size >= linksMax,
    open(name, text) {
      if (name !== 'a' && name !== 'area' && name !== 'base' && name !== 'meta') return
      const attributes = readAttributes(text)
      if (name === 'base') base ??= resolve(attributes.get('href'))
      else if (name === 'meta') refresh ??= resolve(refreshOf(attributes))
      else {
        const link = resolve(attributes.get('href'))
        if (link !== undefined) links.add(link)
      }
    },
    close() {},
    text() {},
    raw() {},
  })
  return { links: [...links], refresh }
}

function refreshOf(attributes: ReadonlyMap<string, string>): string | undefined {
  if (attributes.get('http-equiv')?.toLowerCase() !== 'refresh') return undefined
  return /^[\s\d.]*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(attributes.get('content') ?? '')?.[1]
}

function resolveLink(written: string, base: string): string | undefined {
  const link = URL.parse(decodeHTML(written), base)
  if (link?.protocol !== 'http:' && link?.protocol !== 'https:') return undefined
  link.hash = ''
  return link.href
}
