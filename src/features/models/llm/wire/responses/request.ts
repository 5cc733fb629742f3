// Requests for OpenAI's Responses API. Nothing is stored at the vendor, so reasoning comes back encrypted.
// Source: https://platform.openai.com/docs/api-reference/responses/create
import { createHash } from 'node:crypto'
import type { ChatFields } from '../../conversation/fields.ts'
import { fieldName, holdsParts, type ModelRequest } from '../../conversation/model-request.ts'
import { sealFromText } from '../../conversation/seal.ts'
import { dropsThoughts, effortOf, isOwnSeal, ownThoughts } from '../../conversation/thoughts.ts'
import { fieldsFor, type ToolRule } from '../../conversation/tool-forms.ts'
import type { WireOptions } from '../wire.ts'

export const responsesTools: ToolRule = {
  name: /^[A-Za-z0-9_-]{1,64}$/,
  nameLengthMax: 64,
  custom: true,
}
const callIdLengthMax = 64
const encrypted = 'reasoning.encrypted_content'
/** Fields of the common format that this API does not have. */
const unknownFields = [
  'stop',
  'seed',
  'logit_bias',
  'presence_penalty',
  'frequency_penalty',
  'repetition_penalty',
  'top_k',
  'top_a',
  'min_p',
]

export function cannotBeResponse(request: ModelRequest): string | undefined {
  if (request.n > 1) return `gives only one choice: omit ${fieldName(request, 'n')}`
  if (request.wantsLogprobs && request.native?.wire !== 'responses')
    return `gives no log probabilities: omit ${fieldName(request, 'logprobs')}`
  if (holdsParts(request, ['input_audio'])) return 'takes no audio: send the words as text'
  const sent = unknownFields.filter((field) => request.fields[field] !== undefined)
  const names = sent.map((field) => fieldName(request, field)).join(', ')
  return names === '' ? undefined : `does not take ${names}: omit ${names}`
}

export function droppedFromResponse(
  request: ModelRequest,
  { slug, mayThink }: Pick<WireOptions, 'slug' | 'mayThink'>,
): string[] {
  const isNative = request.native?.wire === 'responses'
  const wished = request.extended === true && effortAsked(request) !== undefined
  return [
    ...(dropsThoughts(request, { wire: 'responses', slug }) ? ['thoughts'] : []),
    ...(!isNative && wished && !mayThink ? ['reasoning'] : []),
  ]
}

export function writeResponsesRequest(request: ModelRequest, options: WireOptions): ChatFields {
  const { upstreamModel, cacheKey, extraFields } = options
  const common = {
    model: upstreamModel,
    max_output_tokens: request.maxTokens,
    store: false,
    stream: request.stream,
  }
  if (request.native?.wire === 'responses')
    return { ...extraFields, ...writeNative(request, options), ...common }
  const fields = fieldsFor(request, responsesTools)
  const { temperature, top_p, parallel_tool_calls, user } = fields
  return {
    ...extraFields,
    ...common,
    input: writeInput(fields.messages, request, options.slug),
    include: [encrypted],
    temperature,
    top_p,
    parallel_tool_calls,
    safety_identifier: user,
    prompt_cache_key: cacheKey,
    ...writeReasoning(request, options),
    ...writeText(fields),
    ...writeTools(fields),
  }
}

/** The caller's own body. Reasoning of other models is left out. */
function writeNative(request: ModelRequest, { slug }: WireOptions): ChatFields {
  const body = request.native?.body ?? {}
  const input = Array.isArray(body.input)
    ? body.input.flatMap((item) => restoreItem(item, request, slug))
    : body.input
  return { ...body, input, include: [...new Set([...(body.include ?? []), encrypted])] }
}

function restoreItem(item: ChatFields, request: ModelRequest, slug: string): ChatFields[] {
  if (item.type !== 'reasoning') return [item]
  // The vendor knows an item without its content only if it has stored it.
  if (typeof item.encrypted_content !== 'string') return []
  const { data, ...made } = sealFromText(item.encrypted_content, 'responses')
  return isOwnSeal({ data, ...made }, request, { wire: 'responses', slug })
    ? [{ ...item, encrypted_content: data }]
    : []
}

function writeInput(
  messages: readonly ChatFields[],
  request: ModelRequest,
  slug: string,
): ChatFields[] {
  const customs = new Set<string>()
  return messages.flatMap((message) => {
    if (message.role === 'tool') return [writeResult(message, customs)]
    if (message.role === 'assistant') return writeTurn(message, request, slug, customs)
    const content = partsOf(message.content).map(writeInputPart)
    return [{ type: 'message', role: message.role, content }]
  })
}

