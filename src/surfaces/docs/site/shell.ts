// What is around every document: the list of all documents, and what is on this page.
import { frame } from '../../doors/frame.ts'
import type { Heading, Rendered } from './render.ts'

export interface NavigationGroup {
  readonly title: string
  readonly links: readonly { readonly path: string; readonly title: string }[]
}

export interface ShownDocument extends Rendered {
  /** The address of the page on this gateway. */
  readonly path: string
  /** As HTML. */
  readonly title: string
  readonly navigation: readonly NavigationGroup[]
  /** What is in the field of the search. */
  readonly question?: string
  /** Whether it is served as Markdown too, at the same address with `.md`. */
  readonly hasText?: boolean
}

export function documentPage(shown: ShownDocument): string {
  const { path, title, navigation, html, headings, question, hasText = true } = shown
  const contents = headings.filter(({ depth }) => depth === 2)
  const hasContents = contents.length >= contentsMin
  const short = `<details class="short-contents"><summary>On this page</summary>${listOf(contents)}</details>`
  const long = `<nav class="contents" aria-label="On this page"><h2>On this page</h2>${listOf(contents)}</nav>`
  return frame({
    title,
    body: `${hasContents ? short : ''}\n${html}`,
    beside: `${hasContents ? long : ''}
<aside class="side" id="documents">
<nav aria-label="Documents">
${navigation.map((group) => groupOf(group, path)).join('\n')}
</nav>
</aside>`,
    menu: 'documents',
    text: hasText ? `${path}.md` : undefined,
    ...(question !== undefined && { question }),
  })
}

const contentsMin = 2

function groupOf({ title, links }: NavigationGroup, path: string): string {
  const items = links.map((link) => {
    const current = link.path === path ? ' aria-current="page"' : ''
    return `<li><a href="${link.path}"${current}>${link.title}</a></li>`
  })
  return `<h2>${title}</h2>\n<ul>${items.join('')}</ul>`
}

const listOf = (headings: readonly Heading[]) =>
  `<ul>${headings.map(({ id, words }) => `<li><a href="#${id}">${words}</a></li>`).join('')}</ul>`
