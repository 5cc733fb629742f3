// The operator's file: upstreams, tiers and prices that add to those shipped with the gateway.
import { z } from 'zod'
import { errorOf } from '#core/errors.ts'
import { keysOf, recordOf } from '#core/input/records.ts'
import { readUsd, readUsdPerMillion } from '#core/model-price.ts'
import { modelSurfaces } from '#core/models/surfaces.ts'
import { sellsItsSurface } from '#core/models/unit-prices.ts'
import { modelFacts } from '#core/pricing/model-facts.ts'

const usd = (read: (usd: number | string) => number) =>
  z.union([z.number(), z.string()]).transform((amount, context) => {
    try {
      return read(amount)
    } catch (error) {
      context.addIssue({ code: 'custom', message: errorOf(error).message })
      return z.NEVER
    }
  })
const usdPerMillion = usd(readUsdPerMillion)
const usdEach = usd((amount) => readUsd(amount))
const usdPerThousand = usd((amount) => readUsd(amount, 1_000))
const byQualityAndSize = <Value extends z.ZodType>(value: Value) =>
  z.record(z.string(), z.record(z.string(), value))

const rates = {
  prompt: usdPerMillion,
  completion: usdPerMillion,
  cache_read: usdPerMillion.optional(),
  cache_write: usdPerMillion.optional(),
  cache_write_hour: usdPerMillion.optional(),
}
/** For what is not counted in tokens of text. */
const unitPrices = {
  image_prompt: usdPerMillion.optional(),
  audio_prompt: usdPerMillion.optional(),
  character: usdPerMillion.optional(),
  minute: usdEach.optional(),
  search: usdPerThousand.optional(),
  pictures: byQualityAndSize(usdEach).optional(),
  picture_tokens: byQualityAndSize(z.int().min(1).max(1_000_000)).optional(),
  inputs: z.int().min(1).max(100_000).optional(),
  input_tokens: z.int().min(1).max(100_000_000).optional(),
} as const
const long_context = z.array(z.strictObject({ above: z.int().min(0), ...rates })).optional()
const price = z
  .strictObject({
    ...rates,
    /** Other surfaces than chat often count no tokens. */
    prompt: usdPerMillion.optional(),
    completion: usdPerMillion.optional(),
    /** What its models are asked for, if not for chats. */
    surface: z.enum(modelSurfaces).optional(),
    ...unitPrices,
    batch: z.strictObject({ ...rates, long_context }).optional(),
    context: z.int().min(1).optional(),
    output: z.int().min(1).optional(),
    thinks: z.boolean().optional(),
    image_tokens: z.int().min(1).optional(),
    long_context,
    ...modelFacts,
  })
  .refine(
    ({ surface, prompt, completion }) =>
      surface === undefined ? prompt !== undefined && completion !== undefined : true,
    { message: 'needs prompt and completion, or a surface' },
  )
  .refine(countsAreWritten, { message: 'has no price for what its surface counts' })
  .transform((read) => ({ ...read, prompt: read.prompt ?? 0, completion: read.completion ?? 0 }))
  .refine(sellsItsSurface, { message: 'has no price for what its surface counts' })

/** A price of 0 is written: what is left out would be given away. */
function countsAreWritten({
  surface,
  ...told
}: {
  readonly surface?: string | undefined
  readonly prompt?: number | undefined
  readonly completion?: number | undefined
  readonly pictures?: object | undefined
  readonly minute?: number | undefined
}): boolean {
  switch (surface) {
    case 'embeddings':
      return told.prompt !== undefined
    case 'images':
      return told.pictures !== undefined || told.completion !== undefined
    case 'transcriptions':
      return told.minute !== undefined || told.completion !== undefined
    default:
      return true
  }
}

