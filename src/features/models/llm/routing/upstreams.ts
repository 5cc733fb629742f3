// The upstreams of this gateway: vendors whose key is set, a local Ollama, and those of the operator's file.
import { type ModelSurface, modelSurfaces } from '#core/models/surfaces.ts'
import { matchesModel } from '#core/pricing/model-pattern.ts'
import type { ChatFields } from '../conversation/fields.ts'
import { anthropicWire } from '../wire/anthropic.ts'
import { geminiWire } from '../wire/gemini/gemini.ts'
import { openAiWire } from '../wire/openai.ts'
import { responsesWire } from '../wire/responses/responses.ts'
import type { Wire } from '../wire/wire.ts'
import type { LlmSettings, UpstreamSetting } from './settings.ts'

export interface ModelUpstream {
  readonly name: string
  readonly wire: Wire
  readonly origin: string
  /** The path before the wire's own. */
  readonly basePath: string
  readonly headers: Record<string, string>
  readonly maxTokensField: string
  readonly takesCacheKey: boolean
  readonly takesCacheMarks: boolean
  readonly extraFields: ChatFields
  /** Added to chats of batches, so that they have the batch price. */
  readonly batchFields?: ChatFields | undefined
  /** What it answers besides chats. */
  readonly surfaces: readonly ModelSurface[]
  /** The upstream's own name of a model; undefined if it does not serve the model. */
  nameOf(slug: string): string | undefined
  /** Its list of models is read and sold. */
  readonly discovers: boolean
  readonly price: UpstreamSetting['price']
  /** Whether it may keep something of a request. */
  readonly keepsData: boolean
}

/** Whether the limit of tokens that is sent covers the model's thoughts, by the definition of its field. */
export const boundsThoughts = ({ wire, maxTokensField }: ModelUpstream) =>
  wire === anthropicWire || wire === responsesWire || maxTokensField === 'max_completion_tokens'

/** OpenAI's own models, by the names that its chat endpoint takes. Other `openai/` models are hosted elsewhere. */
const openAiModels =
  /^openai\/((?:gpt-3\.5-turbo|gpt-4|gpt-4o|gpt-4\.1|gpt-5(?:\.\d)?|o[134])(?:-(?:mini|nano|turbo))?(?:-\d{4}(?:-\d{2}-\d{2})?)?)$/
/** Its models of other surfaces. */
const openAiOthers =
  /^openai\/(text-embedding-.+|gpt-image-.+|tts-.+|whisper-1|gpt-4o(?:-mini)?-(?:tts|transcribe)|omni-moderation-.+)$/
const cohereModels = /^cohere\/(rerank-.+)$/
const anthropicModels = /^anthropic\/(claude-(?!.*-fast$).+)$/

/** Anthropic's names that are not the slug's with dashes for dots. */
const anthropicNames: Readonly<Record<string, string>> = {
  'claude-3-haiku': 'claude-3-haiku-20240307',
  'claude-opus-4': 'claude-opus-4-0',
  'claude-sonnet-4': 'claude-sonnet-4-0',
}

const wires: Readonly<Record<UpstreamSetting['wire'], Wire>> = {
  openai: openAiWire,
  anthropic: anthropicWire,
  responses: responsesWire,
  gemini: geminiWire,
}

type Variables = ReadonlyMap<string, string>

/** `variables` are the operator's `*_API_KEY` and `*_BASE_URL`, including those of the catalog's model services. */
export function createUpstreams(settings: LlmSettings, variables: Variables): ModelUpstream[] {
  const configured = Object.entries(settings.upstreams).map(([name, setting]) =>
    fromSetting(name, setting, variables),
  )
  const names = new Set(configured.map(({ name }) => name))
  const builtIn = [anthropic, openAi, cohere, ollama, openRouter].flatMap(
    (open) => open(variables) ?? [],
  )
  // The operator's upstreams come first and replace built-in ones of the same name. A router comes after the vendors.
  const all = [...configured, ...builtIn.filter(({ name }) => !names.has(name))]
  const declared = new Set(settings.no_retention)
  return all.map((upstream) => ({
    ...upstream,
    keepsData: upstream.keepsData && !declared.has(upstream.name),
  }))
}

function anthropic(variables: Variables): ModelUpstream | undefined {
  const key = firstOf(variables, 'NS_LLM_A_API_KEY', 'ANTHROPIC_API_KEY')
  if (key === undefined) return undefined
  const baseUrl = variables.get('NS_LLM_A_BASE_URL') ?? 'https://api.anthropic.com'
  return {
    ...upstreamAt('anthropic', anthropicWire, baseUrl, key),
    nameOf(slug) {
      const name = anthropicModels.exec(slug)?.[1]
      return name && (anthropicNames[name] ?? name.replaceAll('.', '-'))
    },
  }
}

