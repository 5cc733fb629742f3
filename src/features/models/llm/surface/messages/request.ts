// Reads a body of Anthropic's Messages API. An upstream of the vendor gets the checked body itself; for all others it
// is translated into the common format. Source: https://docs.claude.com/en/api/messages
import { ceilingField, readCeiling } from '#core/ceiling.ts'
import { fail } from '#core/errors.ts'
import {
  type ChatFields,
  invalid,
  isObject,
  readBoolean,
  readNumber,
  readWord,
} from '../../conversation/fields.ts'
import type { DescribeHosted } from '../../conversation/hosted-calls.ts'
import { type ModelRequest, newModelRequest } from '../../conversation/model-request.ts'
import {
  parametersBy,
  preferenceFields,
  type RoutingPreferences,
  readPreferences,
} from '../../routing/preferences.ts'
import { anthropicTools } from '../../wire/anthropic-request.ts'
import { isNoContextEdit } from './context-edits.ts'
import { readCacheMark, readList, readObject, readString, requireKnown } from './known-fields.ts'
import { readModelName } from './model-name.ts'
import { writeNativeMessages } from './native.ts'
import { holdSearches } from './searches.ts'
import { readThinking } from './thinking.ts'
import { readToolFields, type ToolsRead } from './tools.ts'
import { readSystem, readTurns } from './turns.ts'

const maxTokensMax = 131_072
const stopsMax = 64
const stopCharactersMax = 1_000
const userCharactersMax = 512
const topKMax = 1_000_000

/** The fields that say what the model is asked. They are also all fields of a count of tokens. */
const askedFields = [
  'model',
  'messages',
  'system',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'output_format',
  'cache_control',
  'speed',
  'context_management',
  'mcp_servers',
] as const
const known: readonly string[] = [
  ...askedFields,
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'metadata',
  'service_tier',
  'inference_geo',
  'stream',
  'thread',
  ceilingField,
  ...preferenceFields,
]
const refused: Readonly<Record<string, string>> = {
  container: 'The gateway keeps no containers of the vendor. Run code with a tool of your own.',
  compaction: 'Summarize the conversation yourself and send the summary.',
  fallbacks: 'Name a tier as the model: a tier is a list of models in their order.',
  fallback_credit_token: 'The gateway has an account of its own at the vendor.',
  billing_policy: 'The gateway has an account of its own at the vendor.',
  user_profile_id: 'The gateway has an account of its own at the vendor.',
  workspace_id: 'The gateway has an account of its own at the vendor.',
  diagnostics: 'The usage of each answer says what was read from the cache.',
}

export interface MessagesRequest {
  readonly request: ModelRequest
  /** The search that the gateway runs itself. */
  readonly search: ToolsRead['search']
  /** The request that follows a round with searches: `content` are the blocks of the answer so far. */
  continued(content: readonly ChatFields[]): ModelRequest
}

const offersNothing: DescribeHosted = () => undefined

/** Throws `bad_request` for the first invalid field; `param` names the field. */
export const readMessagesRequest = (body: unknown): ModelRequest =>
  readMessages(body, offersNothing).request

/** The same, with the search that the gateway sells. */
export function readMessages(body: unknown, describeHosted: DescribeHosted): MessagesRequest {
  const sent = requireBody(body)
  const { search, ...read } = readRequest(sent, describeHosted)
  return {
    search,
    request: newModelRequest(read),
    continued(content) {
      const messages = [...sent.messages, { role: 'assistant', content }]
      const next = { ...sent, messages, tool_choice: choiceAfterSearch(sent.tool_choice) }
      return newModelRequest(readRequest(next, describeHosted))
    },
  }
}

/** What was forced has been called. */
const choiceAfterSearch = (choice: unknown) =>
  isObject(choice) && (choice.type === 'any' || choice.name === 'web_search')
    ? { ...choice, type: 'auto', name: undefined }
    : choice

