import { defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { keysOf } from '#core/input/records.ts'
import type { PrepaidResources } from '#core/session.ts'
import { requireIssued } from '../lib/issued-id.ts'
import { argvOf, command, sandboxId } from './lib/fields.ts'
import { imageDefault, type Modal } from './lib/modal.ts'
import { buy } from './lib/paid-endpoint.ts'
import { gpuCents, gpuSecondsMax, sandboxPrice, secondsMax } from './lib/prices.ts'

/** It becomes a line of a Dockerfile. */
const imageName = /^[\w][\w.:/@-]*$/
const gpus = keysOf(gpuCents)

export const sandboxCreate = (modal: Modal, prepaid: PrepaidResources) =>
  defineAction('sandbox-create', {
    summary: 'Open a sandbox in which commands run until its time is over.',
    notes:
      'It is paid in advance, also if its startup command fails. Run commands in it with ns_sandbox/sandbox-exec. For work that is charged by the second use sess_a/create_session.',
    synonyms: [
      'container',
      'isolated environment',
      'run a program',
      'GPU',
      'untrusted code',
      'Docker',
    ],
    questions: [
      'where can I run a program that I do not trust?',
      'can I rent a GPU for a few minutes?',
      'how do I run a script in a clean environment?',
    ],
    makes: ['sandbox', 'prepaid_resource'],
    input: z.strictObject({
      image: z
        .string()
        .min(1)
        .max(500)
        .optional()
        .describe('A container image. Default: a slim Debian.'),
      command: command
        .optional()
        .describe(
          'Started at once, and not waited for: a string for sh -c, or a list of arguments.',
        ),
      timeout: z.int().min(1).max(secondsMax).default(300).describe('Seconds after which it ends.'),
      gpu: z.enum(gpus).optional().describe('Leave out for a sandbox without a GPU.'),
    }),
    output: z.looseObject({
      sandbox_id: z.string(),
      provider: z.string().optional().describe('embedded: this gateway’s own machine.'),
    }),
    check({ gpu, timeout, image }) {
      if (image !== undefined && !imageName.test(image))
        throw fail('bad_request', {
          message: '"image" must be a name such as debian:bookworm-slim.',
        })
      if (gpu === undefined || timeout <= gpuSecondsMax) return
      throw fail('bad_request', {
        message: `"timeout" may be at most ${gpuSecondsMax} seconds with a GPU.`,
      })
    },
    price: sandboxPrice,
    example: { input: { command: 'python3 -m http.server 8000', timeout: 600 }, cents: 3 },
    issues: ({ sandbox_id: id }) => ({ kind: 'sandbox', id }),
    // An image is built, and a machine with a GPU is waited for.
    timeoutMs: 300_000,
    async run({ input, http, clock, signal, ...call }) {
      if (http.atPaidEndpoint) {
        const bought = await buy(http, 'create', input)
        requireIssued(sandboxId, bought.sandbox_id)
        return bought
      }
      const { image = imageDefault, command: wanted, timeout: seconds, gpu } = input
      const name = await prepaid.begin('ns_sandbox', call)
      const argv = wanted === undefined ? [] : argvOf(wanted)
      const terms = { name, image, argv, seconds, gpu }
      return { sandbox_id: await modal.create({ http, clock, signal }, terms) }
    },
  })