function openAi(variables: Variables): ModelUpstream | undefined {
  const key = firstOf(variables, 'NS_LLM_B_API_KEY', 'OPENAI_API_KEY')
  if (key === undefined) return undefined
  const baseUrl = variables.get('NS_LLM_B_BASE_URL') ?? 'https://api.openai.com/v1'
  return {
    ...upstreamAt('openai', openAiWire, baseUrl, key),
    maxTokensField: 'max_completion_tokens',
    takesCacheKey: true,
    // OpenAI's flex processing has the prices of its batches.
    batchFields: { service_tier: 'flex' },
    surfaces: modelSurfaces,
    nameOf: (slug) => (openAiModels.exec(slug) ?? openAiOthers.exec(slug))?.[1],
  }
}

/** Only for what it ranks: its chats have a format of their own. */
function cohere(variables: Variables): ModelUpstream | undefined {
  const key = variables.get('COHERE_API_KEY')
  if (key === undefined) return undefined
  const baseUrl = variables.get('COHERE_BASE_URL') ?? 'https://api.cohere.com/v2'
  return {
    ...upstreamAt('cohere', openAiWire, baseUrl, key),
    surfaces: ['rerank'],
    nameOf: (slug) => cohereModels.exec(slug)?.[1],
  }
}

function ollama(variables: Variables): ModelUpstream | undefined {
  const baseUrl = variables.get('OLLAMA_BASE_URL')
  if (baseUrl === undefined) return undefined
  return {
    ...upstreamAt('ollama', openAiWire, `${baseUrl.replace(/\/(v1\/?)?$/, '')}/v1`),
    surfaces: ['embeddings'],
    nameOf: afterPrefix('ollama'),
    discovers: true,
    price: { prompt: 0, completion: 0 },
    keepsData: false,
  }
}

function openRouter(variables: Variables): ModelUpstream | undefined {
  const key = firstOf(variables, 'NS_ROUTER_API_KEY', 'OPENROUTER_API_KEY')
  if (key === undefined) return undefined
  const baseUrl = variables.get('NS_ROUTER_BASE_URL') ?? 'https://openrouter.ai/api/v1'
  return {
    ...upstreamAt('openrouter', openAiWire, baseUrl, key),
    takesCacheMarks: true,
    surfaces: ['embeddings'],
    nameOf: (slug) => (slug.includes('/') ? slug : undefined),
  }
}

function firstOf(variables: Variables, ...names: readonly string[]): string | undefined {
  return names.map((name) => variables.get(name)).find((value) => value !== undefined)
}

function fromSetting(name: string, setting: UpstreamSetting, variables: Variables): ModelUpstream {
  const key = setting.api_key === undefined ? undefined : variables.get(setting.api_key)
  if (setting.api_key !== undefined && key === undefined)
    throw new Error(`The upstream ${name} needs ${setting.api_key}, which is not set.`)
  const base = upstreamAt(name, wires[setting.wire], setting.base_url, key)
  return {
    ...base,
    headers: { ...base.headers, ...setting.headers },
    maxTokensField: setting.max_tokens_field,
    takesCacheKey: setting.prompt_cache_key,
    takesCacheMarks: setting.cache_control,
    extraFields: setting.extra_fields,
    batchFields: setting.batch_fields,
    surfaces: setting.wire === 'openai' ? modelSurfaces : [],
    discovers: setting.discover,
    price: setting.price,
    nameOf: namesOf(name, setting),
  }
}

function namesOf(name: string, setting: UpstreamSetting): ModelUpstream['nameOf'] {
  const discovered = afterPrefix(name)
  const serves = (slug: string) => setting.serves.some((pattern) => matchesModel(pattern, slug))
  return (slug) => {
    const named = setting.names[slug]
    if (named !== undefined) return named
    if (serves(slug)) return setting.whole_slug ? slug : slug.slice(slug.indexOf('/') + 1)
    return setting.discover ? discovered(slug) : undefined
  }
}

const afterPrefix = (name: string) => (slug: string) =>
  slug.startsWith(`${name}/`) ? slug.slice(name.length + 1) : undefined

/** This machine itself. It has no address: nothing is sent to it. */
export const machineUpstream = (name: string) => upstreamAt(name, openAiWire, 'http://localhost')

function upstreamAt(name: string, wire: Wire, baseUrl: string, key?: string): ModelUpstream {
  const { origin, pathname } = new URL(baseUrl)
  return {
    name,
    wire,
    origin,
    basePath: pathname.replace(/\/$/, ''),
    headers: key === undefined ? {} : wire.credentialHeaders(key),
    maxTokensField: 'max_tokens',
    takesCacheKey: false,
    takesCacheMarks: false,
    extraFields: {},
    surfaces: [],
    nameOf: () => undefined,
    discovers: false,
    price: undefined,
    keepsData: true,
  }
}
