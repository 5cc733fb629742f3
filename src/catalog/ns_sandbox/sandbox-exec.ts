import { defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { withFiles } from '#core/file-transfer/carry.ts'
import {
  callBytesMax,
  carriedFile,
  fileFields,
  orderOf,
  transferTimeoutMs,
} from '#core/file-transfer/order.ts'
import { argvOf, command, sandboxId, sandboxOf } from './lib/fields.ts'
import type { Modal } from './lib/modal.ts'
import { buy } from './lib/paid-endpoint.ts'

const timeoutSecondsMax = 600

const takesNoFiles = () =>
  fail('bad_request', {
    message:
      'This provider runs commands without files: leave files, collect and save out. Nothing was charged.',
  })

export const sandboxExec = (modal: Modal) =>
  defineAction('sandbox-exec', {
    summary: 'Run a command in a sandbox and read its output.',
    notes:
      'Files stay in the sandbox between commands; variables of the shell do not. The sandbox comes from ns_sandbox/sandbox-create.',
    synonyms: ['shell command', 'bash', 'terminal', 'execute a script', 'subprocess', 'run a test'],
    questions: [
      'how do I run a shell command in my sandbox?',
      'what does this script print?',
      'can I run tests in the sandbox?',
    ],
    input: z.strictObject({
      sandbox_id: sandboxId,
      command: command.describe('A string for sh -c, or a list of arguments without a shell.'),
      timeout: z
        .int()
        .min(1)
        .max(timeoutSecondsMax)
        .default(30)
        .describe('Seconds after which the command and what it has started are killed.'),
      ...fileFields(callBytesMax),
    }),
    output: z.looseObject({
      stdout: z.string().describe('The first megabyte, as UTF-8.'),
      stderr: z.string(),
      returncode: z.int().describe('-1 when a signal or the timeout ended it.'),
      timed_out: z.boolean().optional(),
      truncated: z.boolean().optional().describe('Whether stdout or stderr was cut.'),
      files: z.array(carriedFile).optional().describe('What collect and save name, in this order.'),
      provider: z.string().optional(),
    }),
    timeoutMs: (timeoutSecondsMax + 10) * 1_000 + transferTimeoutMs,
    price: { cents: 1 },
    example: {
      input: { sandbox_id: 'sb-01970000-0000-7000-8000-000000000001', command: 'echo hello' },
      cents: 1,
    },
    owned: sandboxOf,
    async run({ input, http, ...call }) {
      const { sandbox_id: id, command: wanted, timeout: seconds } = input
      const order = orderOf(input)
      if (http.atPaidEndpoint) {
        if (order !== undefined) throw takesNoFiles()
        return await buy(http, 'exec', input, (seconds + 10) * 1_000)
      }
      const { run, files } = await modal.connect({ http, ...call }, id)
      const work = () => run({ argv: argvOf(wanted), seconds })
      if (order === undefined) return await work()
      const transfer = { order, store: call.files, bytesMax: callBytesMax }
      return await withFiles(files, transfer, call.signal, work)
    },
  })
