// Turns a caller's body into a request that can be priced and passed on. Only fields of the allow-list are kept.
import { ceilingField, readCeiling } from '#core/ceiling.ts'
import { membersOf } from '#core/input/members.ts'
import {
  type ChatFields,
  invalid,
  isObject,
  readBoolean,
  readNumber,
  readWord,
  requireShallow,
} from '../../conversation/fields.ts'
import { type ModelRequest, newModelRequest } from '../../conversation/model-request.ts'
import { readPreferences } from '../../routing/preferences.ts'
import { readMessages } from './messages.ts'
import { readTools } from './tools.ts'

const maxTokensDefault = 4_096
const maxTokensMax = 16_384
const choicesMax = 8
const stopsMax = 4
const stopCharactersMax = 1_000
const logitBiasMax = 300
const userCharactersMax = 512
const cacheKeyCharactersMax = 512
const metadataMax = 16
const modelCharactersMax = 200

/** Fields that would change the model, price or route after the hold. */
const refused: Readonly<Record<string, string>> = {
  route: 'Name models to fall back on in models, and providers in provider.',
  transforms: 'Messages are passed on unchanged.',
  plugins: 'Plugins are not billed by tokens and are not sold here.',
  web_search_options: 'Searches are not billed by tokens; use a search action.',
  audio: 'Answers are text only.',
  prediction: 'Predicted output is billed beyond max_tokens and is not sold here.',
  functions: 'Use tools.',
  function_call: 'Use tool_choice.',
}

const numbers: Readonly<Record<string, readonly [least: number, most: number]>> = {
  temperature: [0, 2],
  top_p: [0, 1],
  min_p: [0, 1],
  top_a: [0, 1],
  presence_penalty: [-2, 2],
  frequency_penalty: [-2, 2],
  repetition_penalty: [0, 2],
}
const integers: Readonly<Record<string, readonly [least: number, most: number]>> = {
  top_k: [0, 1_000_000],
  seed: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  top_logprobs: [0, 20],
}
const booleans = ['logprobs', 'parallel_tool_calls', 'include_reasoning'] as const
const words: Readonly<Record<string, readonly string[]>> = {
  reasoning_effort: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
  verbosity: ['low', 'medium', 'high'],
}

/** Fields of a request that are not parameters of a model, or that the gateway itself sees to. */
const notParameters: ReadonlySet<string> = new Set([
  'model',
  'models',
  'provider',
  'messages',
  'stream',
  'stream_options',
  'n',
  'user',
  'metadata',
  'store',
  'max_cost_cents',
  'prompt_cache_key',
  'service_tier',
  'modalities',
])
const parametersOf = (sent: ChatFields): readonly string[] =>
  Object.keys(sent).filter((name) => sent[name] != null && !notParameters.has(name))

/** Throws `bad_request` for the first invalid field; `param` names the field. */
export function readChatRequest(body: unknown): ModelRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid('', 'The body must be a JSON object with model and messages.')
  const sent = membersOf(body)
  for (const name of Object.keys(refused))
    if (sent[name] != null) throw invalid(name, `${name} is not accepted here. ${refused[name]}`)
  refuseOtherOutputs(sent)
  const preferences = readPreferences(sent, parametersOf)
  const model = readModel(sent.model ?? preferences?.models[0])
  const stream = readBoolean('stream', sent.stream) ?? false
  const n = readNumber('n', sent.n, [1, choicesMax], true) ?? 1
  const fields: ChatFields = {
    messages: readMessages(sent.messages),
    ...readTools(sent),
    ...readSampling(sent),
  }
  if (n > 1) fields.n = n
  return newModelRequest({
    model,
    stream,
    includeUsage: readStreamOptions(sent.stream_options, stream),
    maxTokens: readMaxTokens(sent),
    n,
    maxCostMicros: readCeiling(sent[ceilingField], (message) => invalid(ceilingField, message)),
    promptCacheKey: readUnseen(sent),
    preferences,
    fields,
  })
}

/**
 * Fields that do not change the answer. The cache key is sent to upstreams that accept it. `metadata` and `store` are
 * not sent, because the vendor would keep the data in the operator's account.
 */
function readUnseen({ prompt_cache_key: key, metadata, store }: ChatFields): string | undefined {
  readBoolean('store', store)
  const notes = metadata == null ? [] : isObject(metadata) ? Object.values(metadata) : [undefined]
  if (notes.length > metadataMax || notes.some((note) => typeof note !== 'string'))
    throw invalid('metadata', `metadata must be an object of up to ${metadataMax} strings.`)
  if (key == null) return undefined
  if (typeof key !== 'string' || key.length > cacheKeyCharactersMax)
    throw invalid(
      'prompt_cache_key',
      `prompt_cache_key must be a string of at most ${cacheKeyCharactersMax} characters.`,
    )
  return key
}

