// Requests for Google's own Gemini API.
// Source: https://ai.google.dev/api/generate-content and .../gemini-api/docs/thought-signatures
import { splitDataAddress } from '#core/input/data-address.ts'
import type { ChatFields } from '../../conversation/fields.ts'
import { fieldName, type ModelRequest } from '../../conversation/model-request.ts'
import { budgetOf, dropsThoughts, effortOf, ownThoughts } from '../../conversation/thoughts.ts'
import { fieldsFor, type ToolRule } from '../../conversation/tool-forms.ts'
import type { WireOptions } from '../wire.ts'

export const geminiTools: ToolRule = {
  name: /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/,
  nameLengthMax: 64,
  custom: false,
}
/** Models since Gemini 3 are told a level instead of a budget, and refuse calls in the history without a signature. */
const newer = /^gemini-(?:[3-9]|\d\d)/
/** The vendor's own word for a call that no model of its own made. */
const unsigned = 'skip_thought_signature_validator'
/** Fields of the common format that this API does not have. */
const unknownFields = ['logit_bias', 'repetition_penalty', 'top_a', 'min_p']

export function cannotBeContents(request: ModelRequest): string | undefined {
  if (request.wantsLogprobs)
    return `gives no log probabilities: omit ${fieldName(request, 'logprobs')}`
  if (urlsOf(request.fields.messages).some((url) => !url.startsWith('data:')))
    return 'takes pictures and files only as base64: send them as data URLs'
  const sent = unknownFields.filter((field) => request.fields[field] !== undefined)
  const names = sent.map((field) => fieldName(request, field)).join(', ')
  return names === '' ? undefined : `does not take ${names}: omit ${names}`
}

export function droppedFromContents(
  request: ModelRequest,
  { slug, mayThink }: Pick<WireOptions, 'slug' | 'mayThink'>,
): string[] {
  const { fields } = request
  return [
    ...(dropsThoughts(request, { wire: 'gemini', slug }) ? ['thoughts'] : []),
    ...(effortAsked(request) !== undefined && !mayThink ? ['reasoning'] : []),
    ...(fields.parallel_tool_calls === false ? ['parallel_tool_calls'] : []),
    ...(fields.verbosity === undefined ? [] : ['verbosity']),
  ]
}

export function writeGeminiRequest(request: ModelRequest, options: WireOptions): ChatFields {
  const fields = fieldsFor(request, geminiTools)
  const system = fields.messages
    .filter(isSystem)
    .flatMap((message: ChatFields) => writeParts(message.content))
  const turns = fields.messages.filter((message: ChatFields) => !isSystem(message))
  const contents = writeContents(turns, request, options)
  // At least one turn is required.
  if (contents.length === 0) contents.push({ role: 'user', parts: system.splice(0) })
  return {
    ...options.extraFields,
    contents,
    ...(system.length === 0 ? {} : { systemInstruction: { parts: system } }),
    ...writeTools(fields),
    generationConfig: {
      maxOutputTokens: request.maxTokens,
      ...(request.n > 1 ? { candidateCount: request.n } : {}),
      temperature: fields.temperature,
      topP: fields.top_p,
      topK: fields.top_k,
      seed: fields.seed,
      presencePenalty: fields.presence_penalty,
      frequencyPenalty: fields.frequency_penalty,
      ...(fields.stop === undefined ? {} : { stopSequences: [fields.stop].flat() }),
      ...writeFormat(fields.response_format),
      ...writeThinking(request, options),
    },
  }
}

const isSystem = ({ role }: ChatFields) => role === 'system' || role === 'developer'

interface Content {
  readonly role: 'user' | 'model'
  readonly parts: ChatFields[]
}

/** Results of calls are turns of the user. Consecutive turns of one role are joined. */
function writeContents(
  messages: readonly ChatFields[],
  request: ModelRequest,
  options: WireOptions,
): Content[] {
  const names = new Map<string, string>()
  const contents: Content[] = []
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'model' : 'user'
    for (const { id, function: called } of message.tool_calls ?? []) names.set(id, called.name)
    const parts =
      message.role === 'tool'
        ? writeResult(message, names)
        : role === 'model'
          ? writeTurn(message, request, options)
          : writeParts(message.content)
    if (parts.length === 0) continue
    const last = contents.at(-1)
    if (last?.role === role) last.parts.push(...parts)
    else contents.push({ role, parts })
  }
  return contents
}

