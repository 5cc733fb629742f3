// APIs that the operator sells beside the catalog, vendors' keys that they paste, and budgets.

import type { Service } from '#core/catalog.ts'
import { errorOf, toCallError } from '#core/errors.ts'
import { isTooShort, tooShortSentence } from '#core/input/secret-length.ts'
import { publishedService } from '#core/plan.ts'
import type { OnReply } from '#core/ports.ts'
import { credentialNames, type Provider } from '#core/provider.ts'
import { createFetchText } from '#features/selling/importing/fetch-text.ts'
import { planImport } from '#features/selling/importing/plan-import.ts'
import type { PriceSurroundings } from '#features/selling/importing/plan-warnings.ts'
import { listInTime } from '#features/selling/importing/read-tools.ts'
import type { SellRequest } from '#features/selling/importing/sell-request.ts'
import { keyProbeOf } from '#features/selling/key-probe.ts'
import { providerOf, securityOf, stoppedReason } from '#features/selling/provider.ts'
import { privatePlaceOf, type SoldApi } from '#features/selling/sold-api.ts'
import { createSoldApis, type StoredSoldApi } from '#features/selling/store/sold-apis.ts'
import { type Costs, createCosts } from '#money/costs/costs.ts'
import { createDial, createEgressAgent } from '#platform/egress/dial.ts'
import {
  createEgressGuard,
  type EgressGuard,
  EgressRefusal,
  portOf,
} from '#platform/egress/guard.ts'
import { createService } from '#platform/http/service.ts'
import { readOrCreateSecret } from '#platform/secret-file.ts'
import { createProviderBudgets } from '#runner/providers/budgets.ts'
import { createProviderKeys } from '#runner/providers/provider-keys.ts'
import type { KeyTest } from '#surfaces/http/admin/provider-keys.ts'
import type { AppContext } from '../context.ts'
import type { Store } from '../store.ts'
import { createLiveServices, type LiveOffer } from './live-services.ts'
import { openSoldTools, type SoldTools } from './sold-tools.ts'

/** Idle connections to a seller's server are kept for its next call. */
const keepAliveMs = 30_000
const connectionsMax = 64

export type Selling = Awaited<ReturnType<typeof openSelling>>

