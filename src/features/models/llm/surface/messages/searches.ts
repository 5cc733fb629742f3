// Searches that the gateway has run, in the history of a request. A result carries its text as `encrypted_content`, so
// that a caller who sends the blocks back tells the model again what was found.
import { type ChatFields, invalid, isObject, requireShallow } from '../../conversation/fields.ts'
import { readList, readObject, readString, requireKnown } from './known-fields.ts'

const resultsMax = 100
const idCharactersMax = 256
const prefix = 'tollway.'

/** What a search finds, as the model is told of it. */
export interface SearchFinding {
  readonly url: string
  readonly title: string
  readonly text?: string | undefined
  readonly published_at?: string | undefined
}

export const writeFinding = ({
  url,
  title,
  text = '',
  published_at,
}: SearchFinding): ChatFields => ({
  type: 'web_search_result',
  url,
  title,
  encrypted_content: `${prefix}${Buffer.from(text).toString('base64url')}`,
  page_age: published_at ?? null,
})

const caller = { type: 'direct' }

/** Its input follows. */
export const writeSearchCall = (id: string): ChatFields => ({
  type: 'server_tool_use',
  id,
  name: 'web_search',
  input: {},
  caller,
})

export const writeSearchResult = (id: string, content: unknown): ChatFields => ({
  type: 'web_search_tool_result',
  tool_use_id: id,
  content,
  caller,
})

/** Whether the model has searched in these messages. */
export function holdSearches(messages: unknown): boolean {
  return (
    Array.isArray(messages) &&
    messages.some(
      ({ content }) =>
        Array.isArray(content) &&
        content.some((block) => isSearchCall(block) || isSearchResult(block)),
    )
  )
}

/** What others have encrypted is theirs. */
const readFindingText = (content: string) =>
  content.startsWith(prefix)
    ? Buffer.from(content.slice(prefix.length), 'base64url').toString()
    : undefined

export const isSearchCall = ({ type, name }: ChatFields): boolean =>
  type === 'server_tool_use' && name === 'web_search'

export const isSearchResult = ({ type }: ChatFields): boolean => type === 'web_search_tool_result'

/** A call of the function by which the model searches. */
export function readSearchCall(at: string, block: ChatFields, name: string): ChatFields {
  requireKnown(at, block, ['type', 'id', 'name', 'input', 'caller', 'cache_control'])
  requireShallow(`${at}.input`, block.input)
  const input = readObject(`${at}.input`, block.input)
  const id = readString(`${at}.id`, block.id, idCharactersMax)
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } }
}

/** What the model is told of a search. */
export function readSearchResult(at: string, block: ChatFields): ChatFields {
  requireKnown(at, block, ['type', 'tool_use_id', 'content', 'caller', 'cache_control'])
  const id = readString(`${at}.tool_use_id`, block.tool_use_id, idCharactersMax)
  return toolMessage(id, readFound(`${at}.content`, block.content))
}

/** A search that waited for functions of the caller, or that the model may call again. */
export const pendingSearch = (id: string): ChatFields =>
  toolMessage(id, 'This search has not run yet. Call it again if you still need it.')

const toolMessage = (id: string, content: string): ChatFields => ({
  role: 'tool',
  tool_call_id: id,
  content,
})

function readFound(at: string, content: unknown): string {
  if (isObject(content)) {
    requireKnown(at, content, ['type', 'error_code'])
    return `The search failed: ${readString(`${at}.error_code`, content.error_code, 100)}.`
  }
  const found = readList(at, content, resultsMax).map((entry, place) => {
    const within = `${at}.${place}`
    const result = readObject(within, entry)
    requireKnown(within, result, ['type', 'url', 'title', 'encrypted_content', 'page_age'])
    if (result.type !== 'web_search_result')
      throw invalid(`${within}.type`, `${within}.type must be web_search_result.`)
    const [url, title, text] = ['url', 'title', 'encrypted_content'].map((name) =>
      readString(`${within}.${name}`, result[name]),
    ) as [string, string, string]
    const age =
      result.page_age == null ? undefined : readString(`${within}.page_age`, result.page_age)
    return { url, title, text: readFindingText(text), published_at: age } satisfies SearchFinding
  })
  return found.length === 0 ? 'The search has found nothing.' : JSON.stringify(found)
}
