// What a page says about itself: title, kind, description, and the types of its JSON-LD.
import { decodeHTML } from 'entities'
import type { MarkupTree } from '../page/markup-tree.ts'
import type { Attributes } from '../page/scan.ts'

export interface HeadFacts {
  readonly title: string
  readonly openGraphTitle: string
  readonly openGraphType: string
  readonly description: string
  /** The types of JSON-LD, each with a space before and after it. */
  readonly linkedTypes: string
  readonly linkedHeadline: string
  /** Texts of JSON-LD that may stand on the page: articleBody, description and their like. */
  readonly linkedText: string
}

export function readHead({ names, attributes, head }: MarkupTree): HeadFacts {
  const metas = new Map<string, string>()
  names.forEach((name, node) => {
    if (name !== 'meta') return
    const found = attributes[node] as Attributes
    const key = (found.get('property') ?? found.get('name') ?? '').toLowerCase()
    if (metaKeys.has(key) && !metas.has(key)) metas.set(key, decodeHTML(found.get('content') ?? ''))
  })
  const linked = head.linkedData.join('')
  const types = [...linked.matchAll(/"@type"\s*:\s*(?:"([^"]{1,60})"|\[([^\]]{1,200})\])/g)]
  return {
    title: tidy(head.title),
    openGraphTitle: tidy(metas.get('og:title') ?? metas.get('twitter:title') ?? ''),
    openGraphType: (metas.get('og:type') ?? '').trim().toLowerCase(),
    description: tidy(`${metas.get('description') ?? ''} ${metas.get('og:description') ?? ''}`),
    linkedTypes: ` ${types.map(([, one, many]) => one ?? many?.replace(/[",]/g, ' ')).join(' ')} `,
    linkedHeadline: linkedStrings(linked, /"headline"\s*:\s*"((?:[^"\\]|\\.){1,300})"/),
    linkedText: linkedStrings(
      linked,
      /"(?:articleBody|description|reviewBody|text)"\s*:\s*"((?:[^"\\]|\\.){1,4000})"/g,
    ),
  }
}

const metaKeys: ReadonlySet<string> = new Set([
  'og:title',
  'twitter:title',
  'og:type',
  'description',
  'og:description',
])

/** The strings are read out of the text: JSON-LD on the web is often not JSON. */
function linkedStrings(linked: string, pattern: RegExp): string {
  const found = pattern.global ? [...linked.matchAll(pattern)] : [pattern.exec(linked)]
  const joined = found.map((match) => match?.[1] ?? '').join(' ')
  const plain = joined.replace(/\\u([0-9a-fA-F]{4})/g, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return tidy(decodeHTML(plain.replace(/\\[nrt]/g, ' ').replace(/\\(.)/g, '$1')))
}

function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
