// EPUB: one page for each chapter of the spine, read by the page reader; more for a long one.
import path from 'node:path'
import { decodeText, readMarkup } from '@tollway/reader'
import { marked } from 'marked'
import type { DocumentBlock } from '../blocks.ts'
import type { DocumentMetadata, OpenedDocument } from '../document.ts'
import { encrypted, unreadable } from '../failure.ts'
import { paginate } from '../paginate.ts'
import type { Archive } from './archive.ts'
import { needPart } from './office.ts'
import { childOf, elementsOf, textOf, type XmlElement } from './xml.ts'

export async function openEpub(archive: Archive): Promise<OpenedDocument> {
  if (archive.has('META-INF/rights.xml')) throw encrypted()
  const container = await needPart(archive, 'META-INF/container.xml')
  const packagePart = childOf(container, 'rootfiles', 'rootfile')?.attributes['full-path']
  if (packagePart === undefined) throw unreadable('The EPUB does not name its contents.')
  const root = await needPart(archive, packagePart)
  const chapters = chaptersOf(root, path.posix.dirname(packagePart))
  return {
    type: 'epub',
    metadata: metadataOf(childOf(root, 'metadata')),
    async *pages(first) {
      let number = 0
      for (const chapter of chapters) {
        const bytes = await archive.read(chapter)
        if (bytes === undefined) continue
        const { title, blocks } = readChapter(bytes)
        for (const page of paginate(blocks)) {
          number += 1
          if (number >= first) yield { title, blocks: page }
        }
      }
    },
  }
}

function chaptersOf(root: XmlElement, folder: string): string[] {
  const hrefs = new Map(
    [...elementsOf(childOf(root, 'manifest'), 'item')].map(({ attributes }) => [
      attributes.id,
      attributes.href ?? '',
    ]),
  )
  return [...elementsOf(childOf(root, 'spine'), 'itemref')].flatMap(({ attributes }) => {
    const href = hrefs.get(attributes.idref)
    return href === undefined ? [] : [path.posix.join(folder, decodeHref(href))]
  })
}

function decodeHref(href: string): string {
  try {
    return decodeURIComponent(href)
  } catch {
    return href
  }
}

/** Never connected to: it only makes a chapter's links whole, and is taken off again. */
const chapterAddress = 'https://chapter.invalid/'

function readChapter(bytes: Buffer): { title: string | null; blocks: DocumentBlock[] } {
  const { text } = decodeText(bytes, 'application/xhtml+xml')
  // To HTML, a self-closing element that is not void stays open.
  const html = text.replace(
    /<(title|script|style|a|p|div|span|i|b|em)(\s[^<>]*)?\/>/gi,
    '<$1$2></$1>',
  )
  const page = readMarkup({
    html,
    url: chapterAddress,
    format: 'markdown',
    mainContent: false,
  })
  const markdown = page.content.replaceAll(chapterAddress, '')
  const blocks = marked.lexer(markdown).flatMap((token): DocumentBlock[] => {
    if (token.type === 'table') {
      const cells = [token.header, ...token.rows] as { text: string }[][]
      return [{ kind: 'table', rows: cells.map((row) => row.map((cell) => cell.text)) }]
    }
    return token.type === 'space' ? [] : [{ kind: 'markdown', text: token.raw }]
  })
  return { title: headingOf(blocks) ?? page.title, blocks }
}

function headingOf(blocks: readonly DocumentBlock[]): string | undefined {
  for (const block of blocks) {
    const heading = block.kind === 'markdown' ? /^#{1,3} (.+)/.exec(block.text)?.[1] : undefined
    if (heading !== undefined) return heading.trim()
  }
  return undefined
}

function metadataOf(metadata: XmlElement | undefined): DocumentMetadata {
  const first = (name: string) => textOf(childOf(metadata, name)).trim() || null
  const authors = [...elementsOf(metadata, 'creator')].map((each) => textOf(each).trim())
  const modified = [...elementsOf(metadata, 'meta')].find(
    ({ attributes }) => attributes.property === 'dcterms:modified',
  )
  return {
    title: first('title'),
    author: authors.filter((name) => name !== '').join(', ') || null,
    created: first('date'),
    modified: modified === undefined ? null : textOf(modified).trim() || null,
    language: first('language'),
  }
}
