import { splitDataAddress } from '#core/input/data-address.ts'
import type { ChatFields } from '../conversation/fields.ts'
import type { ModelRequest } from '../conversation/model-request.ts'
import { sealFromText } from '../conversation/seal.ts'
import { isOwnSeal, ownThoughts } from '../conversation/thoughts.ts'
import { fieldsFor, type ToolRule } from '../conversation/tool-forms.ts'
import { writeThinking } from './anthropic-thinking.ts'
import type { WireOptions } from './wire.ts'

/** The common format allows temperatures up to 2. */
const temperatureMax = 1
/** Models since Claude Opus 4.7 refuse sampling parameters. */
const fixedSampling = /^claude-[a-z]+-(?:4-(?:[7-9]|\d\d)|[5-9]|\d\d)\b/
const jsonOnly = 'Answer with one JSON object and nothing else.'

export const anthropicTools: ToolRule = {
  name: /^[A-Za-z0-9_-]{1,128}$/,
  nameLengthMax: 128,
  custom: false,
}

/** Fields without a counterpart (seed, penalties, logit_bias) are left out; docs/use/ says so. */
export function writeAnthropicRequest(request: ModelRequest, options: WireOptions): ChatFields {
  if (request.native?.wire === 'anthropic') return writeNative(request, options)
  const { maxTokens, stream } = request
  const { upstreamModel, extraFields } = options
  const fields = fieldsFor(request, anthropicTools)
  const system = fields.messages
    .filter(isSystem)
    .flatMap((message: ChatFields) => textParts(message.content))
    .filter((part: ChatFields) => !isBlank(part))
  if (fields.response_format?.type === 'json_object') system.push({ type: 'text', text: jsonOnly })
  const turns = writeTurns(
    fields.messages.filter((message: ChatFields) => !isSystem(message)),
    request,
    options.slug,
  )
  // At least one turn is required.
  if (turns.length === 0) turns.push({ role: 'user', content: system.splice(0) })
  const { stop, user } = fields
  const thinking = writeThinking(request, options)
  const format = writeFormat(fields.response_format)
  return {
    ...extraFields,
    model: upstreamModel,
    max_tokens: maxTokens,
    ...(system.length === 0 ? {} : { system }),
    messages: turns,
    ...(fixedSampling.test(upstreamModel) || thinking.thinking !== undefined
      ? {}
      : writeSampling(fields)),
    ...(stop === undefined ? {} : { stop_sequences: [stop].flat() }),
    ...(user === undefined ? {} : { metadata: { user_id: user } }),
    ...writeTools(fields),
    ...thinking,
    ...(format === undefined ? {} : { output_config: { ...thinking.output_config, format } }),
    ...(stream ? { stream: true } : {}),
  }
}

/** The caller's own body, with thoughts of other models left out. */
function writeNative(request: ModelRequest, { slug, upstreamModel, extraFields }: WireOptions) {
  const body = request.native?.body ?? {}
  return {
    ...extraFields,
    ...body,
    model: upstreamModel,
    max_tokens: request.maxTokens,
    messages: body.messages.flatMap((message: ChatFields) => {
      if (!Array.isArray(message.content)) return [message]
      const content = message.content.flatMap((block) => restoreBlock(block, request, slug))
      return content.length === 0 ? [] : [{ ...message, content }]
    }),
    stream: request.stream,
  }
}

function restoreBlock(block: ChatFields, request: ModelRequest, slug: string): ChatFields[] {
  const field = sealFields[block.type]
  if (field === undefined) return [block]
  const seal = sealFromText(String(block[field] ?? ''), 'anthropic')
  return isOwnSeal(seal, request, { wire: 'anthropic', slug })
    ? [{ ...block, [field]: seal.data }]
    : []
}

const sealFields: Readonly<Record<string, string>> = {
  thinking: 'signature',
  redacted_thinking: 'data',
}

interface AnthropicTurn {
  readonly role: string
  readonly content: ChatFields[]
}

const isBlank = ({ type, text }: ChatFields) => type === 'text' && text.trim() === ''
const isSystem = ({ role }: ChatFields) => role === 'system' || role === 'developer'

