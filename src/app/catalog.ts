// What is sold: the gateway's own actions, those of the vendors, and those of private providers.
import { createRoutedChats } from '#catalog/lib/routed-chats.ts'
import type { Action } from '#core/action.ts'
import { createCatalog, type Service, type StandIns } from '#core/catalog.ts'
import { centsToMicros } from '#core/money.ts'
import { publishedService } from '#core/plan.ts'
import type { Clock, OnReply } from '#core/ports.ts'
import { createPricedCatalog, type PricedCatalog } from '#core/pricing/priced-catalog.ts'
import { defineProvider, type Provider } from '#core/provider.ts'
import type { SharedState } from '#core/replicas/shared-state.ts'
import type { PaidMinutes, PrepaidResources } from '#core/session.ts'
import { createDiscover } from '#features/knowledge/discover/discover.ts'
import { loadEncoder } from '#features/knowledge/discover/encoder.ts'
import { createEmailVerification } from '#features/knowledge/email/verification.ts'
import type { People } from '#features/knowledge/people/people.ts'
import { createConsult } from '#features/knowledge/plans/consult/consult.ts'
import { createPlans } from '#features/knowledge/plans/plans.ts'
import { createSavedPlans } from '#features/knowledge/plans/saved/saved-plans.ts'
import { createOnesearch } from '#features/knowledge/search/onesearch.ts'
import type { Files } from '#features/storage/files/files.ts'
import { composeFilm } from '#features/studio/films/edits/compose.ts'
import type { SiteIndex } from '#features/web/site-index/site-index.ts'
import { createAddressCheck, createPlainAddressCheck } from '#platform/egress/admit-address.ts'
import { createSourceOpener } from '#platform/http/open-source.ts'
import { createPacers } from '#platform/http/pacing.ts'
import { createService } from '#platform/http/service.ts'
import { createVendorQuotas } from '#platform/http/vendor-quotas.ts'
import type { Calls } from '#runner/history/calls.ts'
import { createResult } from '#runner/history/result.ts'
import { createCancel } from '#runner/jobs/cancel.ts'
import { createGroupPrices } from '#runner/pricing/group-prices.ts'
import { openPriceOverrides } from '#runner/pricing/price-overrides.ts'
import { type CommandJobs, createCommandJobReader } from '#runner/sessions/command-jobs.ts'
import type { AppContext } from './context.ts'
import { openMedia } from './media.ts'
import type { Money } from './money.ts'
import { openPeople } from './people.ts'
import { openPerformances } from './performances.ts'
import type { ReadingRoom } from './reading.ts'
import type { Selling } from './selling/selling.ts'
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
    selling: Selling
  },
) {
  const { config, clock, log, requestLog, userAgent, onClose } = context
  const { money, reading, rooms, selling } = parts
  const { guard, llm } = reading
  const { shared } = parts.store
  const pacers = createPacers({ clock, ...shared })
  const admitAddress = createAddressCheck(guard)
  const openWith = (
    provider: Provider,
    variables: ReadonlyMap<string, string>,
    known: Pick<SharedState, 'turns' | 'records'> = shared,
    onReply?: OnReply,
  ) =>
    createService(provider, {
      onReply,
      variables,
      userAgent,
      clock,
      log: requestLog,
      telemetry: context.telemetry,
      pacers,
      shared: known,
      admitAddress,
      ...(money.upstreamWallet && { wallet: money.upstreamWallet }),
    })
  const openService = (provider: Provider, known?: Pick<SharedState, 'turns'>) => {
    const service = openWith(provider, config.providerVariables, known)
    onClose(service.close)
    return service
  }

  const people = await openPeople(context, parts.store)
  const plans = createPlans(() => catalog)
  const savedPlans = createSavedPlans({
    database: parts.store.database,
    clock,
    log,
    examine: plans.saved,
  })
  const ownService = openService(
    defineProvider({
      id: config.OWN_NS,
      title: 'The gateway’s own actions',
      runsOthers: true,
      actions: openOwnActions(context, { ...parts, people, plans, catalog: () => catalog }),
    }),
  )
  const sources = createSourceOpener({ guard, userAgent, clock, log, shared })
  onClose(sources.close)
  // Model vendors sell at current prices, not at those that the gateway ships with.
  const additions = await readAdditions(config)
  const media = await openMedia(context, { guard, additions })
  const { speech } = media.machine
  const vendors = listVendors(config, additions, {
    ...parts,
    prices: llm.models.prices,
    openSource: sources.open,
    admitAddress: createPlainAddressCheck(guard),
    mediaParts: media,
  })
  const performances = await openPerformances(context, { guard, models: media.models })
  const providers = [...vendors, ...context.plugins.flatMap(({ providers = [] }) => providers)]
  warnOfMissingContact(context, providers)
  const offers = [parts.files.provider, ...performances.providers, ...providers].map((provider) => {
    const guarded = people.guard(provider)
    return {
      provider: guarded,
      version: 'catalog',
      open: (variables: ReadonlyMap<string, string>, onReply?: OnReply) =>
        openWith(guarded, variables, onReply ? { turns: shared.turns } : shared, onReply),
    }
  })
  const standIns = new Map([
    ...reading.standIns,
    ...rooms.flatMap(({ standIns }) => [...standIns]),
    ...createEmailVerification(),
    ...createRoutedChats(llm.router, llm.models.prices),
    ...media.standIns,
  ])
  const planService = (actions: readonly Action[] = []) =>
    openWith(
      defineProvider({ id: publishedService, title: 'Plans', runsOthers: true, actions }),
      config.providerVariables,
    )
  const compose = () => {
    const published = savedPlans.offers.published()
    const services = [ownService, ...selling.open(offers)]
    return createCatalog(
      published.length === 0 ? services : [...services, planService(published)],
      standIns,
    )
  }
  await selling.follow()
  await savedPlans.offers.follow()
  const catalog: PricedCatalog = createPricedCatalog(compose())
  catalog.replaceUnlisted(savedPlans.offers.unlisted(planService()))
  const vendorQuotas = openVendorQuotas(
    catalog.services.slice(1),
    (provider) => openService(provider, { turns: shared.turns }),
    clock,
  )
  const followOffers = async () => {
    const [sold, plans] = await Promise.all([selling.follow(), savedPlans.offers.follow()])
    if (sold || plans.listed) catalog.replace(compose())
    if (plans.unlisted) catalog.replaceUnlisted(savedPlans.offers.unlisted(planService()))
  }
  const prices = await openPriceOverrides({
    database: parts.store.database,
    catalog,
    followOffers,
    log,
  })
  onClose(prices.close)
  const groupPrices = createGroupPrices({ database: parts.store.database, catalog })
  return {
    catalog,
    prices,
    groupPrices,
    savedPlans,
    followOffers,
    vendorQuotas,
    ownService,
    people,
    mediaModels: media.models,
    speech,
  }
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
    plans,
    siteIndex,
    catalog,
  }: {
    store: Store
    calls: Calls
    commandJobs: Pick<CommandJobs, 'cancel'>
    money: Money
    reading: ReadingRoom
    people: People
    plans: ReturnType<typeof createPlans>
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
    ...plans.actions,
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
