import { decodeHTML } from 'entities'
import type { MarkupTree } from './markup-tree.ts'

/** What the relative links of a page are relative to: its first base with an address of the web, or its own address. */
export function baseUrlOf({ names, attributes }: MarkupTree, url: string): string {
  for (let node = names.indexOf('base'); node !== -1; node = names.indexOf('base', node + 1)) {
    const base = URL.parse(decodeHTML(attributes[node]?.get('href') ?? ''), url)
    if (base?.protocol === 'http:' || base?.protocol === 'https:') return base.href
  }
  return url
}
