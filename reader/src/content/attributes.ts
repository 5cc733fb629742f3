// The attributes of an element of the content: few, harmless, and with absolute links.
import { decodeHTML } from 'entities'
import type { Attributes } from '../page/scan.ts'

const keptAttributes: ReadonlySet<string> = new Set(
  'alt title colspan rowspan lang dir datetime start id open reversed cite scope'.split(' '),
)
/** They begin with a space, or are empty. */
export function writeAttributes(name: string, attributes: Attributes, baseUrl: string): string {
  let written = ''
  for (const [key, value] of attributes) {
    const language = key === 'class' && (name === 'code' || name === 'pre')
    if (keptAttributes.has(key) || language) written += ` ${key}="${escapeMarks(value)}"`
  }
  if (name === 'a') written += writeLink('href', attributes.get('href'), baseUrl)
  if (name === 'img') written += writeLink('src', attributes.get('src'), baseUrl)
  return written
}

function writeLink(key: string, value: string | undefined, baseUrl: string): string {
  const link = value === undefined ? undefined : resolveLink(value, baseUrl)
  return link === undefined
    ? ''
    : ` ${key}="${link.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`
}

function escapeMarks(value: string): string {
  return value.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

export function resolveLink(value: string, baseUrl: string): string | undefined {
  const link = URL.parse(value.includes('&') ? decodeHTML(value) : value, baseUrl)
  if (link === null) return undefined
  return ['http:', 'https:', 'mailto:', 'tel:'].includes(link.protocol) ? link.href : undefined
}
