// Page reading, with what it needs: guarded ways out to the network, browsers, and language models.
import { shippedPrices } from '#catalog/lib/model-prices.ts'
import { createLlm } from '#features/models/llm/llm.ts'
import { createRenderers } from '#features/web/reading/browsers/renderers.ts'
import { createMemory } from '#features/web/reading/ladder/memory.ts'
import { createPageCache } from '#features/web/reading/ladder/page-cache.ts'
import { createReading } from '#features/web/reading/reading.ts'
import { createEgressGuard } from '#platform/egress/guard.ts'
import { createWaysOut } from '#platform/egress/operator-proxies.ts'
import { createGuide } from '#surfaces/doors/guide.ts'
import type { AppContext } from './context.ts'
import type { Store } from './store.ts'

export type ReadingRoom = Awaited<ReturnType<typeof openReading>>

export async function openReading(context: AppContext, { database, shared }: Store) {
  const { config, clock, log, requestLog, baseUrl, userAgent, onClose } = context
  const guard = createEgressGuard({
    allow: config.EGRESS_ALLOW,
    ownHost: config.PUBLIC_BASE_URL && new URL(config.PUBLIC_BASE_URL).hostname,
  })
  const waysOut = createWaysOut({
    guard,
    clock,
    proxies: {
      datacenter: config.READING_DATACENTER_PROXIES,
      unblock: config.READING_UNBLOCK_PROXIES,
      residential: config.READING_RESIDENTIAL_PROXIES,
    },
  })
  const renderers = createRenderers({
    guard,
    log,
    clock,
    chromiumPath: config.CHROMIUM_PATH,
    wholeChromiumPath: config.CHROMIUM_WHOLE_PATH,
    chromiumSandbox: config.CHROMIUM_SANDBOX === 'on',
    stealthDial: waysOut.residential,
  })
  const llm = await createLlm({
    shipped: shippedPrices,
    configPath: config.LLM_CONFIG,
    variables: config.providerVariables,
    ownNamespace: config.OWN_NS,
    clock,
    log: requestLog,
    cache: shared.cache,
    telemetry: context.telemetry,
  })
  onClose(llm.close)
  const memory = createMemory({ database, log })
  const cache = createPageCache({ database, log })
  const guide = createGuide()
  const { actions, standIns, isWall, texts, siteReader, close } = createReading({
    database,
    memory,
    cache,
    guard,
    renderers,
    waysOut,
    clock,
    userAgent,
    log: requestLog,
    browserMissing: await renderers.missing(),
    router: llm.router,
    ownNamespace: config.OWN_NS,
    ownPages: (url) => guide.at(url, baseUrl()),
  })
  onClose(close)
  return {
    actions,
    standIns,
    isWall,
    texts,
    siteReader,
    guard,
    renderers,
    memory,
    cache,
    llm,
    guide,
  }
}
