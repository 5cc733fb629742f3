// Links of a Markdown text as numbered references with a list of their addresses at the end, so that the text reads
// without them. Pictures and code stay as they are.

import { createFenceWatch } from './fences.ts'

/** Lengths are limited, so that a hostile line takes linear time. */
const link =
  /(`+)[^`]{1,2000}\1|(?<!!)\[((?:[^[\]\\]|\\.|!\[[^\]]{0,300}\]\([^)\s]{0,2000}\)){1,2000})\]\(<?([^\s()<>]{1,2000}(?:\([^\s()]{0,500}\)[^\s()<>]{0,2000}){0,5})>?(?:[ \t]+"[^"\n]{0,500}")?\)/g

export function linksAsFootnotes(markdown: string): string {
  const numbers = new Map<string, number>()
  const isCode = createFenceWatch()
  const toReference = (whole: string, code?: string, label?: string, address = '') => {
    if (code !== undefined) return whole
    const number = numbers.get(address) ?? numbers.size + 1
    numbers.set(address, number)
    return `[${label}][${number}]`
  }
  const lines = markdown
    .split('\n')
    .map((line) => (isCode(line) ? line : line.replace(link, toReference)))
  if (numbers.size === 0) return markdown
  const list = [...numbers].map(([address, number]) => `[${number}]: ${address}`)
  return `${lines.join('\n').trimEnd()}\n\n${list.join('\n')}`
}