function readModel(model: unknown): string {
  if (typeof model !== 'string' || model === '' || model.length > modelCharactersMax)
    throw invalid('model', 'model must name a model or a tier. GET /api/llm/v1/models lists them.')
  return model
}

function readMaxTokens(sent: Record<string, unknown>): number {
  const read = (name: string) => readNumber(name, sent[name], [1, maxTokensMax], true)
  const [older, newer] = [read('max_tokens'), read('max_completion_tokens')]
  if (older !== undefined && newer !== undefined && older !== newer)
    throw invalid('max_tokens', 'max_tokens and max_completion_tokens disagree. Send one of them.')
  return newer ?? older ?? maxTokensDefault
}

function readStreamOptions(options: unknown, stream: boolean): boolean {
  if (options == null) return false
  if (!stream) throw invalid('stream_options', 'stream_options needs stream: true.')
  if (typeof options !== 'object' || Array.isArray(options))
    throw invalid('stream_options', 'stream_options must be an object.')
  return readBoolean('stream_options.include_usage', (options as ChatFields).include_usage) ?? false
}

function refuseOtherOutputs(sent: Record<string, unknown>) {
  const { modalities, service_tier: tier } = sent
  const isText = Array.isArray(modalities) && modalities.every((modality) => modality === 'text')
  if (modalities != null && !isText) throw invalid('modalities', 'Answers are text only.')
  if (tier != null && tier !== 'auto' && tier !== 'default')
    throw invalid('service_tier', 'Only the service tiers auto and default are sold here.')
}

function readSampling(sent: Record<string, unknown>): ChatFields {
  const fields: ChatFields = {}
  const put = (name: string, value: unknown) => {
    if (value !== undefined) fields[name] = value
  }
  for (const name in numbers) put(name, readNumber(name, sent[name], numbers[name]))
  for (const name in integers) put(name, readNumber(name, sent[name], integers[name], true))
  for (const name of booleans) put(name, readBoolean(name, sent[name]))
  for (const name in words) put(name, readWord(name, sent[name], words[name] ?? []))
  put('stop', readStop(sent.stop))
  put('logit_bias', readLogitBias(sent.logit_bias))
  put('reasoning', readReasoning(sent.reasoning))
  put('response_format', readResponseFormat(sent.response_format))
  if (sent.user != null) {
    if (typeof sent.user !== 'string' || sent.user.length > userCharactersMax)
      throw invalid('user', `user must be a string of at most ${userCharactersMax} characters.`)
    fields.user = sent.user
  }
  return fields
}

function readStop(stop: unknown): unknown {
  if (stop == null) return undefined
  const all = typeof stop === 'string' ? [stop] : stop
  const fits =
    Array.isArray(all) &&
    all.length <= stopsMax &&
    all.every((text) => typeof text === 'string' && text.length <= stopCharactersMax)
  if (!fits) throw invalid('stop', `stop must be a string or a list of up to ${stopsMax} strings.`)
  return stop
}

function readLogitBias(bias: unknown): unknown {
  if (bias == null) return undefined
  const entries = typeof bias === 'object' ? Object.entries(bias) : []
  const fits =
    typeof bias === 'object' &&
    !Array.isArray(bias) &&
    entries.length <= logitBiasMax &&
    entries.every(([token, by]) => /^\d{1,9}$/.test(token) && typeof by === 'number')
  if (!fits)
    throw invalid('logit_bias', `logit_bias must map up to ${logitBiasMax} token ids to numbers.`)
  return bias
}

function readReasoning(reasoning: unknown): unknown {
  if (reasoning == null) return undefined
  if (typeof reasoning !== 'object' || Array.isArray(reasoning))
    throw invalid('reasoning', 'reasoning must be an object.')
  const { effort, max_tokens, exclude, enabled } = reasoning as ChatFields
  return {
    effort: readWord('reasoning.effort', effort, words.reasoning_effort ?? []),
    max_tokens: readNumber('reasoning.max_tokens', max_tokens, [1, maxTokensMax], true),
    exclude: readBoolean('reasoning.exclude', exclude),
    enabled: readBoolean('reasoning.enabled', enabled),
  }
}

function readResponseFormat(format: unknown): unknown {
  if (format == null) return undefined
  const { type, json_schema: described } = (format ?? {}) as ChatFields
  if (type === 'text' || type === 'json_object') return { type }
  if (type !== 'json_schema')
    throw invalid('response_format', 'response_format must be text, json_object or json_schema.')
  if (!isObject(described) || typeof described.name !== 'string' || !isObject(described.schema))
    throw invalid('response_format', 'response_format.json_schema needs a name and a schema.')
  requireShallow('response_format', described.schema)
  const { name, description, schema, strict } = described
  return { type, json_schema: { name, description, schema, strict } }
}