const upstream = z.strictObject({
  /** `openai` is the common chat-completions format; the others are vendors' own. */
  wire: z.enum(['openai', 'anthropic', 'responses', 'gemini']).default('openai'),
  base_url: z.url({ protocol: /^https?$/ }),
  /** The name of the environment variable that holds the key. */
  api_key: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]*_API_KEY$/, 'must name an environment variable that ends in _API_KEY')
    .optional(),
  headers: z.record(z.string(), z.string()).default({}),
  /** Slugs that it serves. A trailing * matches any ending. */
  serves: z.array(z.string()).default([]),
  /** Its own model names by slug. Default: the slug without its first part. */
  names: z.record(z.string(), z.string()).default({}),
  /** Its model names are whole slugs, as at a router. */
  whole_slug: z.boolean().default(false),
  max_tokens_field: z.enum(['max_tokens', 'max_completion_tokens']).default('max_tokens'),
  /** It accepts `prompt_cache_key`. */
  prompt_cache_key: z.boolean().default(false),
  /** It accepts `cache_control` in the parts of messages. */
  cache_control: z.boolean().default(false),
  /** Added to every request. */
  extra_fields: z.record(z.string(), z.unknown()).default({}),
  /** Added to requests of batches for models whose price has `batch`. They ask for that price. */
  batch_fields: z.record(z.string(), z.unknown()).optional(),
  /** Its listed models are sold as `upstream/model` at `price`. */
  discover: z.boolean().default(false),
  price: price.optional(),
})
export type UpstreamSetting = z.output<typeof upstream>

const milliseconds = z.int().min(10).max(3_600_000)
const timeoutDefaults = {
  /** Until the first token of a stream: while another model may be tried, and for the last one. */
  first_token_ms: 15_000,
  first_token_last_ms: 120_000,
  /** Until the first token of a reasoning model. */
  thinking_ms: 180_000,
  /** Between two pieces of a stream. */
  idle_ms: 30_000,
  /** For an answer that is not streamed: while another model may be tried, and for the last one. */
  answer_ms: 120_000,
  answer_last_ms: 300_000,
  /** For the count of tokens, after the last token. */
  usage_ms: 5_000,
  /**
   * Before a keep-alive comment. Longer than `first_token_ms`, so that the headers can still name the model that
   * answers.
   */
  keep_alive_ms: 20_000,
  /** For the caller to read a part of the sent data. */
  reader_ms: 60_000,
  /** For the whole chat. */
  total_ms: 600_000,
} as const
type TimeoutName = keyof typeof timeoutDefaults
const timeoutNames = keysOf(timeoutDefaults)
const timeoutShape = <Schema extends z.ZodType>(schemaOf: (name: TimeoutName) => Schema) =>
  z.strictObject(recordOf(timeoutNames, schemaOf))
const timeouts = timeoutShape((name) => milliseconds.default(timeoutDefaults[name]))
export type ModelTimeouts = z.output<typeof timeouts>
const timeoutOverrides = timeoutShape(() => milliseconds.optional())
export interface TimeoutSettings {
  readonly timeouts: ModelTimeouts
  /** Overrides by model name. A trailing * matches any ending. */
  readonly timeoutsByModel: Readonly<Record<string, z.output<typeof timeoutOverrides>>>
}

const tierNames = ['cheap', 'mid', 'best'] as const
export type TierName = (typeof tierNames)[number]

export const llmSettings = z.strictObject({
  upstreams: z.record(z.string().regex(/^[a-z][a-z0-9_-]{0,30}$/), upstream).default({}),
  tiers: z.partialRecord(z.enum(tierNames), z.array(z.string()).min(1)).default({}),
  prices: z.record(z.string(), price).default({}),
  /** Names of upstreams that keep nothing of a request, as the operator declares. */
  no_retention: z.array(z.string()).default([]),
  timeouts: timeouts.prefault({}),
  timeouts_by_model: z.record(z.string(), timeoutOverrides).default({}),
})
export type LlmSettings = z.output<typeof llmSettings>

/** Each tier has models of several vendors, so that an outage of one vendor fails no call. */
export const tiersDefault: Readonly<Record<TierName, readonly string[]>> = {
  cheap: [
    'openai/gpt-5-nano',
    'google/gemini-2.5-flash-lite',
    'openai/gpt-4.1-nano',
    'deepseek/deepseek-v4-flash',
    'anthropic/claude-3-haiku',
  ],
  mid: [
    'anthropic/claude-haiku-4.5',
    'openai/gpt-5-mini',
    'google/gemini-3-flash-preview',
    'z-ai/glm-5',
  ],
  best: [
    'anthropic/claude-opus-4.8',
    'openai/gpt-5.4',
    'anthropic/claude-sonnet-4.6',
    'openai/gpt-5.5',
  ],
}
