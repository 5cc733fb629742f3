// How the next page is asked for, as far as the usual names tell it.
import type { DescribedField, DescribedPagination, JsonSchema } from '../described-operation.ts'

const cursorFields =
  /^(?:cursor|after|next_?cursor|page_?token|next_?page_?token|next_?token|continuation(?:_?token)?|starting_after|start_?cursor|bookmark|marker)$/i
const pageFields = /^(?:page|page_?(?:number|no|index)|p)$/i
const offsetFields = /^(?:offset|skip|start(?:_?at|_?index)?)$/i
/** Where the answers of vendors say the next cursor. */
const nextPointers = [
  ...[
    '/next_cursor',
    '/nextCursor',
    '/next_page_token',
    '/nextPageToken',
    '/next_token',
    '/nextToken',
    '/cursor',
  ],
  ...[
    '/continuation',
    '/continuation_token',
    '/continuationToken',
    '/bookmark',
    '/next_marker',
    '/nextMarker',
  ],
  ...[
    '/response_metadata/next_cursor',
    '/meta/next_cursor',
    '/meta/nextCursor',
    '/pagination/next_cursor',
  ],
  ...[
    '/pagination/nextCursor',
    '/paging/cursors/after',
    '/paging/next/after',
    '/page_info/end_cursor',
  ],
]

export function paginationOf(
  fields: readonly DescribedField[],
  {
    output,
    hasLinks,
    resolve,
  }: { output: JsonSchema | undefined; hasLinks: boolean; resolve: Resolve },
): DescribedPagination | undefined {
  const asked = fields.filter((field) => field.in === 'query')
  const named = (names: RegExp) =>
    asked.find(({ wireName }) => names.test(wireName.replace(/^[$_]/, '')))
  const cursor = named(cursorFields)
  const next = nextPointers.find(
    (pointer) => output && hasProperty(output, pointer.slice(1).split('/'), resolve),
  )
  if (cursor && next) return { kind: 'cursor', field: cursor.name, next }
  if (hasLinks) return { kind: 'link' }
  const page = named(pageFields)
  if (page) return { kind: 'page', field: page.name }
  const offset = named(offsetFields)
  return offset && { kind: 'offset', field: offset.name }
}

/** The schema that a reference leads to. */
export type Resolve = (reference: string) => JsonSchema | undefined

/** `seen`: references that were followed for these keys. */
function hasProperty(
  schema: JsonSchema,
  keys: readonly string[],
  resolve: Resolve,
  seen: ReadonlySet<string> = new Set(),
): boolean {
  const [key, ...deeper] = keys
  if (key === undefined) return true
  const reference = schema.$ref
  if (typeof reference === 'string') {
    const target = seen.has(reference) ? undefined : resolve(reference)
    return target !== undefined && hasProperty(target, keys, resolve, new Set([...seen, reference]))
  }
  const properties = schema.properties
  const own = properties && Object.hasOwn(properties, key) ? properties[key] : undefined
  if (own) return hasProperty(own, deeper, resolve)
  // Pages are not said in a choice of kinds.
  const branches = schema.allOf ?? []
  return branches.some((branch) => hasProperty(branch, keys, resolve, seen))
}