function writeTurn(
  message: ChatFields,
  request: ModelRequest,
  slug: string,
  customs: Set<string>,
): ChatFields[] {
  const thoughts = ownThoughts(message, request, { wire: 'responses', slug }).map(
    ({ text, seal }) => ({
      type: 'reasoning',
      ...(seal.id === undefined ? {} : { id: seal.id }),
      summary: text === '' ? [] : [{ type: 'summary_text', text }],
      encrypted_content: seal.data,
    }),
  )
  const content = [
    ...partsOf(message.content ?? []).map(writeOutputPart),
    ...(message.refusal == null ? [] : [{ type: 'refusal', refusal: message.refusal }]),
  ]
  const calls = (message.tool_calls ?? []).map((call: ChatFields) => {
    const call_id = writeCallId(call.id)
    if (call.type !== 'custom') return { type: 'function_call', call_id, ...call.function }
    customs.add(call.id)
    return { type: 'custom_tool_call', call_id, ...call.custom }
  })
  return [
    ...thoughts,
    ...(content.length === 0 ? [] : [{ type: 'message', role: 'assistant', content }]),
    ...calls,
  ]
}

function writeResult(message: ChatFields, customs: ReadonlySet<string>): ChatFields {
  const parts = partsOf(message.content)
  const texts = message.is_error === true ? [{ type: 'text', text: 'Error:' }, ...parts] : parts
  const isText = texts.every(({ type }) => type === 'text')
  return {
    type: customs.has(message.tool_call_id) ? 'custom_tool_call_output' : 'function_call_output',
    call_id: writeCallId(message.tool_call_id),
    output: isText ? texts.map(({ text }) => text).join('\n') : texts.map(writeInputPart),
  }
}

const partsOf = (content: string | readonly ChatFields[]): readonly ChatFields[] =>
  typeof content === 'string' ? (content === '' ? [] : [{ type: 'text', text: content }]) : content

function writeInputPart({ type, text, image_url: image, file }: ChatFields): ChatFields {
  if (type === 'image_url')
    return { type: 'input_image', image_url: image.url, detail: image.detail ?? 'auto' }
  return type === 'file' ? { type: 'input_file', ...file } : { type: 'input_text', text }
}

const writeOutputPart = ({ type, text, refusal }: ChatFields): ChatFields =>
  type === 'refusal' ? { type, refusal } : { type: 'output_text', text, annotations: [] }

/** Ids of other vendors may be longer. */
function writeCallId(id: string): string {
  return id.length <= callIdLengthMax
    ? id
    : `call_${createHash('sha256').update(id).digest('hex').slice(0, 40)}`
}

/** The effort that the caller asks for, in whichever field. */
function effortAsked({ fields }: ModelRequest): string | undefined {
  const { reasoning_effort, reasoning } = fields
  if (reasoning_effort !== undefined) return reasoning_effort
  if (reasoning === undefined) return undefined
  const { effort, max_tokens: budget, enabled } = reasoning
  if (effort != null) return effort
  if (enabled === false) return 'none'
  return budget == null ? undefined : effortOf(budget)
}

function writeReasoning(request: ModelRequest, { mayThink }: WireOptions): ChatFields {
  if (request.extended && !mayThink) return {}
  const effort = effortAsked(request)
  const summary = request.fields.reasoning?.summary
  return effort === undefined && summary == null ? {} : { reasoning: { effort, summary } }
}

function writeText({ response_format: format, verbosity }: ChatFields): ChatFields {
  if (format === undefined && verbosity === undefined) return {}
  const written =
    format?.type === 'json_schema' ? { type: format.type, ...format.json_schema } : format
  return { text: { format: written, verbosity } }
}

function writeTools({ tools, tool_choice: choice }: ChatFields): ChatFields {
  if (tools === undefined) return {}
  return {
    tools: tools.map(({ type, function: called, custom }: ChatFields) =>
      type === 'custom'
        ? { type, ...custom }
        : // Schemas are strict here unless the request says otherwise.
          {
            type,
            name: called.name,
            description: called.description,
            parameters: called.parameters ?? { type: 'object', properties: {} },
            strict: called.strict ?? false,
          },
    ),
    tool_choice:
      typeof choice === 'object'
        ? { type: choice.type, name: (choice.custom ?? choice.function).name }
        : choice,
  }
}
