// The list of all providers, in alphabetical order. Every reader of the catalog starts here.
import type { MediaModels } from '#core/media-model.ts'
import type { ModelPrices } from '#core/model-price.ts'
import type { Provider } from '#core/provider.ts'
import type { PaidMinutes, PrepaidResources } from '#core/session.ts'
import { keylessFeeCentsDefault, withKeylessFee } from './lib/bought.ts'
import { shippedPrices } from './lib/model-prices.ts'
import { unremembered } from './lib/unremembered.ts'
import { akta } from './ns_akta/provider.ts'
import { archive } from './ns_archive/provider.ts'
import { assembler } from './ns_assembler/provider.ts'
import { uncounted } from './ns_browser/lib/uncounted.ts'
import { browser } from './ns_browser/provider.ts'
import { captcha } from './ns_captcha/provider.ts'
import { cite } from './ns_cite/provider.ts'
import { companyDiscovery } from './ns_company/provider.ts'
import { contact } from './ns_contact/provider.ts'
import { courts } from './ns_courts/provider.ts'
import { drugs } from './ns_drugs/provider.ts'
import { emailA } from './ns_email_a/provider.ts'
import { emailB } from './ns_email_b/provider.ts'
import { encyclopedia } from './ns_encyclopedia/provider.ts'
import { enrichment } from './ns_enrich/provider.ts'
import { fax } from './ns_fax/provider.ts'
import { fedrules } from './ns_fedrules/provider.ts'
import { filings } from './ns_filings/provider.ts'
import { flights } from './ns_flights/provider.ts'
import { fundingProvider } from './ns_funding/provider.ts'
import { geo } from './ns_geo/provider.ts'
import { indep } from './ns_indep/provider.ts'
import { jewelry } from './ns_jewelry/provider.ts'
import { jobsProvider } from './ns_jobs/provider.ts'
import { knowledge } from './ns_knowledge/provider.ts'
import { llmA } from './ns_llm_a/provider.ts'
import { llmB } from './ns_llm_b/provider.ts'
import { mail } from './ns_mail/provider.ts'
import { market } from './ns_market/provider.ts'
import type { MediaMachine } from './ns_media/lib/make-outputs.ts'
import { listMediaModels } from './ns_media/lib/models.ts'
import { media } from './ns_media/provider.ts'
import { newsletter } from './ns_newsletter/provider.ts'
import { nonprofit } from './ns_nonprofit/provider.ts'
import { par } from './ns_par/provider.ts'
import { patents } from './ns_patents/provider.ts'
import { postcard } from './ns_postcard/provider.ts'
import { press } from './ns_press/provider.ts'
import type { AddedEndpoint } from './ns_primary/lib/added.ts'
import { primary } from './ns_primary/provider.ts'
import { print } from './ns_print/provider.ts'
import { rag } from './ns_rag/provider.ts'
import { recalls } from './ns_recalls/provider.ts'
import { regs } from './ns_regs/provider.ts'
import { renderA } from './ns_render_a/provider.ts'
import { renderB } from './ns_render_b/provider.ts'
import { repo } from './ns_repo/provider.ts'
import { resi } from './ns_resi/provider.ts'
import { modelRouter } from './ns_router/provider.ts'
import { sandbox } from './ns_sandbox/provider.ts'
import { scholar } from './ns_scholar/provider.ts'
import { semantic } from './ns_semantic/provider.ts'
import { signals } from './ns_signals/provider.ts'
import { sneakers } from './ns_sneakers/provider.ts'
import { trends } from './ns_trends/provider.ts'
import { trials } from './ns_trials/provider.ts'
import { vehicles } from './ns_vehicles/provider.ts'
import { wine } from './ns_wine/provider.ts'
import type { ActorChoices } from './platform_data/lib/actions.ts'
import type { AddedRows } from './platform_data/lib/added-row.ts'
import { createPlatformProviders } from './platform_data/providers.ts'
import { scraping } from './scraping/provider.ts'
import { sessionProviders } from './sessions/providers.ts'
import { unblock } from './unblock/provider.ts'

const registries = [drugs, recalls, regs, trials, vehicles]
const pageProviders = [scraping, unblock]

/** For readers of the catalog that run nothing. */
const noMachine: MediaMachine = {
  speech: { missing: 'Nothing is run here.', speak: () => Promise.reject(new Error('No speech.')) },
  openOutput: () => Promise.reject(new Error('No files.')),
}

interface CatalogOptions {
  /** The operator's replacements for actors of the platform data table. */
  platformActors?: ActorChoices
  /** The current prices of language models. Default: those that ship with the gateway. */
  prices?: ModelPrices
  /** What an answer of an open registry costs where no seller took anything. */
  keylessFeeCents?: number
  /** The models of media, and what this machine does for them. */
  mediaParts?: { models: MediaModels; machine: MediaMachine }
  /** Counts the minutes of browsers that callers have paid for. */
  browserMinutes?: PaidMinutes
  /** Remembers what callers have paid a vendor for in advance. */
  prepaid?: PrepaidResources
  /** Additions by the operator's file. */
  addedEndpoints?: Readonly<Record<string, AddedEndpoint>>
  addedActors?: AddedRows | undefined
  /** Throws for an address that is not public. Default: takes all. */
  admitAddress?: (address: string) => void
}

export function createProviders({
  platformActors = {},
  prices = shippedPrices,
  keylessFeeCents = keylessFeeCentsDefault,
  mediaParts = { models: listMediaModels(), machine: noMachine },
  browserMinutes = uncounted,
  prepaid = unremembered,
  addedEndpoints = {},
  addedActors = {},
  admitAddress = () => {},
}: CatalogOptions = {}): readonly Provider[] {
  const listed = [
    akta,
    archive,
    assembler,
    browser(browserMinutes),
    captcha,
    cite,
    companyDiscovery,
    contact,
    courts,
    emailA,
    emailB,
    encyclopedia,
    enrichment,
    fax(admitAddress),
    fedrules,
    filings,
    flights,
    fundingProvider,
    geo,
    indep,
    jewelry,
    jobsProvider,
    llmA(prices),
    llmB(prices),
    modelRouter(prices),
    knowledge,
    mail,
    market,
    media(mediaParts),
    newsletter,
    nonprofit,
    par,
    patents,
    postcard,
    press,
    primary(addedEndpoints),
    print,
    rag,
    renderA,
    renderB,
    repo,
    resi,
    sandbox(prepaid),
    scholar,
    semantic,
    signals,
    sneakers,
    trends,
    wine,
    ...registries.map((registry) => withKeylessFee(registry, keylessFeeCents)),
    ...pageProviders,
    ...sessionProviders,
    ...createPlatformProviders(platformActors, addedActors),
  ]
  return listed.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

export const providers = createProviders()
