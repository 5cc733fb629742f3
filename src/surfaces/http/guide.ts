// The gateway's documents: as they are written (`/docs/use.md`), and as pages (`/docs/use`). Read and rendered once: what is
// served is what was there at the start, and no path of a caller reaches the disk.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Marked } from 'marked'
import { page } from './page.ts'

const documentsDirectory = path.join(import.meta.dirname, '../../../docs')
const guidePath = '/docs/'

export interface Guide {
  /** A document by its name, `use.md`. */
  text(name: string): string | undefined
  /** The page at a path, `/docs/use`. */
  page(path: string): string | undefined
  /** The page at a whole address of this gateway, which must be exactly that. */
  at(url: string, baseUrl: string): string | undefined
}

export function createGuide(): Guide {
  const names = readdirSync(documentsDirectory, { recursive: true, encoding: 'utf8' })
  const texts = new Map(
    names
      .filter((name) => name.endsWith('.md'))
      .toSorted()
      .map((name) => [name, readFileSync(path.join(documentsDirectory, name), 'utf8')]),
  )
  const pages = new Map<string, string>()
  const contents = [...texts].map(([name, text]) => {
    const address = guidePath + name.replace(/\.md$/, '')
    pages.set(
      address,
      render(name, text, (other) => texts.has(other)),
    )
    return `<li><a href="${address}">${titleOf(text)}</a></li>`
  })
  pages.set(guidePath, page('The guide', `<ul>${contents.join('\n')}</ul>`))
  return {
    text: (name) => texts.get(name),
    page: (address) => pages.get(address),
    at(url, baseUrl) {
      const root = URL.parse(baseUrl)?.origin
      return root !== undefined && url.startsWith(`${root}/`)
        ? pages.get(url.slice(root.length))
        : undefined
    },
  }
}

/** A document as a page. Its links to other documents lead to their pages; those to what is not served are text. */
function render(name: string, text: string, isServed: (name: string) => boolean): string {
  const folder = path.posix.dirname(name)
  const marked = new Marked({
    renderer: {
      link({ href, tokens }) {
        if (/^[a-z]+:|^#/.test(href)) return false
        const [target = '', fragment] = href.split('#')
        const words = this.parser.parseInline(tokens)
        if (!isServed(path.posix.join(folder, target))) return words
        const address = target.replace(/\.md$/, '') + (fragment === undefined ? '' : `#${fragment}`)
        return `<a href="${address}">${words}</a>`
      },
    },
  })
  const withoutTitle = text.replace(/^# .*\n/, '')
  return page(titleOf(text), marked.parse(withoutTitle, { async: false }))
}

/** The first line, which is the page's heading: its marks are those of Markdown, and of no use in a title. */
function titleOf(text: string): string {
  return /^# (.*)/.exec(text)?.[1]?.replace(/[`*&<>]/g, '') ?? 'Untitled'
}
