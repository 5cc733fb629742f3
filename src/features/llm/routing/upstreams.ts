// Who can be asked: the vendors whose key is set, a local Ollama, and what the operator's file adds.
import type { ChatFields } from '../request/fields.ts'
import { anthropicWire } from '../wire/anthropic.ts'
import { openAiWire } from '../wire/openai.ts'
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
  readonly extraFields: ChatFields
  /** What this upstream calls the model, or undefined when it does not answer it. */
  nameOf(slug: string): string | undefined
  readonly discovers: boolean
  readonly price: UpstreamSetting['price']
}

/** OpenAI's own models, under names that its chat endpoint knows; the rest of `openai/` is other people's hosting. */
const openAiModels =
  /^openai\/((?:gpt-3\.5-turbo|gpt-4|gpt-4o|gpt-4\.1|gpt-5(?:\.\d)?|o[134])(?:-(?:mini|nano|turbo))?(?:-\d{4}(?:-\d{2}-\d{2})?)?)$/
const anthropicModels = /^anthropic\/(claude-(?!.*-fast$).+)$/

/** Where the vendor's own name is not the slug's, with dashes for dots. */
const anthropicNames: Readonly<Record<string, string>> = {
  'claude-3-haiku': 'claude-3-haiku-20240307',
  'claude-opus-4': 'claude-opus-4-0',
  'claude-sonnet-4': 'claude-sonnet-4-0',
}

/** `variables` are the operator's `*_API_KEY` and `*_BASE_URL`. Keys of the catalog's model services count here too. */
export function createUpstreams(
  settings: LlmSettings,
  variables: ReadonlyMap<string, string>,
): ModelUpstream[] {
  const first = (...names: string[]) =>
    names.map((name) => variables.get(name)).find((value) => value !== undefined)
  const vendors: ModelUpstream[] = []
  const anthropicKey = first('NS_LLM_A_API_KEY', 'ANTHROPIC_API_KEY')
  if (anthropicKey !== undefined) {
    vendors.push({
      ...address(
        'anthropic',
        anthropicWire,
        first('NS_LLM_A_BASE_URL') ?? 'https://api.anthropic.com',
        anthropicKey,
      ),
      nameOf(slug) {
        const name = anthropicModels.exec(slug)?.[1]
        return name && (anthropicNames[name] ?? name.replaceAll('.', '-'))
      },
    })
  }
  const openAiKey = first('NS_LLM_B_API_KEY', 'OPENAI_API_KEY')
  if (openAiKey !== undefined) {
    vendors.push({
      ...address(
        'openai',
        openAiWire,
        first('NS_LLM_B_BASE_URL') ?? 'https://api.openai.com/v1',
        openAiKey,
      ),
      maxTokensField: 'max_completion_tokens',
      takesCacheKey: true,
      nameOf: (slug) => openAiModels.exec(slug)?.[1],
    })
  }
  const configured = Object.entries(settings.upstreams).map(([name, setting]) =>
    fromSetting(name, setting, variables),
  )
  const routerKey = first('NS_ROUTER_API_KEY', 'OPENROUTER_API_KEY')
  const router: ModelUpstream[] =
    routerKey === undefined
      ? []
      : [
          {
            ...address(
              'openrouter',
              openAiWire,
              first('NS_ROUTER_BASE_URL') ?? 'https://openrouter.ai/api/v1',
              routerKey,
            ),
            nameOf: (slug) => (slug.includes('/') ? slug : undefined),
          },
        ]
  const ollama = first('OLLAMA_BASE_URL')
  const local: ModelUpstream[] =
    ollama === undefined
      ? []
      : [
          {
            ...address('ollama', openAiWire, `${ollama.replace(/\/(v1\/?)?$/, '')}/v1`),
            nameOf: afterPrefix('ollama'),
            discovers: true,
            price: { prompt: 0, completion: 0 },
          },
        ]
  const names = new Set(configured.map(({ name }) => name))
  // The operator's own come first, and replace those of the same name; who asks others in turn comes last.
  return [
    ...configured,
    ...[...vendors, ...local, ...router].filter(({ name }) => !names.has(name)),
  ]
}

function fromSetting(
  name: string,
  setting: UpstreamSetting,
  variables: ReadonlyMap<string, string>,
): ModelUpstream {
  const key = setting.api_key === undefined ? undefined : variables.get(setting.api_key)
  if (setting.api_key !== undefined && key === undefined)
    throw new Error(`The upstream ${name} needs ${setting.api_key}, which is not set.`)
  const serves = (slug: string) =>
    setting.serves.some((pattern) =>
      pattern.endsWith('*') ? slug.startsWith(pattern.slice(0, -1)) : slug === pattern,
    )
  const bare = afterPrefix(name)
  const wire = setting.wire === 'anthropic' ? anthropicWire : openAiWire
  return {
    ...address(name, wire, setting.base_url, key),
    headers: {
      ...(key === undefined ? {} : wire.credentialHeaders(key)),
      ...setting.headers,
    },
    maxTokensField: setting.max_tokens_field,
    takesCacheKey: setting.prompt_cache_key,
    extraFields: setting.extra_fields,
    discovers: setting.discover,
    price: setting.price,
    nameOf: (slug) =>
      setting.names[slug] ??
      (serves(slug)
        ? setting.whole_slug
          ? slug
          : slug.slice(slug.indexOf('/') + 1)
        : setting.discover
          ? bare(slug)
          : undefined),
  }
}

const afterPrefix = (name: string) => (slug: string) =>
  slug.startsWith(`${name}/`) ? slug.slice(name.length + 1) : undefined

function address(name: string, wire: Wire, baseUrl: string, key?: string): ModelUpstream {
  const { origin, pathname } = new URL(baseUrl)
  return {
    name,
    wire,
    origin,
    basePath: pathname.replace(/\/$/, ''),
    headers: key === undefined ? {} : wire.credentialHeaders(key),
    maxTokensField: 'max_tokens',
    takesCacheKey: false,
    extraFields: {},
    nameOf: () => undefined,
    discovers: false,
    price: undefined,
  }
}
