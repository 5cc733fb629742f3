// How an answer is shown: its parts as tables, items, texts or media. The whole of it is always there as JSON too.

export type View =
  | {
      readonly kind: 'table'
      readonly name: string
      readonly columns: readonly string[]
      /** Columns for which there is no room. */
      readonly leftOut: readonly string[]
      readonly rows: readonly Row[]
    }
  | {
      /** Rows that are too long for a table. */
      readonly kind: 'items'
      readonly name: string
      readonly items: readonly { readonly title: string; readonly views: readonly View[] }[]
    }
  | { readonly kind: 'fields'; readonly name: string; readonly fields: readonly Field[] }
  | { readonly kind: 'markdown' | 'text'; readonly name: string; readonly text: string }
  | { readonly kind: 'json'; readonly name: string; readonly value: unknown }
  | {
      readonly kind: 'image' | 'audio' | 'video' | 'link'
      readonly name: string
      readonly address: string
    }

type Row = Readonly<Record<string, unknown>>
type Field = readonly [name: string, value: unknown]

const columnsMax = 8
const viewsMax = 12
const depthMax = 3
/** What is longer stands in a block of its own. */
const cellCharactersMax = 240
const lineCharactersMax = 80
const mediaKinds = [
  ['image', /\.(png|jpe?g|gif|webp|avif|svg)$/i],
  ['audio', /\.(mp3|wav|ogg|m4a|flac|opus)$/i],
  ['video', /\.(mp4|webm|mov)$/i],
] as const
/** Fields whose text is written for people. */
const proseFields = new Set(['content', 'markdown', 'text', 'answer', 'summary', 'transcript'])
const titleFields = ['title', 'name', 'headline', 'subject', 'label', 'url', 'id'] as const

/** The parts of an answer that are better seen than read as JSON. */
export function viewsOf(data: unknown): View[] {
  if (typeof data === 'string') return [{ kind: 'markdown', name: 'answer', text: data }]
  if (isRows(data)) return [rowsView('rows', data, 0)]
  if (!isObject(data)) return []
  return partsOf(data, 0)
}

/** Files alone are shown without what is told of them. */
function partsOf(owner: Row, depth: number): View[] {
  const { fields, views } = splitUp(owner, depth)
  return views.every((view) => view.kind === 'link' || isMedia(view))
    ? views.slice(0, viewsMax)
    : wholeOf({ fields, views })
}

/** Short fields together, and what is longer below them. A link is a field. */
const wholeOf = ({ fields, views }: ReturnType<typeof splitUp>): View[] => [
  ...(fields.length === 0 ? [] : [{ kind: 'fields', name: '', fields } as const]),
  ...views.filter(({ kind }) => kind !== 'link').slice(0, viewsMax),
]

function splitUp(owner: Row, depth: number) {
  const fields: Field[] = []
  const views: View[] = []
  for (const [name, value] of Object.entries(owner)) {
    if (value === null || value === undefined || value === '') continue
    // Where the call is charged as a whole, a part that says it cost nothing would contradict its charge.
    if (name === 'charged_cents' && value === 0) continue
    const found = viewsOfField(name, value, owner, depth)
    if (found.every(({ kind }) => kind === 'link')) fields.push([name, value])
    views.push(...found)
  }
  return { fields, views }
}

function viewsOfField(name: string, value: unknown, owner: Row, depth: number): View[] {
  if (typeof value === 'string') {
    const media = mediaOf(name, value, owner)
    if (media !== undefined) return [media]
    const isPlain = owner.format === 'html' || owner.format === 'text'
    if (proseFields.has(name) && !isPlain) return [{ kind: 'markdown', name, text: value }]
    if (!isLong(value)) return []
    return [isText(value) ? { kind: 'text', name, text: value } : { kind: 'json', name, value }]
  }
  if (depth === depthMax) return isLong(value) ? [{ kind: 'json', name, value }] : []
  if (isObject(value)) {
    const parts = partsOf(value, depth + 1)
    if (parts.length > 0 || JSON.stringify(value).length <= lineCharactersMax) return parts
    return [{ kind: 'fields', name, fields: Object.entries(value) }]
  }
  if (!isRows(value)) return isLong(value) ? [{ kind: 'json', name, value }] : []
  // One page, one file or one picture is shown itself.
  const [only] = value
  const shown = value.length === 1 && only !== undefined ? partsOf(only, depth + 1) : []
  if (shown.length > 0) return shown
  const view = rowsView(name, value, depth)
  // Items show their own files.
  if (view.kind === 'items' || value.length === 1) return [view]
  return [view, ...value.flatMap((row) => partsOf(row, depth + 1).filter(isMedia))]
}

/** Items where a row says more than fits into cells. */
function rowsView(name: string, rows: readonly Row[], depth: number): View {
  if (depth === depthMax || !rows.some((row) => Object.values(row).some(isLong)))
    return tableOf(name, rows)
  const items = rows.map((row, index) => ({
    title: `${index + 1}. ${titleOf(row)}`,
    views: wholeOf(splitUp(row, depth + 1)),
  }))
  return { kind: 'items', name, items }
}

const titleOf = (row: Row) =>
  titleFields.map((field) => row[field]).find((value) => typeof value === 'string' && value) ?? ''

/** An address is long only for people who read it, so it stays a link in a cell. */
function isLong(value: unknown): boolean {
  if (typeof value === 'string')
    return (
      !isAddress(value) &&
      (value.length > cellCharactersMax ||
        (value.length > lineCharactersMax && value.includes('\n')))
    )
  return (JSON.stringify(value)?.length ?? 0) > cellCharactersMax
}

export const isAddress = (text: string) => /^https?:\/\/\S+$/.test(text)

/** Bytes in letters have no spaces. */
const isText = (text: string) => /\s/.test(text.slice(0, 1_000)) || !/^[\w+/=-]+$/.test(text)

const isMedia = ({ kind }: View) => kind === 'image' || kind === 'audio' || kind === 'video'

/**
 * The kind of media at a web address: by its own media type if the answer names one, otherwise by the ending of its
 * path.
 */
function mediaOf(name: string, text: string, owner: Row): View | undefined {
  const url = /^https?:\/\//.test(text) ? URL.parse(text) : null
  if (url === null) return undefined
  const type = [owner.mime, owner.content_type, owner.media_type].find(
    (each) => typeof each === 'string',
  )
  const kind =
    mediaKinds.find(
      ([each, ending]) => type?.startsWith(`${each}/`) || ending.test(url.pathname),
    )?.[0] ?? (/^(get_|live_?view_?)?url$/i.test(name) ? 'link' : undefined)
  return kind === undefined ? undefined : { kind, name, address: text }
}

function tableOf(name: string, rows: readonly Row[]): View {
  const columns = [...new Set(rows.flatMap(Object.keys))].filter((column) =>
    rows.some((row) => row[column] !== null && row[column] !== undefined),
  )
  return {
    kind: 'table',
    name,
    columns: columns.slice(0, columnsMax),
    leftOut: columns.slice(columnsMax),
    rows,
  }
}

const isObject = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isRows = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject)