export async function openSelling(context: AppContext, { database, secretFile, shared }: Store) {
  const { config, clock, log, requestLog, userAgent, onClose } = context
  const secret =
    config.PROVIDER_SEALING_KEY ?? (await readOrCreateSecret(secretFile('provider-sealing-key')))
  const keys = createProviderKeys({ database, secret, log })
  const budgets = createProviderBudgets({ database, clock })
  const live = createLiveServices({
    variables: config.providerVariables,
    keys,
    budgets,
    clock,
    log,
  })
  onClose(live.close)
  const soldApis = createSoldApis({ database, log })

  const readDeclared = createReadDeclared(createCosts({ database, clock }))
  const guardOf = createGuards(context)
  const tools = openSoldTools(context, {
    database,
    shared,
    soldApis,
    guardOf,
    publicGuard: createEgressGuard(),
  })
  const keyOf = (name: string) =>
    config.providerVariables.get(`${name.toUpperCase()}_API_KEY`) ?? keys.current().get(name)

  const describe = (sold: SoldApi): SoldTools =>
    sold.kind === 'mcp'
      ? tools.describe(sold)
      : { provider: providerOf(sold).provider, use: () => {} }

  function openToolService(
    sold: SoldApi,
    { provider, use }: SoldTools,
    variables: ReadonlyMap<string, string>,
  ) {
    const parts = { variables, userAgent, clock, log: requestLog }
    const service = createService(provider, parts)
    const connection = tools.connect(sold, keyIn(provider, variables))
    use(connection)
    const close = async () => {
      await connection.close()
      await service.close()
    }
    const http = { ...service.http, circuits: connection.circuits }
    return { ...asSold({ ...service, http }, sold), close }
  }

  function openSold(
    sold: SoldApi,
    provider: Provider,
    variables: ReadonlyMap<string, string>,
    onReply?: OnReply,
  ) {
    const guard = guardOf(sold.private ? privatePlaceOf(sold) : undefined)
    const agent = createEgressAgent(createDial(guard), {
      connectionsMax,
      keepAliveMs,
    })
    const service = createService(provider, {
      variables: withoutAddress(variables, provider.id),
      userAgent,
      clock,
      log: requestLog,
      shared: onReply ? { turns: shared.turns } : shared,
      agent,
      onReply,
    })
    return asSold(service, sold)
  }

  let taken: ReadonlySet<string> = new Set()
  const described = new Map<number, SoldTools>()
  const offerOf = ({ sold, revision }: StoredSoldApi): LiveOffer => {
    const known = described.get(revision) ?? describe(sold)
    described.set(revision, known)
    const { provider } = known
    return {
      provider,
      version: `revision ${revision}`,
      ...(sold.kind === 'mcp' && { isShared: true as const }),
      open: (variables, onReply) =>
        sold.kind === 'mcp'
          ? openToolService(sold, known, variables)
          : openSold(sold, provider, variables, onReply),
    }
  }

  return {
    soldApis,
    plan: async (request: SellRequest, surroundings: PriceSurroundings) =>
      planImport(request, {
        ...surroundings,
        declaredFor: await readDeclared(),
        now: () => new Date(clock.now()),
        fetchText: createFetchText({ allow: config.EGRESS_ALLOW, userAgent }),
        find: soldApis.find,
        soldNow: () => soldApis.current().map(({ sold }) => sold),
        isTaken: (name) => taken.has(name) || reserved.test(name),
        admits: (sold, server) =>
          isAdmitted(guardOf(sold.private ? privatePlaceOf(sold) : undefined), server),
        connectTools: tools.openSource,
        packageOf: tools.packageOf,
        keyOf,
      }),
    /** Whether the key is accepted by what is not sold yet. */
    testSale: async (sold: SoldApi, key: string): Promise<KeyTest> => {
      if (sold.kind === 'mcp') return await testToolKey(tools, sold, key)
      const { provider } = providerOf(sold)
      const [name = ''] = credentialNames(provider)
      const service = openSold(sold, provider, new Map([[name, key]]))
      return await testKey(service, sold).finally(service.close)
    },
    providers: {
      keys,
      budgets,
      settingOf: live.settingOf,
      async testKey(id: string, key: string): Promise<KeyTest> {
        const stored = soldApis.current().find(({ sold }) => sold.name === id)
        if (stored?.sold.kind === 'mcp') return await testToolKey(tools, stored.sold, key)
        const service = live.openWithKey(id, key)
        if (service === undefined) return 'untested'
        try {
          return await testKey(service, stored?.sold)
        } finally {
          await service.close()
        }
      },
    },
    readDeclared,
    services: live.list,
    openApart: live.openApart,
    /** The services of the catalog's providers, and of the APIs that are sold. A taken name is not sold twice. */
    open(fixed: readonly LiveOffer[]): readonly Service[] {
      taken = new Set([
        config.OWN_NS,
        publishedService,
        ...fixed.map(({ provider }) => provider.id),
      ])
      const current = soldApis.current().filter(({ sold }) => !taken.has(sold.name))
      const revisions = new Set(current.map(({ revision }) => revision))
      for (const revision of described.keys())
        if (!revisions.has(revision)) described.delete(revision)
      return live.open([...fixed, ...current.map(offerOf)])
    },
    /** Reads what has changed. Resolves to whether `open` gives other services now. */
    async follow(): Promise<boolean> {
      const changes = [soldApis.follow(), keys.follow(), budgets.follow()]
      return (await Promise.all(changes)).some((hasChanged) => hasChanged)
    },
  }
}

