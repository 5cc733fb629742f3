// A document as HTML: headings with anchors, code with its colours, and code of several languages as tabs.
import { Marked, type Token, type Tokens } from 'marked'
import { escapeHtml } from '../../doors/escape-html.ts'
import { anchorOf } from '../../doors/guide.ts'
import { highlight } from './highlight.ts'

export interface Heading {
  readonly depth: number
  readonly id: string
  /** As HTML. */
  readonly words: string
}

export interface Rendered {
  readonly html: string
  readonly headings: readonly Heading[]
}

/** Where a link leads on this gateway. Undefined for what it does not serve, which becomes text. */
export type Lead = (href: string) => string | undefined

const languageNames: Readonly<Record<string, string>> = {
  sh: 'Shell',
  ts: 'TypeScript',
  js: 'JavaScript',
  json: 'JSON',
  toml: 'TOML',
  yaml: 'YAML',
  python: 'Python',
}

export function renderMarkdown(markdown: string, lead: Lead = (href) => href): Rendered {
  const headings: Heading[] = []
  const anchors = createAnchors()
  let tables = 0
  const marked = new Marked({
    tokenizer: {
      // An address in prose is an example. Links are written as links.
      url: () => undefined,
    },
    renderer: {
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens)
        const target = lead(href)
        return target === undefined ? words : `<a href="${escapeHtml(target)}">${words}</a>`
      },
      // Pictures are for readers elsewhere: this gateway shows its console itself.
      image: () => '',
      html: ({ text }) => (text.startsWith('<!--') ? '' : escapeHtml(text)),
      heading({ depth, text, tokens }) {
        const words = this.parser.parseInline(tokens)
        const id = anchors(text)
        headings.push({ depth, id, words: words.replaceAll(/<\/?a\b[^>]*>/g, '') })
        return `<h${depth} id="${id}">${words} <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${depth}>\n`
      },
      code: ({ text, lang = '' }) => codeFigure(text, lang),
      table(token) {
        const row = (cells: readonly Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n')
        tables += 1
        return `<div class="scroll" tabindex="0" role="region" aria-label="Table ${tables}"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`
      },
    },
  })
  const tokens = marked.lexer(markdown)
  const html = inGroups(tokens)
    .map((group) =>
      group.length === 1
        ? marked.parser([...(group[0] ?? [])])
        : tabsOf(group.map((tab) => marked.parser([...tab]))),
    )
    .join('')
  return { html, headings }
}

/** A block of code, with a button that copies it. */
export function codeFigure(text: string, lang: string): string {
  const name = languageNames[lang]
  const tryIt = addressOfForm(text)
  return `<figure class="code"><figcaption>${name ?? 'Text'}${
    tryIt === undefined ? '' : `<a class="try" href="${escapeHtml(tryIt)}">Try it</a>`
  }<button type="button" class="copy" hidden>Copy</button></figcaption><pre tabindex="0"><code>${highlight(text, lang)}</code></pre></figure>\n`
}

const formAddressCharactersMax = 2_000

/** The form of the console for a `curl` of an action, filled in with its body. */
function addressOfForm(code: string): string | undefined {
  const [, action, body] =
    /^curl \S*\/api\/run\/([\w-]+\/[\w-]+)\b[\s\S]*? -d '([^']*)'/.exec(code) ?? []
  if (action === undefined || body === undefined) return undefined
  const address = `/console/catalog/${action}?input=${encodeURIComponent(body)}`
  return address.length <= formAddressCharactersMax ? address : `/console/catalog/${action}`
}

const tabsMin = 3

/**
 * Tokens in groups of one part, or of several tabs: parts with a heading of the third depth whose last block is code.
 */
function inGroups(tokens: readonly Token[]): Token[][][] {
  const groups: Token[][][] = []
  let tabs: Token[][] = []
  let plain: Token[] = []
  const endPlain = () => {
    if (plain.length > 0) groups.push([plain])
    plain = []
  }
  const endTabs = () => {
    if (tabs.length >= tabsMin) {
      endPlain()
      groups.push(tabs)
    } else plain.push(...tabs.flat())
    tabs = []
  }
  for (let at = 0; at < tokens.length; ) {
    const part = partAt(tokens, at)
    if (part.isTab) tabs.push(part.tokens)
    else {
      endTabs()
      plain.push(...part.tokens)
    }
    at += part.tokens.length
  }
  endTabs()
  endPlain()
  return groups
}

const isHeading = (token: Token | undefined): token is Tokens.Heading => token?.type === 'heading'

function partAt(tokens: readonly Token[], from: number): { tokens: Token[]; isTab: boolean } {
  const [first] = tokens.slice(from, from + 1)
  if (!isHeading(first) || first.depth !== 3)
    return { tokens: first === undefined ? [] : [first], isTab: false }
  let end = from + 1
  while (end < tokens.length && !isHeading(tokens[end])) end += 1
  const part = tokens.slice(from, end)
  const last = part.findLast(({ type }) => type !== 'space')
  return { tokens: part, isTab: last?.type === 'code' }
}

/** Without scripts they stand one below the other. */
const tabsOf = (tabs: readonly string[]) =>
  `<div class="tabs">${tabs.map((tab) => `<section>${tab}</section>`).join('\n')}</div>\n`

/** The anchors of one document, in the order of its headings: those that are the same are numbered. */
export function createAnchors(): (heading: string) => string {
  const times = new Map<string, number>()
  return (heading) => {
    const anchor = anchorOf(heading)
    const before = times.get(anchor) ?? 0
    times.set(anchor, before + 1)
    return before === 0 ? anchor : `${anchor}-${before}`
  }
}
