// Fields that are not part of the conversation.
import {
  type ChatFields,
  invalid,
  isObject,
  readBoolean,
  readNumber,
  readText,
  readWord,
  requireShallow,
} from '../../conversation/fields.ts'
import { requireKnown } from './known-fields.ts'

const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']
const summaries = ['auto', 'concise', 'detailed']
const levels = ['low', 'medium', 'high']
const metadataMax = 16
const metadataKeyCharactersMax = 64
const metadataValueCharactersMax = 512
const formatNameCharactersMax = 64

/** What an answer may hold beside its usual parts. Those without effect are of tools that are not sold here. */
const includables = [
  'reasoning.encrypted_content',
  'web_search_call.results',
  'web_search_call.action.sources',
  'code_interpreter_call.outputs',
  'file_search_call.results',
  'message.input_image.image_url',
  'computer_call_output.output.image_url',
]

export function readInclude(include: unknown): ReadonlySet<string> {
  if (include == null) return new Set()
  if (!Array.isArray(include)) throw invalid('include', 'include must be a list.')
  for (const [place, name] of include.entries()) {
    if (name === 'message.output_text.logprobs')
      throw invalid(`include[${place}]`, 'Log probabilities are given by chat/completions only.')
    if (!includables.includes(name))
      throw invalid(`include[${place}]`, `include must be of ${includables.join(', ')}.`)
  }
  return new Set(include)
}

/** Into `reasoning` of the common format. */
export function readReasoningOptions(reasoning: unknown): ChatFields | undefined {
  if (reasoning == null) return undefined
  if (!isObject(reasoning)) throw invalid('reasoning', 'reasoning must be an object.')
  requireKnown(reasoning, ['effort', 'summary', 'generate_summary', 'context', 'mode'], 'reasoning')
  const { effort, summary, generate_summary: older, context, mode } = reasoning
  readWord('reasoning.context', context, ['auto', 'current_turn', 'all_turns'])
  if (mode != null && mode !== 'standard')
    throw invalid('reasoning.mode', 'Only the reasoning mode standard is sold here.')
  const read = {
    effort: readWord('reasoning.effort', effort, efforts),
    summary:
      readWord('reasoning.summary', summary, summaries) ??
      readWord('reasoning.generate_summary', older, summaries),
  }
  return read.effort === undefined && read.summary === undefined ? undefined : read
}

/** `text` into `response_format` and `verbosity` of the common format. */
export function readTextOptions(text: unknown): ChatFields {
  if (text == null) return {}
  if (!isObject(text)) throw invalid('text', 'text must be an object.')
  requireKnown(text, ['format', 'verbosity'], 'text')
  const verbosity = readWord('text.verbosity', text.verbosity, levels)
  return {
    ...(verbosity === undefined ? {} : { verbosity }),
    ...readFormat(text.format),
  }
}

function readFormat(format: unknown): ChatFields {
  if (format == null) return {}
  if (!isObject(format)) throw invalid('text.format', 'text.format must be an object.')
  const { type, name, description, schema, strict } = format
  if (type === 'text') return {}
  if (type === 'json_object') return { response_format: { type } }
  if (type !== 'json_schema')
    throw invalid('text.format.type', 'text.format.type must be text, json_object or json_schema.')
  requireKnown(format, ['type', 'name', 'description', 'schema', 'strict'], 'text.format')
  if (!isObject(schema)) throw invalid('text.format.schema', 'text.format.schema must be a schema.')
  requireShallow('text.format.schema', schema)
  const described = {
    name: readText(name, 'text.format.name', formatNameCharactersMax),
    description: description == null ? undefined : readText(description, 'text.format.description'),
    schema,
    strict: readBoolean('text.format.strict', strict),
  }
  return { response_format: { type, json_schema: described } }
}

export function readMetadata(metadata: unknown): ChatFields | undefined {
  if (metadata == null) return undefined
  const fits =
    isObject(metadata) &&
    Object.keys(metadata).length <= metadataMax &&
    Object.entries(metadata).every(
      ([key, value]) =>
        key.length <= metadataKeyCharactersMax &&
        typeof value === 'string' &&
        value.length <= metadataValueCharactersMax,
    )
  if (!fits)
    throw invalid(
      'metadata',
      `metadata must have at most ${metadataMax} strings of at most ${metadataValueCharactersMax} characters, under names of at most ${metadataKeyCharactersMax}.`,
    )
  return metadata
}

export function readServiceTier(tier: unknown): void {
  if (tier != null && tier !== 'auto' && tier !== 'default')
    throw invalid('service_tier', 'Only the service tiers auto and default are sold here.')
}

export function readStreamOptions(options: unknown, stream: boolean): void {
  if (options == null) return
  if (!stream) throw invalid('stream_options', 'stream_options needs stream: true.')
  if (!isObject(options)) throw invalid('stream_options', 'stream_options must be an object.')
  requireKnown(options, ['include_obfuscation', 'include_usage'], 'stream_options')
  readBoolean('stream_options.include_obfuscation', options.include_obfuscation)
  readBoolean('stream_options.include_usage', options.include_usage)
}

export const readCount = (name: string, value: unknown, most: number) =>
  readNumber(name, value, [1, most], true)
