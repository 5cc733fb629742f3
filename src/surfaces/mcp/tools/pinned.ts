// Actions as tools of their own: those that a client pins by ?tools=ns_semantic/search,ns_scholar/works.
import type { AccountCaller } from '#core/caller.ts'
import type { ToolFacts } from '#core/calls/tool-facts.ts'
import { type Catalog, type CatalogEntry, findAny, isFor } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import type { ShapeAnswer } from '../answer.ts'
import { toolOf } from './of-action.ts'
import { soldTool } from './sold-tool.ts'
import { acts, type Tool } from './tool.ts'

const pinnedMax = 20
const queryParameter = 'tools'

/** The pinned tools of a request. Throws `bad_request` for what names no action. */
export type ReadPinned = (
  query: Readonly<Record<string, unknown>>,
  caller: AccountCaller | undefined,
) => readonly Tool[]

export function createReadPinned({
  catalog,
  shape,
}: {
  catalog: Catalog
  shape: ShapeAnswer
}): ReadPinned {
  return (query, caller) => {
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
    return names.map((id) => pin(find(catalog, id, caller), shape))
  }
}

/** What its server says of the tool. That a call costs money is said by its price. */
function readFacts({ title, ...hints }: ToolFacts = {}) {
  return { ...(title && { title }), ...(Object.keys(hints).length > 0 && { annotations: hints }) }
}

function find(catalog: Catalog, id: string, caller: AccountCaller | undefined): CatalogEntry {
  const entry = findAny(catalog, id)
  if (entry !== undefined && isFor(entry, caller?.accountId)) return entry
  throw fail('bad_request', {
    message: `There is no action called ${id.slice(0, 100)}. GET /api/run lists all actions.`,
  })
}

function pin(entry: CatalogEntry, shape: ShapeAnswer): Tool {
  // Model vendors allow letters, digits, _ and - in the names of tools.
  const name = entry.id.replace('/', '__')
  const description = [entry.action.summary, entry.action.notes ?? ''].join(' ').trim()
  const listed = { name, description, annotations: acts }
  const { soldAs, toolFacts } = entry.action
  return soldAs === 'tool'
    ? soldTool(entry, { ...listed, ...readFacts(toolFacts) })
    : toolOf(entry, { ...listed, shape })
}