function readRequest(sent: ChatFields, describeHosted: DescribeHosted) {
  refuseThread(sent)
  requireKnown('', sent, known, refused)
  const maxTokens = readNumber('max_tokens', sent.max_tokens, [1, maxTokensMax], true)
  if (maxTokens === undefined)
    throw invalid('max_tokens', `max_tokens is required: a whole number from 1 to ${maxTokensMax}.`)
  readWord('service_tier', sent.service_tier, ['auto', 'standard_only'])
  readWord('inference_geo', sent.inference_geo, ['global', 'not_available'])
  const sampling = readSampling(sent)
  const stop = readStops(sent.stop_sequences)
  const user = readUser(sent.metadata)
  const asked = readAsked(sent, maxTokens, describeHosted)
  const { fields, native } = asked
  return {
    search: asked.search,
    model: readModelName(sent.model),
    stream: readBoolean('stream', sent.stream) ?? false,
    includeUsage: true,
    maxTokens,
    n: 1,
    maxCostMicros: readCeiling(sent[ceilingField], (message) => invalid(ceilingField, message)),
    promptCacheKey: undefined,
    preferences: readRoute(sent),
    fields: { ...fields, ...sampling, ...stop, ...user.fields },
    extended: true,
    fieldNames,
    ...asNative(
      fields,
      {
        ...native,
        ...sampling,
        ...(stop.stop === undefined ? {} : { stop_sequences: stop.stop }),
        ...user.native,
      },
      asked,
    ),
  } as const
}

const named = parametersBy({
  max_tokens: 'max_tokens',
  temperature: 'temperature',
  top_p: 'top_p',
  top_k: 'top_k',
  stop_sequences: 'stop',
  tools: 'tools',
  tool_choice: 'tool_choice',
  thinking: 'reasoning',
  output_format: 'response_format',
})
const parametersOf = (sent: ChatFields): readonly string[] => {
  const { effort, format } = isObject(sent.output_config) ? sent.output_config : {}
  return [
    ...named(sent),
    ...(effort == null ? [] : ['reasoning_effort']),
    ...(format == null ? [] : ['response_format']),
  ]
}

function readRoute(sent: ChatFields): RoutingPreferences | undefined {
  const read = readPreferences(sent, parametersOf)
  return read && { ...read, models: read.models.map(readModelName) }
}

/** The fields of a count of tokens, as a request that is never sent as it is. */
export function readCountRequest(
  body: unknown,
  describeHosted: DescribeHosted = offersNothing,
): ModelRequest {
  const sent = requireBody(body)
  requireKnown('', sent, askedFields, refused)
  const asked = readAsked(sent, maxTokensMax, describeHosted)
  const { fields, native } = asked
  return newModelRequest({
    model: readModelName(sent.model),
    stream: false,
    includeUsage: false,
    maxTokens: 1,
    n: 1,
    maxCostMicros: undefined,
    promptCacheKey: undefined,
    fields,
    extended: true,
    fieldNames,
    ...asNative(fields, native, asked),
  })
}

/**
 * The vendor gets the body as it came, unless it would not take it: then names are replaced for the call, and searches
 * are calls of a function.
 */
function asNative(
  fields: ChatFields,
  body: ChatFields,
  {
    dropped,
    nativeOnly: only,
    searches,
  }: Pick<ReturnType<typeof readAsked>, 'dropped' | 'nativeOnly' | 'searches'>,
): Pick<ModelRequest, 'native' | 'dropped'> {
  const named: readonly ChatFields[] = [
    ...(fields.tools ?? []),
    ...fields.messages.flatMap((message: ChatFields) => message.tool_calls ?? []),
  ]
  const allowed = named.every((tool) => anthropicTools.name.test(tool.function.name))
  return allowed && !searches
    ? { native: { wire: 'anthropic', body, ...(only.length === 0 ? {} : { only }) }, dropped }
    : { dropped: [...dropped, ...only] }
}

const fieldNames = { stop: 'stop_sequences', user: 'metadata.user_id', reasoning: 'thinking' }

function requireBody(body: unknown): ChatFields {
  if (isObject(body)) return body
  throw invalid('', 'The body must be a JSON object with model, max_tokens and messages.')
}

