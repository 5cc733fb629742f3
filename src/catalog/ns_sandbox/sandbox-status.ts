import { defineAction, z } from '#core/action.ts'
import { sandboxId, sandboxOf } from './lib/fields.ts'
import type { Modal } from './lib/modal.ts'
import { buy } from './lib/paid-endpoint.ts'

export const sandboxStatus = (modal: Modal) =>
  defineAction('sandbox-status', {
    summary: 'Tell whether a sandbox is running, finished or failed.',
    notes:
      'A sandbox has failed when its startup command returned something other than 0, or when it ended by itself. To end it use ns_sandbox/sandbox-terminate.',
    synonyms: ['state of a sandbox', 'poll', 'is it running', 'exit code', 'check a container'],
    questions: [
      'is my sandbox still running?',
      'did the startup command fail?',
      'has the time of my sandbox run out?',
    ],
    input: z.strictObject({ sandbox_id: sandboxId }),
    output: z.looseObject({
      sandbox_id: z.string(),
      status: z.enum(['running', 'finished', 'failed']),
      returncode: z
        .int()
        .nullish()
        .describe('Of the startup command. Null while it runs, and without one.'),
      provider: z.string().optional(),
    }),
    price: { cents: 1 },
    example: { input: { sandbox_id: 'sb-01970000-0000-7000-8000-000000000001' }, cents: 1 },
    owned: sandboxOf,
    async run({ input, http, ...call }) {
      if (http.atPaidEndpoint) return await buy(http, 'status', input)
      return { ...input, ...(await modal.status({ http, ...call }, input.sandbox_id)) }
    },
  })
