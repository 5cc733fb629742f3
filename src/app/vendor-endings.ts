// How each vendor ends what was not paid for, or is over.
import { releaseNamedAtVendor } from '#catalog/ns_browser/lib/vendor.ts'
import { createModal } from '#catalog/ns_sandbox/lib/modal.ts'
import type { Catalog, Service } from '#core/catalog.ts'
import type { PaidMinutes } from '#core/session.ts'
import { runEvery } from '#platform/recurring.ts'
import {
  createVendorEndings,
  type VendorEndings,
  type VendorResource,
} from '#runner/sessions/vendor-endings.ts'
import type { AppContext } from './context.ts'
import type { Store } from './store.ts'

const lookIntervalMs = 5_000

export function openVendorEndings(
  { clock, log, onClose }: AppContext,
  { database }: Store,
): VendorEndings {
  const endings = createVendorEndings({ database, clock, log })
  const looking = runEvery(lookIntervalMs, endings.keepUp, (error) =>
    log.warn({ err: error }, 'What vendors are to end was not looked at.'),
  )
  onClose(looking.close)
  return endings
}

/**
 * What a seller was paid for by the operator's wallet has no name that finds it again, so only vendors with a key are
 * asked.
 */
export function watchVendors(
  { clock }: Pick<AppContext, 'clock'>,
  { endings, minutes }: { endings: VendorEndings; minutes: PaidMinutes },
  { services }: Catalog,
): void {
  const ways: Record<string, (http: Service['http'], resource: VendorResource) => Promise<void>> = {
    ns_sandbox: (http, { name }) => modal.discard({ http, clock }, name),
    async ns_browser(http, { name }) {
      for (const id of await releaseNamedAtVendor(http, name)) await minutes.release(id, 'closed')
    },
  }
  const modal = createModal()
  for (const { provider, mode, buys, http } of services) {
    const end = ways[provider.id]
    if (mode !== 'live' || buys || end === undefined) continue
    endings.watch(provider.id, (resource) => end(http, resource))
  }
}
