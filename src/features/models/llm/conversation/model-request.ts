// One request inside, whichever surface it came by. `fields` are in the common format, as a superset of it:
// - parts of messages: `text`, `refusal`, `image_url`, `file` ({ file: { filename, file_data | file_url } }) and
//   `input_audio`, each with `cache_control` ({ type: 'ephemeral', ttl? });
// - assistant messages: `content`, `tool_calls` (`function`, or `custom` with { custom: { name, input } }) and
//   `thoughts` (a list of Thought, never sent as it is);
// - tool messages: content of text and picture parts, and `is_error`;
// - tools: `function`, and `custom` with { custom: { name, description, format } };
// - `reasoning`: { effort, max_tokens, summary, enabled, exclude }.
import type { Micros } from '#core/money.ts'
import type { RoutingPreferences } from '../routing/preferences.ts'
import type { WireName } from './answer-event.ts'
import { countAttachments } from './attachments.ts'
import type { ChatFields } from './fields.ts'

export interface ModelRequest {
  /** A slug or a tier, as the caller wrote it. */
  readonly model: string
  readonly stream: boolean
  /** Whether the caller wants a usage event at the end of the stream. */
  readonly includeUsage: boolean
  /** The token limit of each choice, and the number of choices. */
  readonly maxTokens: number
  readonly n: number
  readonly wantsLogprobs: boolean
  readonly hasTools: boolean
  readonly pictures: number
  /** Pictures in low detail. */
  readonly smallPictures: number
  /** The history has `thoughts`. */
  readonly holdsThoughts?: true
  /** The most tokens that documents and recordings count for. */
  readonly attachmentTokens?: number
  /** Some of it is to be kept for an hour in the vendor's cache. */
  readonly cachesForHour?: true
  /** Bytes of all text. No tokenizer makes more tokens than bytes. */
  readonly promptBytes: number
  readonly messageCount: number
  readonly maxCostMicros: Micros | undefined
  readonly promptCacheKey: string | undefined
  /** Absent if the caller leaves the route to the gateway. */
  readonly preferences?: RoutingPreferences | undefined
  /** The checked fields except `model`, `stream` and the token limit. `json` is the same as text. */
  readonly fields: ChatFields
  readonly json: string
  /** The fields hold more than the common format: `json` is not what an upstream of that format takes. */
  readonly extended?: true
  /** The caller's names of fields, where they are not those of the common format. */
  readonly fieldNames?: Readonly<Record<string, string>>
  /** The checked body in the format of a wire. An upstream of that wire gets it instead of `fields`. */
  readonly native?: {
    readonly wire: WireName
    readonly body: ChatFields
    /** What is left out on every other wire, by the names of its fields. */
    readonly only?: readonly string[]
  }
  /** What the surface has left out of the request, by the names of its fields. The answer says so in a header. */
  readonly dropped?: readonly string[]
}

/** The parts of a request that its surface has read. The rest follows from `fields`. */
export type ReadRequest = Omit<
  ModelRequest,
  | 'wantsLogprobs'
  | 'hasTools'
  | 'pictures'
  | 'smallPictures'
  | 'holdsThoughts'
  | 'attachmentTokens'
  | 'cachesForHour'
  | 'promptBytes'
  | 'messageCount'
  | 'json'
>

export function newModelRequest(read: ReadRequest): ModelRequest {
  const { fields } = read
  const { pictures, smallPictures, tokensMax, dataBytes } = countAttachments(fields.messages)
  const json = JSON.stringify(fields)
  return {
    ...read,
    wantsLogprobs: fields.logprobs === true,
    hasTools: fields.tools !== undefined,
    pictures,
    smallPictures,
    ...(fields.messages.some(({ thoughts }: ChatFields) => thoughts !== undefined)
      ? ({ holdsThoughts: true } as const)
      : {}),
    ...(tokensMax === 0 ? {} : { attachmentTokens: tokensMax }),
    ...(json.includes('"ttl":"1h"') && holdsHourMark(fields)
      ? ({ cachesForHour: true } as const)
      : {}),
    promptBytes: Buffer.byteLength(json) - dataBytes,
    messageCount: fields.messages.length,
    json,
  }
}

/** Marks are on parts, on messages, on calls and on tools. */
function holdsHourMark({ messages, tools = [] }: ChatFields): boolean {
  const marked = [...messages, ...tools].flatMap((one: ChatFields) => [
    one,
    ...(Array.isArray(one.content) ? one.content : []),
    ...(one.tool_calls ?? []),
  ])
  return marked.some(({ cache_control: mark }) => mark?.ttl === '1h')
}

/** What the caller calls a field. */
export function fieldName({ fieldNames }: Pick<ModelRequest, 'fieldNames'>, field: string): string {
  return fieldNames?.[field] ?? field
}

/** Whether a message has a part of one of these types. */
export function holdsParts({ fields }: ModelRequest, types: readonly string[]): boolean {
  return fields.messages.some(
    ({ content }: ChatFields) =>
      Array.isArray(content) && content.some(({ type }) => types.includes(type)),
  )
}
