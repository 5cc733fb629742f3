// The documents that are written from the catalog and the table of errors: one for each action and each code, and an
// index of actions.
import { Marked } from 'marked'
import { type Catalog, splitId } from '#core/catalog.ts'
import { type ErrorCode, errorTable } from '#core/errors.ts'
import { describePrice, type RailTerms } from '#core/price.ts'
import { page } from '../doors/page.ts'
import { actionPage } from './action-page.ts'
import { readAnswers } from './answers.ts'
import { errorPage } from './error-page.ts'
import { plain } from './markdown.ts'

interface Dependencies {
  readonly catalog: Catalog
  readonly baseUrl: () => string
  /** The payment rails that are open now. */
  readonly rails: () => readonly RailTerms[]
}

export interface ReferencePages {
  /** A document as Markdown, by its path below /docs/ without an ending. */
  text(name: string): string | undefined
  /** The same as a page. */
  page(name: string): string | undefined
}

export function createReferencePages({ catalog, baseUrl, rails }: Dependencies): ReferencePages {
  const answers = readAnswers()
  const marked = new Marked()
  function text(name: string): string | undefined {
    if (name === 'actions') return indexOf(catalog)
    const [, folder, rest = ''] = /^(errors|actions)\/(.+)$/.exec(name) ?? []
    if (folder === 'errors') return rest in errorTable ? errorPage(rest as ErrorCode) : undefined
    const entry = folder === 'actions' ? catalog.find(...splitId(rest)) : undefined
    if (entry === undefined || entry.id !== rest) return undefined
    return actionPage(entry, { baseUrl: baseUrl(), rails: rails(), answer: answers.get(rest) })
  }
  return {
    text,
    page(name) {
      const [title, ...rest] = text(name)?.split('\n') ?? []
      if (title === undefined) return undefined
      return page(title.slice('# '.length), marked.parse(rest.join('\n'), { async: false }))
    },
  }
}

function indexOf({ services, find }: Catalog): string {
  const sections = services.map(({ provider }) => {
    const lines = provider.actions.flatMap((action) => {
      const entry = find(provider.id, action.name)
      if (entry === undefined) return []
      const away = entry.mode === 'unavailable' ? ' Unavailable on this gateway.' : ''
      return `- [${plain(entry.id)}](/docs/actions/${entry.id}): ${plain(action.summary)} ${plain(describePrice(action.price).text)}.${away}`
    })
    return `## ${plain(provider.title)}\n\n${lines.join('\n')}`
  })
  return `# Actions\n\n${sections.join('\n\n')}\n`
}