/** A client that is answered with this code sends the whole conversation instead. */
function refuseThread({ thread }: ChatFields) {
  if (thread == null) return
  throw fail('bad_request', {
    message:
      'thread is not accepted here: conversations are not kept. Send all messages in each request, without thread.',
    data: { param: 'thread', error_code: 'thread_unsupported_request', unsupported: [] },
  })
}

function readAsked(sent: ChatFields, maxTokens: number, describeHosted: DescribeHosted) {
  if (sent.mcp_servers != null && readList('mcp_servers', sent.mcp_servers, 100).length > 0)
    throw invalid(
      'mcp_servers',
      'mcp_servers is not accepted here: the gateway calls no MCP servers for a model. Offer their tools in tools, and call them yourself.',
    )
  readWord('speed', sent.speed, ['standard'])
  if (!isNoContextEdit(sent.context_management))
    throw invalid(
      'context_management',
      'context_management is not accepted here: messages are passed on as they are. Leave out what the model need not see.',
    )
  const mark = readCacheMark('cache_control', sent.cache_control)
  const system = sent.system == null ? '' : readSystem('system', sent.system)
  const tools = readToolFields(sent, describeHosted)
  const { search } = tools
  const turns = readTurns(sent.messages, search?.tool.name)
  const hasSearched = holdSearches(sent.messages)
  const thinking = readThinking(sent, maxTokens)
  const messages = system.length === 0 ? turns : [{ role: 'system', content: system }, ...turns]
  if (mark !== undefined) markLast(messages, mark)
  return {
    search,
    /** The model may search here, or has. */
    searches: search !== undefined || hasSearched,
    dropped:
      hasSearched && search === undefined
        ? [...tools.dropped, 'web_search_tool_result']
        : tools.dropped,
    nativeOnly: holdsCitations(sent.messages) ? ['citations'] : [],
    fields: { messages, ...tools.fields, ...thinking.fields },
    native: {
      ...(mark === undefined ? {} : { cache_control: mark }),
      ...(system.length === 0 ? {} : { system: sent.system }),
      messages: writeNativeMessages(sent.messages),
      ...tools.native,
      ...thinking.native,
    },
  }
}

/** Whether documents are to be cited, or were. Only the vendor's own models cite. */
function holdsCitations(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsCitations)
  if (!isObject(value)) return false
  const { citations, content } = value
  if (Array.isArray(citations) ? citations.length > 0 : citations?.enabled === true) return true
  return typeof content === 'object' && holdsCitations(content)
}

/** Marks the end of the conversation, as the vendor does for a mark of the whole request. */
function markLast(messages: ChatFields[], mark: ChatFields) {
  const last = messages.at(-1)
  if (last === undefined) return
  const { content } = last
  if (typeof content === 'string' && last.role !== 'tool' && content !== '')
    last.content = [{ type: 'text', text: content, cache_control: mark }]
  else if (Array.isArray(content) && last.role !== 'tool')
    last.content = content.map((part, place) =>
      place === content.length - 1 ? { ...part, cache_control: mark } : part,
    )
  else last.cache_control = mark
}

function readSampling(sent: ChatFields): ChatFields {
  const read = {
    temperature: readNumber('temperature', sent.temperature, [0, 1]),
    top_p: readNumber('top_p', sent.top_p, [0, 1]),
    top_k: readNumber('top_k', sent.top_k, [0, topKMax], true),
  }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined))
}

function readStops(stops: unknown): { stop?: string[] } {
  if (stops == null) return {}
  const all = readList('stop_sequences', stops, stopsMax).map((text, place) =>
    readString(`stop_sequences.${place}`, text, stopCharactersMax),
  )
  return all.length === 0 ? {} : { stop: all }
}

function readUser(metadata: unknown): { fields: ChatFields; native: ChatFields } {
  if (metadata == null) return { fields: {}, native: {} }
  const given = readObject('metadata', metadata)
  requireKnown('metadata', given, ['user_id'])
  if (given.user_id == null) return { fields: {}, native: {} }
  const user = readString('metadata.user_id', given.user_id, userCharactersMax)
  return { fields: { user }, native: { metadata: { user_id: user } } }
}
