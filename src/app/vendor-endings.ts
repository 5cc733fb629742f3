// How each vendor ends what was not paid for, or is over.
import { releaseAtVendor, releaseNamedAtVendor } from '#catalog/ns_browser/lib/vendor.ts'
import { createModal } from '#catalog/ns_sandbox/lib/modal.ts'
import type { Catalog, Service } from '#core/catalog.ts'
import { runEvery } from '#platform/recurring.ts'
import {
  createVendorEndings,
  type VendorEndings,
  type VendorResource,
} from '#runner/sessions/vendor-endings.ts'
import type { BrowserRoom } from './browsers.ts'
import type { AppContext } from './context.ts'
import type { Store } from './store.ts'

/** How soon a vendor's browser ends whose minutes are over, or whose key was revoked. */
const lookIntervalMs = 500

export const openVendorEndings = ({ clock, log }: AppContext, { database }: Store): VendorEndings =>
  createVendorEndings({ database, clock, log })

interface Vendor {
  readonly end: (http: Service['http'], resource: VendorResource) => Promise<unknown>
  /** Ends here what is over. Absent: the vendor itself counts the time. */
  readonly endDue?: () => Promise<void>
}

/**
 * What a seller was paid for by the operator's wallet has no name that finds it again, so only vendors with a key are
 * asked.
 */
export function watchVendors(
  { clock, log, onClose }: AppContext,
  { endings, browsers }: { endings: VendorEndings; browsers: Pick<BrowserRoom, 'endDue'> },
  { services }: Catalog,
): void {
  const modal = createModal()
  const vendors: Record<string, Vendor> = {
    ns_sandbox: { end: (http, { name }) => modal.discard({ http, clock }, name) },
    ns_browser: {
      end: (http, { name, id }) =>
        id === null ? releaseNamedAtVendor(http, name) : releaseAtVendor(http, id),
      endDue: browsers.endDue,
    },
  }
  for (const { provider, mode, buys, http } of services) {
    const vendor = vendors[provider.id]
    if (mode !== 'live' || buys || vendor === undefined) continue
    endings.watch(provider.id, (resource) => vendor.end(http, resource))
    const look = async () => {
      await vendor.endDue?.()
      await endings.keepUp(provider.id)
    }
    const looking = runEvery(lookIntervalMs, look, (err) =>
      log.warn({ err, service: provider.id }, 'What the vendor is to end was not looked at.'),
    )
    onClose(looking.close)
  }
}
