import { defineProvider } from '#core/provider.ts'
import type { PrepaidResources } from '#core/session.ts'
import { createModal } from './lib/modal.ts'
import { modalUpstream } from './lib/modal-api.ts'
import { sandboxCreate } from './sandbox-create.ts'
import { sandboxExec } from './sandbox-exec.ts'
import { sandboxStatus } from './sandbox-status.ts'
import { sandboxTerminate } from './sandbox-terminate.ts'

/** `prepaid`: remembers what a killed gateway would leave at the vendor. */
export function sandbox(prepaid: PrepaidResources) {
  const modal = createModal()
  return defineProvider({
    id: 'ns_sandbox',
    title: 'Modal',
    docs: 'https://modal.com/docs/guide/sandbox',
    upstream: modalUpstream,
    actions: [
      sandboxCreate(modal, prepaid),
      sandboxExec(modal),
      sandboxStatus(modal),
      sandboxTerminate(modal),
    ],
  })
}