export function warnOfShortKeys({ config, log }: AppContext) {
  for (const [name, value] of config.providerVariables)
    if (name.endsWith('_API_KEY') && isTooShort(value))
      log.warn({ setting: name }, `${name} is not redacted in answers. ${tooShortSentence}`)
}

/** What the operator has declared that calls of `service/action` cost. */
const createReadDeclared = (costs: Costs) => async () => {
  const declared = new Map((await costs.declaredNow()).map((cost) => [cost.action, cost]))
  return (id: string) => declared.get(id)
}

const keyIn = (provider: Provider, variables: ReadonlyMap<string, string>) =>
  credentialNames(provider)
    .map((each) => variables.get(each))
    .find((key) => key !== undefined)

async function testToolKey(
  tools: ReturnType<typeof openSoldTools>,
  sold: SoldApi,
  key: string,
): Promise<KeyTest> {
  const connection = tools.openSource({ ...sold, security: securityOf(sold), key })
  try {
    await listInTime(connection, sold)
    // A program lists its tools without asking the vendor whether its key is right.
    return sold.program === undefined ? 'accepted' : 'untested'
  } catch (thrown) {
    const { message } = errorOf(toCallError(thrown).cause)
    return /\b40[13]\b|unauthorized|forbidden/i.test(message) ? 'refused' : 'unclear'
  } finally {
    await connection.close()
  }
}

const keyTestTimeoutMs = 15_000

/** Asks the vendor for what is left of its quota, or an import for something harmless. */
async function testKey(service: Service, sold: SoldApi | undefined): Promise<KeyTest> {
  const { quota } = service.provider.upstream ?? {}
  const http = service.http.withSignal(AbortSignal.timeout(keyTestTimeoutMs))
  const probe = sold && (await keyProbeOf(sold))
  if (probe === undefined && quota === undefined) return 'untested'
  try {
    if (probe === undefined) await quota?.(http)
    else await http.send(probe)
    return 'accepted'
  } catch (thrown) {
    const { data } = toCallError(thrown)
    return (data as { reason?: string } | undefined)?.reason === 'provider_auth'
      ? 'refused'
      : 'unclear'
  }
}

/** The operator's own network is open only to an API of which they said so, and only where it is. */
const createGuards =
  ({ config }: AppContext) =>
  (place: URL | undefined) =>
    createEgressGuard({
      allow: [
        ...config.EGRESS_ALLOW,
        ...(place === undefined ? [] : [`${place.hostname}:${portOf(place)}`]),
      ],
      ownHost: config.PUBLIC_BASE_URL && new URL(config.PUBLIC_BASE_URL).hostname,
    })

/** As far as the address itself tells. A name is looked up when it is called. */
function isAdmitted(guard: EgressGuard, server: string): boolean {
  try {
    guard.admit(new URL(server))
    return true
  } catch (thrown) {
    if (thrown instanceof EgressRefusal) return false
    throw thrown
  }
}

/** Chats are calls of `llm/chat`, and the plans of an account are below `own_…`. */
const reserved = /^(llm$|own_)/

/** Its address is part of the import. */
const withoutAddress = (variables: ReadonlyMap<string, string>, id: string) =>
  new Map([...variables].filter(([name]) => name !== `${id.toUpperCase()}_BASE_URL`))

/** An API that needs no key is the seller's own, and not a public registry. */
function asSold(service: Service, { stopped, name }: SoldApi): Service {
  if (stopped !== undefined)
    return { ...service, mode: 'unavailable', reason: stoppedReason(name, stopped) }
  if (service.mode === 'keyless' || service.mode === 'embedded') return { ...service, mode: 'live' }
  if (service.mode !== 'unavailable') return service
  const { id } = service.provider
  return {
    ...service,
    reason: `Its key is missing. The operator pastes it in the console, runs \`tollway sell key ${id}\`, or sets ${id.toUpperCase()}_API_KEY.`,
  }
}
