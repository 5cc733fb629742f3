// What calls pay vendors for in advance, and how each vendor ends it when its call is not charged.
import { releaseNamedAtVendor } from '#catalog/ns_browser/lib/vendor.ts'
import { createModal } from '#catalog/ns_sandbox/lib/modal.ts'
import type { Catalog, Service } from '#core/catalog.ts'
import type { PaidMinutes } from '#core/session.ts'
import { createPrepaid, type Prepaid } from '#runner/sessions/prepaid-resources.ts'
import type { AppContext } from './context.ts'
import type { Store } from './store.ts'

export function openPrepaid({ clock, log, onClose }: AppContext, { database }: Store): Prepaid {
  const prepaid = createPrepaid({ database, clock, log })
  onClose(prepaid.close)
  return prepaid
}

/**
 * What a seller was paid for by the operator's wallet has no name that finds it again, so only vendors with a key are
 * asked.
 */
export function watchPrepaid(
  { clock }: Pick<AppContext, 'clock'>,
  { prepaid, minutes }: { prepaid: Prepaid; minutes: PaidMinutes },
  { services }: Catalog,
): void {
  const endings: Record<string, (http: Service['http'], name: string) => Promise<void>> = {
    ns_sandbox: (http, name) => modal.discard({ http, clock }, name),
    async ns_browser(http, name) {
      for (const id of await releaseNamedAtVendor(http, name)) await minutes.release(id, 'closed')
    },
  }
  const modal = createModal()
  for (const { provider, mode, buys, http } of services) {
    const end = endings[provider.id]
    if (mode !== 'live' || buys || end === undefined) continue
    prepaid.watch(provider.id, (name) => end(http, name))
  }
}