/** A signature goes back in the part in which it came. */
function writeTurn(
  message: ChatFields,
  request: ModelRequest,
  { slug, upstreamModel }: WireOptions,
): ChatFields[] {
  const seals = ownThoughts(message, request, { wire: 'gemini', slug })
  const signature = (place: string) => seals.findLast(({ seal }) => seal.id === place)?.seal.data
  const thoughts = seals
    .filter(({ seal }) => seal.id === 'thought')
    .map(({ text, seal }) => ({ text, thought: true, thoughtSignature: seal.data }))
  const calls = (message.tool_calls ?? []).map(
    ({ id, function: called }: ChatFields, index: number) => ({
      functionCall: { id, name: called.name, args: readArguments(called.arguments) },
      thoughtSignature:
        signature(`call:${index}`) ??
        (index === 0 && newer.test(upstreamModel) ? unsigned : undefined),
    }),
  )
  const text = writeParts(message.content ?? message.refusal ?? '')
  const last = text.pop()
  const signed = last === undefined ? [] : [{ ...last, thoughtSignature: signature('text') }]
  return [...thoughts, ...text, ...signed, ...calls]
}

function writeResult(message: ChatFields, names: ReadonlyMap<string, string>): ChatFields[] {
  const { tool_call_id: id, content, is_error: isError } = message
  const parts = writeParts(content)
  const text = parts.map((part) => part.text).filter((piece) => piece !== undefined)
  const others = parts.filter((part) => part.text === undefined)
  const response = { [isError === true ? 'error' : 'output']: text.join('\n') }
  return [{ functionResponse: { id, name: names.get(id) ?? id, response } }, ...others]
}

function writeParts(content: string | readonly ChatFields[]): ChatFields[] {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return parts.flatMap((part: ChatFields) => {
    switch (part.type) {
      case 'image_url':
        return [writeData(part.image_url.url)]
      case 'file':
        return [writeData(part.file.file_data ?? part.file.file_url)]
      case 'input_audio': {
        const { data, format } = part.input_audio
        return [{ inlineData: { mimeType: `audio/${format}`, data } }]
      }
      default: {
        const text = part.text ?? part.refusal ?? ''
        return text === '' ? [] : [{ text }]
      }
    }
  })
}

function writeData(url: string): ChatFields {
  const { mediaType: mimeType, data } = splitDataAddress(url) ?? {}
  return { inlineData: { mimeType, data } }
}

/** The addresses of pictures and files. */
function urlsOf(messages: readonly ChatFields[]): string[] {
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []))
  return parts.flatMap(({ type, image_url: image, file }: ChatFields) => {
    if (type === 'image_url') return [image.url]
    return type === 'file' ? [file.file_data ?? file.file_url] : []
  })
}

function readArguments(text: string): unknown {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? read : {}
  } catch {
    return {}
  }
}

const modes: Readonly<Record<string, string>> = { none: 'NONE', auto: 'AUTO', required: 'ANY' }

function writeTools({ tools, tool_choice: choice }: ChatFields): ChatFields {
  if (tools === undefined) return {}
  const functionCallingConfig =
    typeof choice === 'object'
      ? { mode: 'ANY', allowedFunctionNames: [choice.function.name] }
      : { mode: modes[choice ?? 'auto'] }
  return {
    tools: [
      {
        functionDeclarations: tools.map(
          ({ function: { name, description, parameters } }: ChatFields) => ({
            name,
            description,
            parametersJsonSchema: parameters,
          }),
        ),
      },
    ],
    toolConfig: { functionCallingConfig },
  }
}

function writeFormat(format: ChatFields | undefined): ChatFields {
  if (format === undefined || format.type === 'text') return {}
  const responseMimeType = 'application/json'
  return format.type === 'json_schema'
    ? { responseMimeType, responseJsonSchema: format.json_schema.schema }
    : { responseMimeType }
}

/** The effort that the caller asks for, in whichever field. */
function effortAsked({ fields }: ModelRequest): string | undefined {
  const { reasoning_effort, reasoning = {} } = fields
  const { effort, max_tokens: budget, enabled } = reasoning
  if (reasoning_effort !== undefined || effort != null) return reasoning_effort ?? effort
  if (enabled === false) return 'none'
  if (budget != null) return effortOf(budget)
  return enabled === true ? 'medium' : undefined
}

const levels: Readonly<Record<string, string>> = {
  none: 'MINIMAL',
  minimal: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
}

function writeThinking(
  request: ModelRequest,
  { upstreamModel, mayThink }: WireOptions,
): ChatFields {
  const effort = effortAsked(request)
  if (effort === undefined || !mayThink) return {}
  const { exclude, max_tokens: budget } = request.fields.reasoning ?? {}
  const includeThoughts = exclude !== true && effort !== 'none'
  return newer.test(upstreamModel)
    ? { thinkingConfig: { includeThoughts, thinkingLevel: levels[effort] ?? 'HIGH' } }
    : {
        thinkingConfig: {
          includeThoughts,
          thinkingBudget: effort === 'none' ? 0 : (budget ?? budgetOf(effort)),
        },
      }
}
