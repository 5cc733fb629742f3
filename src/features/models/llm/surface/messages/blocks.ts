// The blocks of a message: checked, and translated into parts of the common format.
import { type ChatFields, invalid, readBoolean } from '../../conversation/fields.ts'
import { cacheMarkOf, readList, readObject, readString, requireKnown } from './known-fields.ts'
import { readDocument, readPictureUrl } from './sources.ts'

const blocksMax = 4_096
const citationsMax = 1_024

type PartReader = (at: string, block: ChatFields) => ChatFields[]

/** Blocks with a counterpart among the parts of a message. */
const partReaders: Readonly<Record<string, { fields: readonly string[]; read: PartReader }>> = {
  text: {
    fields: ['text', 'citations'],
    read(at, { text, citations }) {
      if (citations != null) readList(`${at}.citations`, citations, citationsMax)
      return [{ type: 'text', text: readString(`${at}.text`, text) }]
    },
  },
  image: {
    fields: ['source'],
    read: (at, { source }) => [
      { type: 'image_url', image_url: { url: readPictureUrl(`${at}.source`, source) } },
    ],
  },
  document: {
    fields: ['source', 'title', 'context', 'citations'],
    read(at, block) {
      readCitations(at, block)
      return readDocument(at, block, (within, content) =>
        typeof content === 'string'
          ? [{ type: 'text', text: content }]
          : readParts(within, content, ['text', 'image']),
      )
    },
  },
  search_result: {
    fields: ['source', 'title', 'content', 'citations'],
    read(at, block) {
      readCitations(at, block)
      const [source, title] = ['source', 'title'].map((name) =>
        readString(`${at}.${name}`, block[name], 2_000),
      )
      const texts = readParts(`${at}.content`, block.content, ['text'])
      return [{ type: 'text', text: `${title}\n${source}` }, ...texts]
    },
  },
}
const refusedFields = {
  transformations: 'Pictures are passed on as they are.',
}

function readCitations(at: string, { citations }: ChatFields) {
  if (citations == null) return
  const { enabled, ...rest } = readObject(`${at}.citations`, citations)
  requireKnown(`${at}.citations`, rest, [])
  readBoolean(`${at}.citations.enabled`, enabled)
}

/** A list of blocks of these types as parts. */
export function readParts(at: string, content: unknown, types: readonly string[]): ChatFields[] {
  return readList(at, content, blocksMax).flatMap((block, place) =>
    readPart(`${at}.${place}`, readObject(`${at}.${place}`, block), types),
  )
}

/** One block as parts. The last of them carries its mark for the cache. */
export function readPart(at: string, block: ChatFields, types: readonly string[]): ChatFields[] {
  const reader = types.includes(block.type) ? partReaders[block.type] : undefined
  if (reader === undefined) throw invalid(`${at}.type`, `${at}.type must be ${list(types)}.`)
  requireKnown(at, block, ['type', 'cache_control', ...reader.fields], refusedFields)
  const parts = reader.read(at, block)
  const mark = cacheMarkOf(at, block)
  return parts.map((part, place) => (place === parts.length - 1 ? { ...part, ...mark } : part))
}

const list = (words: readonly string[]) => words.join(', ').replace(/, ([^,]*)$/, ' or $1')

export function readBlocks(at: string, content: unknown): ChatFields[] {
  const blocks = readList(at, content, blocksMax)
  if (blocks.length === 0) throw invalid(at, `${at} must have at least one block.`)
  return blocks.map((block, place) => readObject(`${at}.${place}`, block))
}

/** Parts of text alone are one string, which every upstream takes. Marks need parts. */
export function plainContent(parts: readonly ChatFields[]): string | readonly ChatFields[] {
  const [only, another] = parts
  if (only === undefined) return ''
  return another === undefined && only.type === 'text' && only.cache_control === undefined
    ? only.text
    : parts
}
