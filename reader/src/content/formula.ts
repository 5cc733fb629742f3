import type { ContentElement } from './nodes.ts'

/** TeX between dollars, in every format: the notation that Markdown readers and language models share. */
export function writeFormula({ attributes, children }: ContentElement): string {
  const mark = attributes.has('display') ? '$$' : '$'
  return `${mark}${children.join('')}${mark}`
}
