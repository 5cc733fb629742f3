import { defineProvider } from '#core/provider.ts'
import { sandboxCreate } from './sandbox-create.ts'
import { sandboxExec } from './sandbox-exec.ts'
import { sandboxStatus } from './sandbox-status.ts'
import { sandboxTerminate } from './sandbox-terminate.ts'

export const sandbox = defineProvider({
  id: 'ns_sandbox',
  title: 'Modal',
  docs: 'https://modal.com/docs/guide/sandbox',
  actions: [sandboxCreate, sandboxExec, sandboxStatus, sandboxTerminate],
})
