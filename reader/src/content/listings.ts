// The links and pictures of the content as lists.
import { decodeHTML } from 'entities'
import { resolveLink } from './attributes.ts'
import type { ContentElement } from './nodes.ts'

export interface PageLink {
  readonly url: string
  readonly text: string
}

export interface PageImage {
  readonly url: string
  /** The text in place of the picture. Empty where there is none. */
  readonly alt: string
}

const entriesMax = 2_000
const textCharactersMax = 300

/** Each address once, with its first text that is not empty. Addresses of the web only. */
export function listLinks(content: ContentElement, baseUrl: string): readonly PageLink[] {
  const links = new Map<string, string>()
  visit(content, ({ name, attributes, children }) => {
    const url = name === 'a' ? webAddress(attributes.get('href'), baseUrl) : undefined
    if (url !== undefined) note(links, url, textOf(children))
  })
  return [...links].map(([url, text]) => ({ url, text }))
}

export function listImages(content: ContentElement, baseUrl: string): readonly PageImage[] {
  const images = new Map<string, string>()
  visit(content, ({ name, attributes }) => {
    const url = name === 'img' ? webAddress(attributes.get('src'), baseUrl) : undefined
    if (url !== undefined) note(images, url, tidy(decodeHTML(attributes.get('alt') ?? '')))
  })
  return [...images].map(([url, alt]) => ({ url, alt }))
}

function note(entries: Map<string, string>, url: string, text: string): void {
  if (!entries.has(url) && entries.size >= entriesMax) return
  entries.set(url, entries.get(url) || text)
}

function visit({ children }: ContentElement, look: (element: ContentElement) => void): void {
  for (const child of children) {
    if (typeof child === 'string') continue
    look(child)
    visit(child, look)
  }
}

function webAddress(written: string | undefined, baseUrl: string): string | undefined {
  const url = written === undefined ? undefined : resolveLink(written, baseUrl)
  return url?.startsWith('http') ? url : undefined
}

function textOf(children: ContentElement['children']): string {
  let text = ''
  for (const child of children) {
    if (text.length > textCharactersMax) break
    if (typeof child === 'string') text += child
    else if (child.name === 'img') text += ` ${decodeHTML(child.attributes.get('alt') ?? '')} `
    else text += textOf(child.children)
  }
  return tidy(text)
}

function tidy(text: string): string {
  return text
    .replace(/[\s\0]+/g, ' ')
    .trim()
    .slice(0, textCharactersMax)
    .toWellFormed()
}
