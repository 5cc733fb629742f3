// What calls pay vendors for in advance, and how each vendor ends it when its call is not charged.
import { createModal } from '#catalog/ns_sandbox/lib/modal.ts'
import type { Catalog } from '#core/catalog.ts'
import { createPrepaid, type Prepaid } from '#features/prepaid/prepaid.ts'
import type { AppContext } from './context.ts'
import type { Store } from './store.ts'

export function openPrepaid({ clock, log, onClose }: AppContext, { database }: Store): Prepaid {
  const prepaid = createPrepaid({ database, clock, log })
  onClose(prepaid.close)
  return prepaid
}

/** What a seller was paid for by the operator's wallet has no name that finds it again, so only vendors with a key are asked. */
export function watchPrepaid(
  { clock }: Pick<AppContext, 'clock'>,
  prepaid: Prepaid,
  { services }: Catalog,
): void {
  for (const { provider, mode, buys, http } of services) {
    if (mode !== 'live' || buys || provider.id !== 'ns_sandbox') continue
    const modal = createModal()
    prepaid.watch(provider.id, (name) => modal.discard({ http, clock }, name))
  }
}
