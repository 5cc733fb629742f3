import { defineAction, z } from '#core/action.ts'
import { sandboxId, sandboxOf } from './lib/fields.ts'
import type { Modal } from './lib/modal.ts'
import { buy } from './lib/paid-endpoint.ts'

export const sandboxTerminate = (modal: Modal) =>
  defineAction('sandbox-terminate', {
    summary: 'End a sandbox and everything that runs in it.',
    notes:
      'Its files are lost, and what was paid for it is not returned. Repeating it changes nothing. To look at it first use ns_sandbox/sandbox-status.',
    synonyms: ['stop', 'kill', 'delete a sandbox', 'shut down', 'clean up'],
    questions: [
      'how do I stop my sandbox?',
      'can I end a sandbox before its time is over?',
      'how do I delete the container?',
    ],
    removes: ['sandbox', 'container'],
    input: z.strictObject({ sandbox_id: sandboxId }),
    output: z.looseObject({
      sandbox_id: z.string().optional(),
      status: z
        .string()
        .describe('finished. On this gateway: failed if its startup command has failed.'),
      provider: z.string().optional(),
    }),
    price: { cents: 1 },
    example: { input: { sandbox_id: 'sb-01970000-0000-7000-8000-000000000001' }, cents: 1 },
    owned: sandboxOf,
    async run({ input, http, ...call }) {
      if (http.atPaidEndpoint)
        return { ...(await buy(http, 'terminate', input)), status: 'finished' }
      await modal.end({ http, ...call }, input.sandbox_id)
      return { ...input, status: 'finished' }
    },
  })
