// The body of POST /responses, checked field by field. Unknown fields are refused by name.

import { ceilingField, readCeiling } from '#core/ceiling.ts'
import {
  type ChatFields,
  invalid,
  isObject,
  readBoolean,
  readNumber,
  readText,
} from '../../conversation/fields.ts'
import type { DescribeHosted } from '../../conversation/hosted-calls.ts'
import { type ModelRequest, newModelRequest } from '../../conversation/model-request.ts'
import { parametersBy, preferenceFields, readPreferences } from '../../routing/preferences.ts'
import { type ReadItems, readItems } from './items.ts'
import { requireKnown } from './known-fields.ts'
import {
  readCount,
  readInclude,
  readMetadata,
  readReasoningOptions,
  readServiceTier,
  readStreamOptions,
  readTextOptions,
} from './options.ts'
import { type ReadTools, readTools } from './tools.ts'

/** Agents leave the limit out, and write whole files in one answer. */
const outputTokensDefault = 16_384
const outputTokensMax = 128_000
const toolCallsMax = 128
const modelCharactersMax = 200
const nameCharactersMax = 512

const refused: Readonly<Record<string, string>> = {
  conversation: 'Conversations are not kept here. Use previous_response_id.',
  prompt: 'Prompt templates are not kept here. Send instructions and input.',
  context_management: 'Send a shorter input instead.',
  moderation: 'Use POST /api/llm/v1/moderations.',
  access_programs: 'Access programs of a vendor are not sold here.',
  background_options: 'A background response is worked on at once.',
  prompt_cache_options: 'Mark parts of the input with prompt_cache_breakpoint.',
}
const known = [
  'model',
  'input',
  'instructions',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'max_tool_calls',
  'reasoning',
  'text',
  'include',
  'truncation',
  'max_output_tokens',
  'temperature',
  'top_p',
  'top_logprobs',
  'metadata',
  'client_metadata',
  'prompt_cache_key',
  'prompt_cache_retention',
  'safety_identifier',
  'user',
  'service_tier',
  'store',
  'stream',
  'stream_options',
  'background',
  'previous_response_id',
  ceilingField,
  ...preferenceFields,
]
/** The names of this surface for fields of the common format. */
const fieldNames = {
  messages: 'input',
  max_tokens: 'max_output_tokens',
  max_completion_tokens: 'max_output_tokens',
  response_format: 'text.format',
  verbosity: 'text.verbosity',
  reasoning_effort: 'reasoning.effort',
}

export interface ResponsesRequest extends Pick<ReadTools, 'names' | 'hosted' | 'forced'> {
  readonly request: ModelRequest
  /** The request after the gateway has run tools, which are among these items. */
  readonly continued: (output: readonly ChatFields[]) => ModelRequest
  /** Fields that the response repeats. */
  readonly echo: ChatFields
  /** The items of this request, without those of earlier responses. */
  readonly items: readonly ChatFields[]
  readonly include: ReadonlySet<string>
  readonly previousResponseId: string | undefined
  readonly store: boolean
  readonly background: boolean
  /** Calls of hosted tools. */
  readonly toolCallsMax: number | undefined
}

/** What a request says before its history is known. */
export interface RequestLinks {
  readonly previousResponseId: string | undefined
  readonly items: readonly ChatFields[]
}

/** Throws `bad_request` for a body that is not a request at all. */
export function readLinks(body: unknown): RequestLinks & { readonly sent: ChatFields } {
  if (!isObject(body)) throw invalid('', 'The body must be a JSON object with model and input.')
  const { input, previous_response_id: previous } = body
  const previousResponseId =
    previous == null ? undefined : readText(previous, 'previous_response_id', nameCharactersMax)
  if (input == null && previousResponseId === undefined)
    throw invalid('input', 'input must be a text or a list of items.')
  return { sent: body, previousResponseId, items: readInput(input) }
}

function readInput(input: unknown): ChatFields[] {
  if (input == null) return []
  if (typeof input === 'string')
    return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: input }] }]
  if (!Array.isArray(input)) throw invalid('input', 'input must be a text or a list of items.')
  return input.map((item, place) => {
    if (isObject(item)) return item
    throw invalid(`input[${place}]`, `input[${place}] must be an object with a type.`)
  })
}

/**
 * `history` is what came before the items of this request. Throws `bad_request` for the first invalid field; `param`
 * names it.
 */
