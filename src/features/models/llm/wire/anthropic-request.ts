import type { ChatFields } from '../request/fields.ts'
import type { ChatRequest } from '../request/request.ts'
import type { WireOptions } from './wire.ts'

/** The common format allows temperatures up to 2. */
const temperatureMax = 1
/** Models since Claude Opus 4.7 refuse sampling parameters. */
const fixedSampling = /^claude-[a-z]+-(?:4-(?:[7-9]|\d\d)|[5-9]|\d\d)\b/
const jsonOnly = 'WholeAnswer with one JSON object and nothing else.'

/** Fields without a counterpart (seed, penalties, logit_bias, reasoning) are left out; docs/use/ says so. */
export function writeAnthropicRequest(
  { fields, maxTokens, stream }: ChatRequest,
  { upstreamModel, extraFields }: WireOptions,
): ChatFields {
  const system = fields.messages
    .filter(isSystem)
    .flatMap((message: ChatFields) => textParts(message.content))
    .filter((part: ChatFields) => !isBlank(part))
  if (fields.response_format?.type === 'json_object') system.push({ type: 'text', text: jsonOnly })
  const turns = writeTurns(fields.messages.filter((message: ChatFields) => !isSystem(message)))
  // At least one turn is required.
  if (turns.length === 0) turns.push({ role: 'user', content: system.splice(0) })
  const { stop, user } = fields
  return {
    ...extraFields,
    model: upstreamModel,
    max_tokens: maxTokens,
    ...(system.length === 0 ? {} : { system }),
    messages: turns,
    ...(fixedSampling.test(upstreamModel) ? {} : writeSampling(fields)),
    ...(stop === undefined ? {} : { stop_sequences: [stop].flat() }),
    ...(user === undefined ? {} : { metadata: { user_id: user } }),
    ...writeTools(fields),
    ...writeFormat(fields.response_format),
    ...(stream ? { stream: true } : {}),
  }
}

interface AnthropicTurn {
  readonly role: string
  readonly content: ChatFields[]
}

const isBlank = ({ type, text }: ChatFields) => type === 'text' && text.trim() === ''
const isSystem = ({ role }: ChatFields) => role === 'system' || role === 'developer'

/** Tool results are user turns, and consecutive turns of one role are joined. Blank turns are left out. */
function writeTurns(messages: readonly ChatFields[]): AnthropicTurn[] {
  const turns: AnthropicTurn[] = []
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = writeContent(message)
    if (content.every(isBlank)) continue
    const last = turns.at(-1)
    if (last?.role === role) last.content.push(...content)
    else turns.push({ role, content })
  }
  return turns
}

function writeContent(message: ChatFields): ChatFields[] {
  if (message.role === 'tool')
    return [
      {
        type: 'tool_result',
        tool_use_id: writeCallId(message.tool_call_id),
        content: writeParts(message.content),
      },
    ]
  const calls = (message.tool_calls ?? []).map(({ id, function: called }: ChatFields) => ({
    type: 'tool_use',
    id: writeCallId(id),
    name: called.name,
    input: readArguments(called.arguments),
  }))
  const text = message.content ?? message.refusal
  return [...(text == null ? [] : writeParts(text)), ...calls]
}

/** Ids of another model may contain characters that Anthropic refuses. */
function writeCallId(id: string): string {
  return id.replace(/[^\w-]/g, '_') || '_'
}

/** Anthropic refuses empty texts. */
function writeParts(content: string | readonly ChatFields[]): ChatFields[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return content.flatMap((part) =>
    part.type === 'image_url' ? [writePicture(part)] : textParts([part]),
  )
}

function textParts(content: string | readonly ChatFields[]): ChatFields[] {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return parts
    .map((part: ChatFields) => ({
      type: 'text',
      text: part.text ?? part.refusal,
      ...(part.cache_control === undefined ? {} : { cache_control: part.cache_control }),
    }))
    .filter(({ text }) => text !== '')
}

function writePicture({ image_url: { url }, cache_control }: ChatFields): ChatFields {
  const data = /^data:([^;]+);base64,(.*)$/s.exec(url)
  return {
    type: 'image',
    source:
      data === null ? { type: 'url', url } : { type: 'base64', media_type: data[1], data: data[2] },
    ...(cache_control === undefined ? {} : { cache_control }),
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
    tools: tools.map(({ function: { name, description, parameters } }: ChatFields) => ({
      name,
      ...(description === undefined ? {} : { description }),
      // The common format does not require a type.
      input_schema: { type: 'object', ...parameters },
    })),
    tool_choice: {
      type,
      ...(type === 'tool' ? { name: choice.function.name } : {}),
      ...(parallel === false && type !== 'none' ? { disable_parallel_tool_use: true } : {}),
    },
  }
}

function writeFormat(format: ChatFields | undefined): ChatFields {
  if (format?.type !== 'json_schema') return {}
  return { output_config: { format: { type: 'json_schema', schema: format.json_schema.schema } } }
}
