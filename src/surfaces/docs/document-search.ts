// The search of the documents: the guide, the actions, the errors and the API.
import type { Catalog } from '#core/catalog.ts'
import { errorTable } from '#core/errors.ts'
import { escapeHtml } from '../doors/escape-html.ts'
import { type Guide, titleOf, withoutTitle } from '../doors/guide.ts'
import { type StoredAnswer, storeAnswer } from '../doors/stored-answer.ts'
import { apiPageNames } from './api-pages.ts'
import type { ReferencePages } from './reference-pages.ts'
import { createAnchors } from './site/render.ts'
import { type FoundSection, openSearch } from './site/search.js'
import { createSearchIndex, type SearchedPage } from './site/search-index.ts'
import { searchWords } from './site/search-words.ts'
import { documentPage } from './site/shell.ts'

export interface DocumentSearch {
  find(question: string): readonly FoundSection[]
  /** The page of what was found, for browsers without scripts. */
  page(question: string): string
  /** The index, as browsers read it. */
  stored(): StoredAnswer
}

interface Dependencies {
  readonly catalog: Catalog
  readonly guide: Guide
  readonly reference: ReferencePages
}

/** Tables of all actions: each of them has a page of its own, which is found instead. */
const left = new Set(['reference/catalog.md', 'reference/errors.md'])
const foundMax = 20
const questionCharactersMax = 200

/** The index is made when it is first asked for, and again after the catalog has changed. */
export function createDocumentSearch(dependencies: Dependencies): DocumentSearch {
  const { catalog, reference } = dependencies
  let made:
    | { entries: Catalog['entries']; find: ReturnType<typeof openSearch>; stored: StoredAnswer }
    | undefined
  function index() {
    if (made?.entries === catalog.entries) return made
    const written = createSearchIndex(pagesOf(dependencies), anchorsOf)
    made = { entries: catalog.entries, find: openSearch(written), stored: storeAnswer(written) }
    return made
  }
  return {
    find: (question) => index().find(question),
    stored: () => index().stored,
    page(question) {
      const asked = question.slice(0, questionCharactersMax)
      const found = index().find(asked, foundMax)
      return documentPage({
        path: '/docs/search',
        title: 'Search',
        html: resultsOf(asked, found),
        headings: [],
        navigation: reference.navigation,
        question: asked,
        hasText: false,
      })
    },
  }
}

function anchorsOf(markdown: string): (heading: string) => string {
  const anchors = createAnchors()
  const known = new Map(
    [...markdown.matchAll(/^#{2,6} (.*)$/gm)].map(([, heading = '']) => [
      heading,
      anchors(heading),
    ]),
  )
  return (heading) => known.get(heading) ?? ''
}

/** What explains comes before what lists, and before why it is built this way. */
const weights = { guide: 1, reference: 0.8, action: 0.7, background: 0.6, list: 0.5 } as const

function weightOf(path: string): number {
  // It lists each verb in a short section, which would come before the page that explains.
  if (path === '/docs/use/command') return weights.reference
  if (/^\/docs\/(use|operate|connect)\b/.test(path)) return weights.guide
  if (/^\/docs\/(reference|limits|performance|scale)\b/.test(path)) return weights.reference
  return path.startsWith('/docs/api') ? weights.list : weights.background
}

function pagesOf({ catalog, guide, reference }: Dependencies): SearchedPage[] {
  const page = (path: string, text: string | undefined): SearchedPage[] => {
    if (text === undefined) return []
    const words = searchWords[path]
    return [
      {
        path,
        title: titleOf(text),
        markdown: withoutTitle(text),
        weight: weightOf(path),
        ...(words !== undefined && { words }),
      },
    ]
  }
  return [
    ...guide.documents
      .filter(({ name }) => !left.has(name))
      .flatMap(({ name }) => page(`/docs/${name.replace(/\.md$/, '')}`, guide.text(name))),
    ...page('/docs/connect', reference.text('connect')),
    ...apiPageNames.flatMap((name) => page(`/docs/${name}`, reference.text(name))),
    ...gatewayPages,
    ...catalog.entries.map(({ id, action }) => ({
      path: `/docs/actions/${id}`,
      title: id,
      markdown: action.summary,
      weight: weights.action,
      words: { '': (action.synonyms ?? []).join(' ') },
    })),
    ...Object.entries(errorTable).map(([code, { message, status }]) => ({
      path: `/docs/errors/${code}`,
      title: code,
      markdown: message,
      weight: weights.reference,
      words: { '': `${status} error` },
    })),
  ]
}

/** Also the lists whose rows are pages of their own: they are found by what they list, and not by their rows. */
const gatewayPages: readonly SearchedPage[] = [
  {
    path: '/docs/reference/errors',
    title: 'All errors',
    markdown: 'Each error code, its status and what to do.',
    weight: weights.reference,
    words: { '': 'list of error codes reference meaning of errors' },
  },
  {
    path: '/docs/actions',
    title: 'All actions',
    markdown: 'What the gateway sells, with prices.',
    weight: weights.reference,
    words: { '': 'list of actions services catalog what can it do price list' },
  },
  {
    path: '/changelog',
    title: 'Changelog',
    markdown: 'What has changed from version to version.',
    weight: weights.background,
    words: { '': 'release notes new news upgrade history breaking' },
  },
  {
    path: '/status',
    title: 'Status',
    markdown: 'Whether the gateway and what it sells work.',
    weight: weights.background,
    words: { '': 'uptime outage incident down health working' },
  },
]

function resultsOf(question: string, found: readonly FoundSection[]): string {
  if (question.trim() === '') return '<p>Write what you look for into the field above.</p>'
  if (found.length === 0)
    return `<p>Nothing found for “${escapeHtml(question)}”. Try other words, or <a href="/docs">begin at the start</a>.</p>`
  const items = found.map(
    ({ address, title, heading, text }) =>
      `<li><a href="${escapeHtml(address)}">${escapeHtml(heading === '' ? title : `${title}: ${heading}`)}</a><p>${escapeHtml(text)}</p></li>`,
  )
  return `<ol class="results">${items.join('\n')}</ol>`
}