/** Tool results are user turns, and consecutive turns of one role are joined. Blank turns are left out. */
function writeTurns(
  messages: readonly ChatFields[],
  request: ModelRequest,
  slug: string,
): AnthropicTurn[] {
  const turns: AnthropicTurn[] = []
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = writeContent(message, request, slug)
    if (content.every(isBlank)) continue
    const last = turns.at(-1)
    if (last?.role === role) last.content.push(...content)
    else turns.push({ role, content })
  }
  return turns
}

function writeContent(message: ChatFields, request: ModelRequest, slug: string): ChatFields[] {
  if (message.role === 'tool')
    return [
      {
        type: 'tool_result',
        tool_use_id: writeCallId(message.tool_call_id),
        content: writeParts(message.content),
        ...(message.is_error === true ? { is_error: true } : {}),
        ...markOf(message),
      },
    ]
  const thoughts = ownThoughts(message, request, { wire: 'anthropic', slug }).map(
    ({ text, seal }) =>
      seal.hidden === true
        ? { type: 'redacted_thinking', data: seal.data }
        : { type: 'thinking', thinking: text, signature: seal.data },
  )
  const calls = (message.tool_calls ?? []).map(({ id, function: called, ...call }: ChatFields) => ({
    type: 'tool_use',
    id: writeCallId(id),
    name: called.name,
    input: readArguments(called.arguments),
    ...markOf(call),
  }))
  const text = message.content ?? message.refusal
  return [...thoughts, ...(text == null ? [] : writeParts(text)), ...calls]
}

/** What the vendor keeps for the next call. */
const markOf = ({ cache_control }: ChatFields) =>
  cache_control === undefined ? {} : { cache_control }

/** Ids of another model may contain characters that Anthropic refuses. */
function writeCallId(id: string): string {
  return id.replace(/[^\w-]/g, '_') || '_'
}

/** Anthropic refuses empty texts. */
function writeParts(content: string | readonly ChatFields[]): ChatFields[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return content.flatMap((part) => {
    if (part.type === 'image_url') return [writePicture(part)]
    return part.type === 'file' ? [writeDocument(part)] : textParts([part])
  })
}

function textParts(content: string | readonly ChatFields[]): ChatFields[] {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return parts
    .map((part: ChatFields) => ({
      type: 'text',
      text: part.text ?? part.refusal,
      ...markOf(part),
    }))
    .filter(({ text }) => text !== '')
}

function writePicture({ image_url: { url }, ...part }: ChatFields): ChatFields {
  return { type: 'image', source: writeSource(url), ...markOf(part) }
}

function writeSource(url: string): ChatFields {
  const address = splitDataAddress(url)
  return address === undefined
    ? { type: 'url', url }
    : { type: 'base64', media_type: address.mediaType, data: address.data }
}

function writeDocument({ file, ...part }: ChatFields): ChatFields {
  const title = file.filename === undefined ? {} : { title: file.filename }
  return {
    type: 'document',
    source: writeSource(file.file_data ?? file.file_url),
    ...title,
    ...markOf(part),
  }
}

function readArguments(text: string): unknown {
  try {
    const read = JSON.parse(text)
    return typeof read === 'object' && read !== null ? read : {}
  } catch {
    return {}
  }
}

/** Anthropic refuses temperature and top_p together. */
function writeSampling({ temperature, top_p, top_k }: ChatFields) {
  return {
    ...(temperature === undefined
      ? { top_p }
      : { temperature: Math.min(temperature, temperatureMax) }),
    top_k,
  }
}

function writeTools({ tools, tool_choice: choice, parallel_tool_calls: parallel }: ChatFields) {
  if (tools === undefined) return {}
  const type =
    typeof choice === 'object' ? 'tool' : choice === 'required' ? 'any' : (choice ?? 'auto')
  return {
    tools: tools.map(({ function: { name, description, parameters }, ...tool }: ChatFields) => ({
      name,
      ...(description === undefined ? {} : { description }),
      // The common format does not require a type.
      input_schema: { type: 'object', ...parameters },
      ...markOf(tool),
    })),
    tool_choice: {
      type,
      ...(type === 'tool' ? { name: choice.function.name } : {}),
      ...(parallel === false && type !== 'none' ? { disable_parallel_tool_use: true } : {}),
    },
  }
}

function writeFormat(format: ChatFields | undefined): ChatFields | undefined {
  return format?.type === 'json_schema'
    ? { type: 'json_schema', schema: format.json_schema.schema }
    : undefined
}
