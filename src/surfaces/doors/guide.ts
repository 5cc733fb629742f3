// The gateway's documents as Markdown (`/docs/use.md`), and as plain pages for the reader of pages. The README of a
// folder stands for the folder. All of them are read at the start, so no path of a caller reaches the disk. A page is
// rendered when it is first read.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Marked } from 'marked'

const documentsDirectory = path.join(import.meta.dirname, '../../../docs')
const guidePath = '/docs/'

export interface Guide {
  /** All documents. The name of each ends in .md. */
  readonly documents: readonly { readonly name: string; readonly title: string }[]
  /** A document by its name, `use.md`. */
  text(name: string): string | undefined
  /** The page at a whole address of this gateway, which must be exactly that. */
  at(url: string, baseUrl: string): string | undefined
}

export function createGuide(): Guide {
  const files = readdirSync(documentsDirectory, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .toSorted()
  const addresses = new Map(files.map((file) => [file, addressOf(file)]))
  const texts = new Map<string, () => string>()
  const pages = new Map<string, () => string>()
  const documents: { name: string; title: string }[] = []
  for (const [file, address] of addresses) {
    const text = readFileSync(path.join(documentsDirectory, file), 'utf8')
    const name = `${address.slice(guidePath.length)}.md`
    const served = servedFrom(file, addresses)
    texts.set(
      name,
      once(() => withServedLinks(text, served)),
    )
    documents.push({ name, title: titleOf(text) })
    pages.set(
      address,
      once(() => render(text, served)),
    )
  }
  return {
    documents,
    text: (name) => texts.get(name)?.(),
    at(url, baseUrl) {
      const root = URL.parse(baseUrl)?.origin
      return root !== undefined && url.startsWith(`${root}/`)
        ? pages.get(url.slice(root.length))?.()
        : undefined
    },
  }
}

function once(make: () => string): () => string {
  let made: string | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** `use/README.md` is at `/docs/use`, `use/wallets.md` at `/docs/use/wallets`. */
const addressOf = (file: string) => guidePath + file.replace(/(\/README)?\.md$/, '')

const fence = /^ *(```|~~~)[\s\S]*?^ *\1/gm
const linkOrPicture = /(!?)\[([^\]]*)\]\((?!(?:[a-z]+:|#|\/))([^)#\s]+)(#[^)\s]*)?\)/g

/** Where a link of the file leads. Undefined for what this gateway does not serve. */
type Served = (target: string) => string | undefined

const servedFrom =
  (file: string, addresses: ReadonlyMap<string, string>): Served =>
  (target) =>
    addresses.get(path.posix.join(path.posix.dirname(file), target))

/** Markdown whose links lead to what this gateway serves. A link to another file becomes text. */
function withServedLinks(text: string, served: Served): string {
  const code = text.match(fence) ?? []
  const prose = text.split(fence).filter((_, at) => at % 2 === 0)
  return prose
    .map((part, at) => {
      const linked = part.replaceAll(linkOrPicture, (_, picture, words, target, fragment = '') => {
        if (picture !== '') return ''
        const address = served(target)
        return address === undefined ? words : `[${words}](${address}.md${fragment})`
      })
      return linked + (code[at] ?? '')
    })
    .join('')
}

/**
 * A document as a page. Links to other documents lead to their pages; a link to a file that is not served becomes text.
 */
function render(text: string, served: Served): string {
  const marked = new Marked({
    renderer: {
      link({ href, tokens }) {
        if (/^[a-z]+:|^#/.test(href)) return false
        const [target = '', fragment] = href.split('#')
        const words = this.parser.parseInline(tokens)
        const address = served(target)
        if (address === undefined) return words
        const anchor = fragment === undefined ? '' : `#${fragment}`
        return `<a href="${address}${anchor}">${words}</a>`
      },
      // Pictures are for readers elsewhere: this gateway shows its console itself.
      image: () => '',
      heading({ depth, text, tokens }) {
        const words = this.parser.parseInline(tokens)
        return `<h${depth} id="${anchorOf(text)}">${words}</h${depth}>`
      },
    },
  })
  const title = titleOf(text)
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title} · Tollway</title></head>
<body><main><h1>${title}</h1>
${marked.parse(withoutTitle(text), { async: false })}</main></body>
</html>
`
}

/** The fragment by which code hosts link to a heading: `Keys with limits` is at `#keys-with-limits`. */
export const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

export const withoutTitle = (text: string) => text.replace(/^# .*\n/, '')

/** The heading in the first line, without the marks of Markdown. */
export function titleOf(text: string): string {
  return /^# (.*)/.exec(text)?.[1]?.replace(/[`*&<>]/g, '') ?? 'Untitled'
}
