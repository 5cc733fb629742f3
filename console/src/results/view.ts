// How an answer is shown: its parts as tables, Markdown or media. The whole of it is always there as JSON too.

export type View =
  | {
      readonly kind: 'table'
      readonly name: string
      readonly columns: readonly string[]
      readonly rows: readonly Row[]
    }
  | { readonly kind: 'markdown'; readonly name: string; readonly text: string }
  | {
      readonly kind: 'image' | 'audio' | 'video' | 'link'
      readonly name: string
      readonly address: string
    }

type Row = Readonly<Record<string, unknown>>

const columnsMax = 8
const viewsMax = 12
const mediaKinds = [
  ['image', /\.(png|jpe?g|gif|webp|avif|svg)$/i],
  ['audio', /\.(mp3|wav|ogg|m4a|flac|opus)$/i],
  ['video', /\.(mp4|webm|mov)$/i],
] as const
/** Fields whose text is written for people. */
const proseFields = new Set(['content', 'markdown', 'text', 'answer', 'summary', 'transcript'])

/** The parts of an answer that are better seen than read as JSON. */
export function viewsOf(data: unknown): View[] {
  if (typeof data === 'string') return [{ kind: 'markdown', name: 'answer', text: data }]
  if (isRows(data)) return [tableOf('rows', data)]
  if (!isObject(data)) return []
  return Object.entries(data)
    .flatMap(([name, value]) => viewsOfField(name, value, data))
    .slice(0, viewsMax)
}

function viewsOfField(name: string, value: unknown, owner: Row): View[] {
  if (typeof value === 'string') {
    const media = mediaOf(name, value, owner)
    if (media !== undefined) return [media]
    return proseFields.has(name) && value !== '' ? [{ kind: 'markdown', name, text: value }] : []
  }
  if (isObject(value)) return viewsOf(value)
  if (!isRows(value)) return []
  // One page, one file or one picture is shown itself.
  const [only] = value
  const shown = value.length === 1 && only !== undefined ? viewsOf(only) : []
  const files = value.length > 1 ? value.flatMap((row) => viewsOf(row).filter(isMedia)) : []
  return shown.length > 0 ? shown : [tableOf(name, value), ...files]
}

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
  return { kind: 'table', name, columns: columns.slice(0, columnsMax), rows }
}

const isObject = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isRows = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject)
