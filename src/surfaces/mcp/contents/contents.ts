// What the MCP server offers besides tools: resources, prompts and a skill. All of it is made of the catalog and the
// guide, and the same for every caller but those that have prices of their own.
import {
  type CacheHint,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerOptions,
} from '@modelcontextprotocol/server'
import {
  SKILLS_EXTENSION_ID,
  SKILLS_GET_METHOD,
  SKILLS_LIST_METHOD,
} from '@modelcontextprotocol/server/ext/skills'
import { z } from '#core/action.ts'
import type { Caller } from '#core/caller.ts'
import { type Catalog, catalogFor } from '#core/catalog.ts'
import { toCallError } from '#core/errors.ts'
import type { Keyless } from '#runner/keyless/keyless.ts'
import type { Guide } from '../../doors/guide.ts'
import { pricedHint, publicHint } from '../cache-hint.ts'
import { createPrompts } from './prompts.ts'
import { createResources } from './resources.ts'
import { describeSkill, writeSkill } from './skill.ts'

export type McpContents = ReturnType<typeof makeContents>

interface Dependencies {
  readonly catalog: Catalog
  readonly guide: Guide
  readonly keyless: Pick<Keyless, 'rails'>
  readonly ownNamespace: string
  readonly baseUrl: () => string
}

/** The contents for a request. They are made again once a price has changed. */
export function createContents(
  dependencies: Dependencies,
): (caller: Caller | undefined) => McpContents {
  const made = new WeakMap<Catalog['entries'], McpContents>()
  return (caller) => {
    const catalog = catalogFor(dependencies.catalog, caller)
    const isShared = catalog === dependencies.catalog
    const contents =
      made.get(catalog.entries) ?? makeContents({ ...dependencies, catalog }, hintFor(isShared))
    made.set(catalog.entries, contents)
    return contents
  }
}

const hintFor = (isShared: boolean): CacheHint =>
  isShared ? pricedHint : { ...pricedHint, cacheScope: 'private' }

function makeContents(
  { catalog, guide, keyless, ownNamespace, baseUrl }: Dependencies,
  pricedHint: CacheHint,
) {
  const files = writeSkill(catalog, ownNamespace)
  const resources = createResources({ catalog, guide, keyless, skill: files, baseUrl })
  const prompts = createPrompts(catalog, ownNamespace)
  const skill = describeSkill(files)

  return {
    capabilities: {
      resources: {},
      prompts: {},
      extensions: { [SKILLS_EXTENSION_ID]: {} },
    } satisfies ServerOptions['capabilities'],
    cacheHints: {
      'resources/list': publicHint,
      'resources/templates/list': publicHint,
      'resources/read': pricedHint,
      'prompts/list': pricedHint,
    } satisfies ServerOptions['cacheHints'],
    addTo(server: Server) {
      server.setRequestHandler('resources/list', () => ({ resources: [...resources.listed] }))
      server.setRequestHandler('resources/templates/list', () => ({
        resourceTemplates: [...resources.templates],
      }))
      server.setRequestHandler('resources/read', ({ params }) => resources.read(params.uri))
      server.setRequestHandler('prompts/list', () => ({ prompts: [...prompts.listed] }))
      server.setRequestHandler('prompts/get', ({ params }) =>
        orInvalid(() => prompts.get(params.name, params.arguments ?? {})),
      )
      server.setRequestHandler(SKILLS_LIST_METHOD, { params: anyParams }, async () => ({
        skills: [await skill],
        ...pricedHint,
      }))
      server.setRequestHandler(SKILLS_GET_METHOD, { params: skillParams }, async ({ uri }) => {
        const found = await skill
        if (uri === found.uri) return { skill: found, ...pricedHint }
        throw invalid(`No skill is at ${uri.slice(0, 200)}. skills/list names all skills.`)
      })
    },
  }
}

const anyParams = z.looseObject({})
const skillParams = z.looseObject({ uri: z.string() })

const invalid = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message)

function orInvalid<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (thrown) {
    throw invalid(toCallError(thrown).message)
  }
}
