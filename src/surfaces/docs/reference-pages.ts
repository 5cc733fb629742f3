// All documents: those of the guide, and those that are written from the catalog, the routes and the table of errors.
// The page about connecting clients is made here too, because it names the address of the gateway.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type Catalog, splitId } from '#core/catalog.ts'
import { type ErrorCode, errorTable } from '#core/errors.ts'
import { describePrice, type RailTerms } from '#core/pricing/describe-price.ts'
import { type Guide, titleOf, withoutTitle } from '../doors/guide.ts'
import type { RouteDefinition } from '../doors/route.ts'
import { actionPage } from './action-page.ts'
import { readAnswers } from './answers.ts'
import { createApiPages } from './api-pages.ts'
import { connectPage } from './connections.ts'
import { errorPage } from './error-page.ts'
import { plain } from './markdown.ts'
import { createNavigation } from './site/navigation.ts'
import { renderMarkdown } from './site/render.ts'
import { documentPage, type NavigationGroup } from './site/shell.ts'
import { startText } from './start-page.ts'

const addressInGuide = /http:\/\/127\.0\.0\.1:4020(?!\d)/g
const changelogFile = path.join(import.meta.dirname, '../../../CHANGELOG.md')

interface Dependencies {
  readonly catalog: Catalog
  readonly baseUrl: () => string
  /** The payment rails that are open now. */
  readonly rails: () => readonly RailTerms[]
  readonly guide: Guide
  /** Every address besides those of actions. */
  readonly routes: readonly RouteDefinition[]
}

export interface ReferencePages {
  /** A document as Markdown, by its path below /docs/ without an ending. */
  text(name: string): string | undefined
  /** The same as a page. */
  page(name: string): string | undefined
  /** What has changed from version to version. */
  readonly changelog: { readonly text: string; page(): string }
  /** The list beside every document. */
  readonly navigation: readonly NavigationGroup[]
}

export function createReferencePages({
  catalog,
  baseUrl,
  rails,
  guide,
  routes,
}: Dependencies): ReferencePages {
  const answers = readAnswers()
  const apiText = createApiPages(routes)
  const navigation = createNavigation(
    guide.documents.map(({ name, title }) => ({
      path: `/docs/${name.replace(/\.md$/, '')}`,
      title,
    })),
  )
  const guidePages = new Map<string, string>()
  function text(name: string): string | undefined {
    if (name === '') return startText
    if (name === 'actions') return indexOf(catalog)
    if (name === 'connect')
      return connectPage({ baseUrl: baseUrl(), discover: discoverOf(catalog) })
    if (/^api\b/.test(name)) return apiText(name)
    const [, folder, rest = ''] = /^(errors|actions)\/(.+)$/.exec(name) ?? []
    if (folder === 'errors')
      return Object.hasOwn(errorTable, rest) ? errorPage(rest as ErrorCode) : undefined
    const entry = folder === 'actions' ? catalog.find(...splitId(rest)) : undefined
    if (entry === undefined || entry.id !== rest) return undefined
    return actionPage(entry, { baseUrl: baseUrl(), rails: rails(), answer: answers.get(rest) })
  }
  /** The guide names the address of a first start, and readers copy what they read. */
  const atThisGateway = (written: string | undefined) =>
    written?.replaceAll(addressInGuide, baseUrl())
  const show = (path: string, written: string, hasText = true) =>
    documentPage({
      ...renderMarkdown(withoutTitle(written), toPages),
      path,
      title: titleOf(written),
      navigation,
      hasText,
    })
  const changelog = readFileSync(changelogFile, 'utf8')
  let changelogPage: string | undefined
  return {
    navigation,
    changelog: {
      text: changelog,
      page() {
        changelogPage ??= show('/changelog', changelog)
        return changelogPage
      },
    },
    text: (name) => atThisGateway(guide.text(`${name}.md`)) ?? text(name),
    page(name) {
      const known = guidePages.get(name)
      if (known !== undefined) return known
      const ofGuide = atThisGateway(guide.text(`${name}.md`))
      const written = ofGuide ?? text(name)
      if (written === undefined) return undefined
      const page = name === '' ? show('/docs', written, false) : show(`/docs/${name}`, written)
      // Those of the guide never change, and others name prices.
      if (ofGuide !== undefined) guidePages.set(name, page)
      return page
    },
  }
}

/** Links between documents lead to their pages. */
const toPages = (href: string) => href.replace(/^(\/docs\/[^#]+)\.md(?=#|$)/, '$1')

/** The action that finds actions, by its id. */
export const discoverOf = ({ entries }: Catalog) =>
  entries.find(({ action }) => action.name === 'discover')?.id ?? ''

function indexOf({ services, find }: Catalog): string {
  const sections = services.map(({ provider }) => {
    const lines = provider.actions.flatMap((action) => {
      const entry = find(provider.id, action.name)
      if (entry === undefined) return []
      const away = entry.mode === 'unavailable' ? ' Unavailable on this gateway.' : ''
      return `- [${plain(entry.id)}](/docs/actions/${entry.id}): ${plain(action.summary)} ${plain(describePrice(action).text)}.${away}`
    })
    return `## ${plain(provider.title)}\n\n${lines.join('\n')}`
  })
  return `# Actions\n\n${sections.join('\n\n')}\n`
}