export function readResponsesRequest(
  { sent, items, previousResponseId }: ReturnType<typeof readLinks>,
  history: readonly ChatFields[],
  describeHosted: DescribeHosted,
): ResponsesRequest {
  for (const name of Object.keys(refused))
    if (sent[name] != null) throw invalid(name, `${name} is not accepted here. ${refused[name]}`)
  requireKnown(sent, known, '')
  const model = readModel(sent.model)
  const tools = readTools(sent, describeHosted)
  const read = readItems([...history, ...items], tools)
  const instructions =
    sent.instructions == null ? undefined : readText(sent.instructions, 'instructions')
  const stream = readBoolean('stream', sent.stream) ?? false
  const background = readBoolean('background', sent.background) ?? false
  const store = readBoolean('store', sent.store) ?? true
  if (background && stream)
    throw invalid(
      'stream',
      'A background response does not stream. Read it at GET /responses/{id}.',
    )
  readStreamOptions(sent.stream_options, stream)
  readUnseen(sent)
  const metadata = readMetadata(sent.metadata)
  const maxTokens = readCount('max_output_tokens', sent.max_output_tokens, outputTokensMax)
  const before =
    instructions === undefined || instructions === ''
      ? []
      : [{ role: 'system', content: instructions }]
  const sampling = readSampling(sent, tools)
  const options = {
    model,
    stream,
    includeUsage: true,
    maxTokens: maxTokens ?? outputTokensDefault,
    n: 1,
    maxCostMicros: readCeiling(sent[ceilingField], (message) => invalid(ceilingField, message)),
    promptCacheKey: readName('prompt_cache_key', sent.prompt_cache_key),
    preferences: readPreferences(sent, parametersOf),
    extended: true,
    fieldNames,
  } as const
  function requestWith({ messages, dropped }: ReadItems, called: ChatFields): ModelRequest {
    const all = [...before, ...messages]
    if (all.length === 0) throw invalid('input', 'input must have at least one message.')
    return newModelRequest({
      ...options,
      fields: { messages: all, ...sampling, ...called },
      dropped: [
        ...(sent.truncation === 'auto' ? ['truncation'] : []),
        ...tools.dropped,
        ...dropped,
      ],
    })
  }
  const request = requestWith(read, tools.fields)
  return {
    ...tools,
    request,
    continued(output) {
      const { tool_choice: choice, ...offered } = tools.fields
      const isDone = tools.forced !== undefined || choice === 'required' || choice === undefined
      const called = isDone ? offered : { ...offered, tool_choice: choice }
      return requestWith(readItems([...history, ...items, ...output], tools), called)
    },
    echo: echoOf(sent, { metadata, maxTokens, background, instructions }),
    items,
    include: readInclude(sent.include),
    previousResponseId,
    store,
    background,
    toolCallsMax: readCount('max_tool_calls', sent.max_tool_calls, toolCallsMax),
  }
}

const named = parametersBy({
  max_output_tokens: 'max_tokens',
  temperature: 'temperature',
  top_p: 'top_p',
  tools: 'tools',
  tool_choice: 'tool_choice',
  parallel_tool_calls: 'parallel_tool_calls',
  reasoning: 'reasoning',
})
const parametersOf = (sent: ChatFields): readonly string[] => {
  const { format, verbosity } = isObject(sent.text) ? sent.text : {}
  return [
    ...named(sent),
    ...(format == null ? [] : ['response_format']),
    ...(verbosity == null ? [] : ['verbosity']),
  ]
}

function readModel(model: unknown): string {
  if (typeof model !== 'string' || model === '' || model.length > modelCharactersMax)
    throw invalid('model', 'model must name a model or a tier. GET /api/llm/v1/models lists them.')
  return model
}

function readName(name: string, value: unknown): string | undefined {
  return value == null ? undefined : readText(value, name, nameCharactersMax)
}

/** Fields that no model is told of. */
function readUnseen(sent: ChatFields): void {
  readServiceTier(sent.service_tier)
  readName('safety_identifier', sent.safety_identifier)
  if (sent.client_metadata != null && !isObject(sent.client_metadata))
    throw invalid('client_metadata', 'client_metadata must be an object.')
  const retention = sent.prompt_cache_retention
  if (retention != null && retention !== 'in_memory')
    throw invalid('prompt_cache_retention', 'Only the cache retention in_memory is sold here.')
  const truncation = sent.truncation
  if (truncation != null && truncation !== 'disabled' && truncation !== 'auto')
    throw invalid('truncation', 'truncation must be disabled or auto.')
  if ((readNumber('top_logprobs', sent.top_logprobs, [0, 20], true) ?? 0) > 0)
    throw invalid('top_logprobs', 'Log probabilities are given by chat/completions only.')
}

function readSampling(sent: ChatFields, tools: ReadTools): ChatFields {
  const fields: ChatFields = { ...readTextOptions(sent.text) }
  const put = (name: string, value: unknown) => {
    if (value !== undefined) fields[name] = value
  }
  put('temperature', readNumber('temperature', sent.temperature, [0, 2]))
  put('top_p', readNumber('top_p', sent.top_p, [0, 1]))
  put('reasoning', readReasoningOptions(sent.reasoning))
  put('user', readName('user', sent.user))
  const parallel = readBoolean('parallel_tool_calls', sent.parallel_tool_calls)
  if (tools.fields.tools !== undefined) put('parallel_tool_calls', parallel)
  return fields
}

function echoOf(
  sent: ChatFields,
  read: {
    readonly metadata: ChatFields | undefined
    readonly maxTokens: number | undefined
    readonly background: boolean
    readonly instructions: string | undefined
  },
): ChatFields {
  const { effort = null, summary = null } = sent.reasoning ?? {}
  return {
    background: read.background,
    instructions: read.instructions ?? null,
    max_output_tokens: read.maxTokens ?? null,
    max_tool_calls: sent.max_tool_calls ?? null,
    metadata: read.metadata ?? {},
    parallel_tool_calls: sent.parallel_tool_calls ?? true,
    previous_response_id: sent.previous_response_id ?? null,
    prompt_cache_key: sent.prompt_cache_key ?? null,
    reasoning: { effort, summary },
    safety_identifier: sent.safety_identifier ?? null,
    service_tier: 'default',
    temperature: sent.temperature ?? 1,
    text: { format: { type: 'text' }, ...sent.text },
    tool_choice: sent.tool_choice ?? 'auto',
    tools: sent.tools ?? [],
    top_logprobs: 0,
    top_p: sent.top_p ?? 1,
    truncation: sent.truncation ?? 'disabled',
    user: sent.user ?? null,
  }
}
