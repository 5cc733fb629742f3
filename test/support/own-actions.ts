// The gateway's own actions, for tests that read their definitions and never run those that need a database or a page.
import { type Action, z } from '#core/action.ts'
import { type Catalog, createCatalog, type StandIns } from '#core/catalog.ts'
import type { Provider } from '#core/provider.ts'
import { createDiscover } from '#features/knowledge/discover/discover.ts'
import { createEmailVerification } from '#features/knowledge/email/verification.ts'
import { parseOptOut } from '#features/knowledge/people/opt-out.ts'
import { createPeople } from '#features/knowledge/people/people.ts'
import { createConsult } from '#features/knowledge/plans/consult/consult.ts'
import { createPlans } from '#features/knowledge/plans/plans.ts'
import { createOnesearch } from '#features/knowledge/search/onesearch.ts'
import { createFiles } from '#features/storage/files/files.ts'
import { composeFilm } from '#features/studio/films/edits/compose.ts'
import { createPerformances } from '#features/studio/performances/performances.ts'
import { performanceSettings } from '#features/studio/performances/settings.ts'
import { createRenderers } from '#features/web/reading/browsers/renderers.ts'
import { createReading } from '#features/web/reading/reading.ts'
import { createSiteIndex } from '#features/web/site-index/site-index.ts'
import type { Blobs } from '#platform/blobs/blobs.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { openDatabase } from '#platform/database/database.ts'
import { createEgressGuard } from '#platform/egress/guard.ts'
import { createSandbox } from '#platform/sandbox/sandbox.ts'
import { createUrlSigner } from '#platform/url-signer.ts'
import { createCalls } from '#runner/history/calls.ts'
import { createResult } from '#runner/history/result.ts'
import { createCancel } from '#runner/jobs/cancel.ts'
import { silentLog as log } from './silent-log.ts'

const findNone = async () => undefined

export const ownNamespace = 'tollway'

const refuse = () => Promise.reject(new Error('Nothing is kept here.'))
const noBlobs: Blobs = {
  stage: refuse,
  read: refuse,
  remove: refuse,
  sweep: refuse,
  close: async () => {},
}

/** `catalog`: the catalog that discover searches. Default: an empty one. */
export function openOwnActions(catalog: () => Catalog = () => createCatalog([])): {
  readonly actions: readonly Action[]
  readonly discover: Action
  /** The gateway's own services beside its namespace. */
  readonly services: readonly Provider[]
  /** The actions that this machine can run itself when a vendor's credential is missing. */
  readonly standIns: StandIns
  readonly close: () => Promise<void>
} {
  const guard = createEgressGuard({ allow: [] })
  const renderers = createRenderers({ guard, log, clock })
  // Opening makes no connection.
  const database = openDatabase({ connectionString: 'postgresql:///', log })
  const reading = createReading({
    database,
    guard,
    renderers,
    log,
    clock,
    ownNamespace,
    userAgent: 'Tollway',
  })
  const files = createFiles({
    database,
    blobs: noBlobs,
    guard,
    clock,
    log,
    quotaBytes: 0,
    signer: createUrlSigner({ key: '', clock }),
    baseUrl: () => '',
  })
  const noMaterial = { reason: 'Set PERFORMANCES_DIR to the folder with the film material.' }
  const performances = createPerformances({
    guard,
    log,
    sandbox: createSandbox({ clock }),
    recipes: { performance: noMaterial, lead: noMaterial },
    settings: z.object(performanceSettings).parse({}),
  })
  const people = createPeople({
    database,
    optOut: { current: async () => parseOptOut('') },
    ownNamespace,
  })
  const siteIndex = createSiteIndex({
    database,
    clock,
    log,
    reader: reading.siteReader,
    quotaCharacters: 0,
    keptDays: 1,
  })
  const calls = createCalls({ database, ledger: { catchUp: async () => {} } })
  const discover = createDiscover({ catalog, ownNamespace })
  return {
    actions: [
      ...reading.actions,
      createResult({ calls, payments: { refundOf: findNone }, findCommandJob: findNone }),
      createCancel({ database, ledger: { settle: refuse }, calls, catalog, cancelCommand: refuse }),
      ...createPlans(catalog).actions,
      discover.action,
      createConsult({ catalog, rank: discover.rank, ownNamespace, clock, composeFilm }),
      createOnesearch({ catalog, clock, pages: reading.texts, ownNamespace }),
      ...people.actions,
      ...siteIndex.actions,
    ],
    discover: discover.action,
    services: [files.provider, ...performances.providers],
    standIns: new Map([...reading.standIns, ...createEmailVerification()]),
    async close() {
      await Promise.all([
        ...[reading.close(), files.close()],
        ...[performances.close(), siteIndex.close()],
      ])
    },
  }
}
