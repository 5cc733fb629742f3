// Actions as tools of their own: those that a client pins by ?tools=ns_semantic/search,ns_scholar/works.
import { type Catalog, type CatalogEntry, splitId } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import type { ShapeAnswer } from '../answer.ts'
import { toolOf } from './of-action.ts'
import { acts, type Tool } from './tool.ts'

const pinnedMax = 20
const queryParameter = 'tools'

/** The pinned tools of a request. Throws `bad_request` for what names no action. */
export type ReadPinned = (query: Readonly<Record<string, unknown>>) => readonly Tool[]

export function createReadPinned({
  catalog,
  shape,
}: {
  catalog: Catalog
  shape: ShapeAnswer
}): ReadPinned {
  return (query) => {
    const unknown = Object.keys(query).find((name) => name !== queryParameter)
    const ids = query[queryParameter] ?? ''
    if (unknown !== undefined || typeof ids !== 'string')
      throw fail('bad_request', {
        message: `This address takes one query parameter, ?${queryParameter}=service/action,service/action.`,
      })
    const names = [...new Set(ids.split(',').filter((id) => id !== ''))]
    if (names.length > pinnedMax)
      throw fail('bad_request', {
        message: `At most ${pinnedMax} actions can be tools of their own. Leave out some: run calls every action.`,
      })
    return names.map((id) => pin(find(catalog, id), shape))
  }
}

function find(catalog: Catalog, id: string): CatalogEntry {
  const entry = catalog.find(...splitId(id))
  if (entry !== undefined) return entry
  throw fail('bad_request', {
    message: `There is no action called ${id.slice(0, 100)}. GET /api/run lists all actions.`,
  })
}

const pin = (entry: CatalogEntry, shape: ShapeAnswer) =>
  toolOf(entry, {
    // Model vendors allow letters, digits, _ and - in the names of tools.
    name: entry.id.replace('/', '__'),
    description: [entry.action.summary, entry.action.notes ?? ''].join(' ').trim(),
    annotations: acts,
    shape,
  })
