// The actions of the compute providers on this machine.
import { rightOf } from '#core/access/open-access.ts'
import { type RunContext, runBySessions } from '#core/action.ts'
import type { StandIn, StandIns } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { withFiles } from '#core/file-transfer/carry.ts'
import { callBytesMax, type FileOrder, orderOf } from '#core/file-transfer/order.ts'
import { showResult } from './commands.ts'
import type { Machine } from './machine.ts'
import { boxPolicies } from './policies.ts'
import { killedReturncode, type SandboxCommand, type Sandboxes } from './sandboxes.ts'
import type { BoxSessionInput, BoxSessions } from './session-kind.ts'

/** The name of this machine in its answers. */
const provider = 'embedded'
const imageDefault = 'default'

interface CreateInput {
  readonly image?: string
  readonly command?: SandboxCommand
  readonly timeout: number
  readonly gpu?: string
}

interface ExecInput extends FileOrder {
  readonly sandbox_id: string
  readonly command: SandboxCommand
  readonly timeout: number
}

export function createComputeStandIns(
  sandboxes: Sandboxes,
  sessions: Readonly<Record<keyof typeof boxPolicies, BoxSessions>>,
  { fullFor, missing }: Pick<Machine, 'fullFor'> & { readonly missing: string | undefined },
): StandIns {
  const base = { check: () => {}, ...(missing !== undefined && { missing }) }
  const standIns: [string, StandIn][] = [
    [
      'ns_sandbox/sandbox-create',
      {
        ...base,
        fullFor,
        check: refuseWhatIsNotHere,
        async run({ input, caller, signal, effect }: RunContext<CreateInput>) {
          const { command, timeout } = input
          const right = rightOf(caller)
          const terms = { command, timeoutMs: timeout * 1_000, right, effect }
          const sandbox_id = await sandboxes.create(terms, signal)
          return { sandbox_id, provider }
        },
      },
    ],
    [
      'ns_sandbox/sandbox-exec',
      {
        ...base,
        run: (context: RunContext<ExecInput>) => execute(sandboxes, context),
      },
    ],
    [
      'ns_sandbox/sandbox-status',
      {
        ...base,
        async run({ input: { sandbox_id } }: RunContext<{ sandbox_id: string }>) {
          return { sandbox_id, ...(await sandboxes.status(sandbox_id)), provider }
        },
      },
    ],
    [
      'ns_sandbox/sandbox-terminate',
      {
        ...base,
        async run({ input: { sandbox_id } }: RunContext<{ sandbox_id: string }>) {
          await sandboxes.terminate(sandbox_id)
          const { status } = await sandboxes.status(sandbox_id)
          return { sandbox_id, status, provider }
        },
      },
    ],
    ...Object.entries(sessions).map(([namespace, { kind }]): [string, StandIn] => [
      `${namespace}/create_session`,
      {
        ...base,
        fullFor,
        run: runBySessions,
        session: kind,
        check: templateCheck(namespace as keyof typeof boxPolicies),
      },
    ]),
  ]
  return new Map(standIns)
}

async function execute(
  sandboxes: Sandboxes,
  { input, signal, files: store }: RunContext<ExecInput>,
) {
  const { sandbox_id, command, timeout } = input
  const work = async () => {
    const terms = { command, timeoutMs: timeout * 1_000 }
    const { exitCode, timedOut, ...rest } = showResult(
      await sandboxes.exec(sandbox_id, terms, signal),
    )
    return { ...rest, returncode: exitCode ?? killedReturncode, timed_out: timedOut, provider }
  }
  const order = orderOf(input)
  if (order === undefined) return await work()
  const box = await sandboxes.files(sandbox_id)
  return await withFiles(box, { order, store, bytesMax: callBytesMax }, signal, work)
}

function refuseWhatIsNotHere({ image = imageDefault, gpu }: CreateInput): void {
  if (gpu !== undefined)
    throw fail('bad_request', {
      message: 'This gateway has no GPU: its sandboxes run on its own machine. Leave "gpu" out.',
    })
  if (image !== imageDefault)
    throw fail('bad_request', {
      message:
        'This gateway runs sandboxes on its own machine, with its own programs. Leave "image" out.',
    })
}

const templateCheck = (namespace: keyof typeof boxPolicies) => {
  const { templates } = boxPolicies[namespace]
  const known: readonly string[] = templates
  return ({ template }: BoxSessionInput) => {
    if (template === undefined || known.includes(template)) return
    throw fail('bad_request', {
      message: `There is no template ${template} on this gateway. Send ${known.join(', ')}, or leave "template" out.`,
    })
  }
}
