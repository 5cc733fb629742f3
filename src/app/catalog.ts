// What is sold: the gateway's own actions, those of the vendors, and those of private providers.
import { createRoutedChats } from '#catalog/lib/routed-chats.ts'
import { createCatalog, type Service, type StandIns } from '#core/catalog.ts'
import { centsToMicros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import { createPricedCatalog, type PricedCatalog } from '#core/pricing/priced-catalog.ts'
import { defineProvider, type Provider } from '#core/provider.ts'
import type { PaidMinutes, PrepaidResources } from '#core/session.ts'
import { createDiscover } from '#features/knowledge/discover/discover.ts'
import { loadEncoder } from '#features/knowledge/discover/encoder.ts'
import { createEmailVerification } from '#features/knowledge/email/verification.ts'
import type { People } from '#features/knowledge/people/people.ts'
import { createConsult } from '#features/knowledge/plans/consult/consult.ts'
import { createPlans } from '#features/knowledge/plans/plans.ts'
import { createOnesearch } from '#features/knowledge/search/onesearch.ts'
import type { Files } from '#features/storage/files/files.ts'
import { composeFilm } from '#features/studio/films/edits/compose.ts'
import type { SiteIndex } from '#features/web/site-index/site-index.ts'
import { createAddressCheck } from '#platform/egress/admit-address.ts'
import { createSourceOpener } from '#platform/http/open-source.ts'
import { createPacers } from '#platform/http/pacing.ts'
import { createService } from '#platform/http/service.ts'
import { createVendorQuotas } from '#platform/http/vendor-quotas.ts'
import type { Calls } from '#runner/history/calls.ts'
import { createResult } from '#runner/history/result.ts'
import { createCancel } from '#runner/jobs/cancel.ts'
import { openPriceOverrides } from '#runner/pricing/price-overrides.ts'
import { type CommandJobs, createCommandJobReader } from '#runner/sessions/command-jobs.ts'
import type { AppContext } from './context.ts'
import { openMedia } from './media.ts'
import type { Money } from './money.ts'
import { openPeople } from './people.ts'
import { openPerformances } from './performances.ts'
import type { ReadingRoom } from './reading.ts'
import type { Store } from './store.ts'
import { listVendors, readAdditions } from './vendors.ts'

export async function openCatalog(
  context: AppContext,
  parts: {
    store: Store
    calls: Calls
    commandJobs: Pick<CommandJobs, 'cancel'>
    money: Money
    reading: ReadingRoom
    files: Files
    rooms: readonly { standIns: StandIns }[]
    browserMinutes: PaidMinutes
    prepaid: PrepaidResources
    siteIndex: SiteIndex
  },
) {
  const { config, clock, log, requestLog, userAgent, onClose } = context
  const { money, reading, rooms } = parts
  const { guard, llm } = reading
  const pacers = createPacers({ clock })
  const admitAddress = createAddressCheck(guard)
  const openService = (provider: Provider) => {
    const service = createService(provider, {
      variables: config.providerVariables,
      userAgent,
      clock,
      log: requestLog,
      pacers,
      admitAddress,
      ...(money.upstreamWallet && { wallet: money.upstreamWallet }),
    })
    onClose(service.close)
    return service
  }

  const people = await openPeople(context, parts.store)
  const ownService = openService(
    defineProvider({
      id: config.OWN_NS,
      title: 'The gateway’s own actions',
      runsOthers: true,
      actions: openOwnActions(context, { ...parts, people, catalog: () => catalog }),
    }),
  )
  const sources = createSourceOpener({ guard, userAgent, clock, log })
  onClose(sources.close)
  // Model vendors sell at current prices, not at those that the gateway ships with.
  const additions = readAdditions(config)
  const media = await openMedia(context, { guard, additions })
  const vendors = listVendors(config, additions, {
    ...parts,
    prices: llm.models.prices,
    openSource: sources.open,
    mediaParts: media,
  })
  const performances = await openPerformances(context, { guard, models: media.models })
  const providers = [...vendors, ...context.plugins.flatMap(({ providers = [] }) => providers)]
  warnOfMissingContact(context, providers)
  const services = [parts.files.provider, ...performances.providers, ...providers].map((provider) =>
    openService(people.guard(provider)),
  )
  const catalog: PricedCatalog = createPricedCatalog(
    createCatalog(
      [ownService, ...services],
      new Map([
        ...reading.standIns,
        ...rooms.flatMap(({ standIns }) => [...standIns]),
        ...createEmailVerification(),
        ...createRoutedChats(llm.router, llm.models.prices),
        ...media.standIns,
      ]),
    ),
  )
  const vendorQuotas = openVendorQuotas(services, openService, clock)
  const prices = await openPriceOverrides({ database: parts.store.database, catalog, log })
  onClose(prices.close)
  return { catalog, prices, vendorQuotas, ownService, people, mediaModels: media.models }
}

/** With clients of their own: a vendor's account endpoint that fails must not suspend its actions. */
function openVendorQuotas(
  services: readonly Service[],
  openService: (provider: Provider) => Service,
  clock: Clock,
) {
  const asked = services.filter(
    ({ mode, buys, provider }) => mode === 'live' && !buys && provider.upstream?.quota,
  )
  return createVendorQuotas({
    services: asked.map(({ provider }) => openService(provider)),
    clock,
  })
}

function openOwnActions(
  { config, clock }: AppContext,
  {
    store,
    calls,
    commandJobs,
    money,
    reading,
    people,
    siteIndex,
    catalog,
  }: {
    store: Store
    calls: Calls
    commandJobs: Pick<CommandJobs, 'cancel'>
    money: Money
    reading: ReadingRoom
    people: People
    siteIndex: SiteIndex
    catalog: () => PricedCatalog
  },
) {
  const discover = createDiscover({ catalog, ownNamespace: config.OWN_NS, loadEncoder })
  return [
    ...reading.actions,
    createResult({
      calls,
      payments: money.payments,
      findCommandJob: createCommandJobReader(store.database),
    }),
    createCancel({
      database: store.database,
      ledger: money.ledger,
      calls,
      catalog,
      cancelCommand: commandJobs.cancel,
    }),
    discover.action,
    ...createPlans(catalog).actions,
    createConsult({
      catalog,
      rank: discover.rank,
      ownNamespace: config.OWN_NS,
      clock,
      composeFilm,
      model:
        config.CONSULT_MODEL_CENTS === 0
          ? undefined
          : {
              router: reading.llm.router,
              clock,
              microsMax: centsToMicros(config.CONSULT_MODEL_CENTS),
            },
    }),
    createOnesearch({
      clock,
      pages: reading.texts,
      router: reading.llm.router,
      // What its sources cost does not follow what the operator sells them for.
      catalog: () => catalog().original,
      ownNamespace: config.OWN_NS,
    }),
    ...people.actions,
    ...siteIndex.actions,
  ]
}

function warnOfMissingContact({ config, log }: AppContext, providers: readonly Provider[]) {
  const refusing = providers.flatMap(({ upstream }) => upstream?.contactRequiredBy ?? [])
  if (config.OPERATOR_CONTACT !== undefined || refusing.length === 0) return
  log.warn(
    {},
    `OPERATOR_CONTACT is not set. Requests without a contact are refused by: ${refusing.join(', ')}.`,
  )
}
