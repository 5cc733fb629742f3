// Sandboxes of this machine: boxes that are paid in advance, and that end with their time.
import type { AccessRight, OpenAccess } from '#core/access/open-access.ts'
import type { RecordEffect } from '#core/effects/effect.ts'
import { CallError, fail } from '#core/errors.ts'
import { elsewhere } from '#core/gateways/elsewhere.ts'
import { uuidv7 } from '#core/id.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { SessionFiles } from '#core/session.ts'
import { runEvery } from '#platform/recurring.ts'
import {
  type BoxCommand,
  BoxRefusal,
  type BoxResult,
  type StandingBox,
} from '#platform/sandbox/standing-box.ts'
import { createBoxFiles } from './box-files.ts'
import type { Machine } from './machine.ts'
import type { SandboxRow, SandboxRows } from './sandbox-rows.ts'

/** A string is run by `sh -c`. */
export type SandboxCommand = string | readonly string[]

export interface SandboxStatus {
  readonly status: SandboxRow['state']
  readonly returncode: number | null
}

interface NewSandbox {
  readonly command?: SandboxCommand | undefined
  readonly timeoutMs: number
  /** It ends with this right. */
  readonly right: AccessRight
}

export interface Sandboxes {
  /** Opens a box and starts the command in it, without waiting for its end. Resolves to the id. */
  create(
    terms: NewSandbox & { readonly effect: RecordEffect },
    signal: AbortSignal,
  ): Promise<string>
  /** Throws `not_found`, `session_closed`, `session_elsewhere`. */
  exec(
    id: string,
    terms: { readonly command: SandboxCommand; readonly timeoutMs: number },
    signal: AbortSignal,
  ): Promise<BoxResult>
  /** Throws as `exec` does. */
  files(id: string): Promise<SessionFiles>
  status(id: string): Promise<SandboxStatus>
  /** Repeating it changes nothing. */
  terminate(id: string): Promise<void>
  /** Ends all of this gateway. */
  close(): Promise<void>
}

interface LiveSandbox {
  readonly box: StandingBox
  readonly expiry: AbortController
  returncode: number | null
  ending?: Promise<void>
}

const argvOf = (command: SandboxCommand) =>
  typeof command === 'string' ? ['/bin/sh', '-c', command] : command

interface Dependencies {
  readonly machine: Machine
  readonly rows: SandboxRows
  readonly access: Pick<OpenAccess, 'enter'>
  readonly clock: Clock
  readonly log: Log
}

export function createSandboxes(dependencies: Dependencies): Sandboxes {
  const { machine, rows, clock } = dependencies
  const lives = createLives(dependencies)

  /** Throws when this gateway does not have it. */
  async function find(id: string): Promise<LiveSandbox> {
    const known = lives.get(id)
    if (known !== undefined) return known
    const row = await rows.find(id)
    if (row === undefined) throw fail('not_found')
    if (row.state === 'running' && row.isElsewhere) throw elsewhere({ gateway: row.gatewayId })
    throw fail('session_closed', { message: overMessage })
  }

  return {
    async create({ command, timeoutMs, right, effect }, signal) {
      const box = await machine.open(right.accountId, signal)
      const id = `sb-${uuidv7(clock.now())}`
      try {
        await rows.insert(id, clock.now() + timeoutMs, effect)
      } catch (thrown) {
        await box.close()
        throw thrown
      }
      lives.begin(id, box, { command, timeoutMs, right })
      return id
    },
    async exec(id, { command, timeoutMs }, signal) {
      const { box, expiry } = await find(id)
      const ended = AbortSignal.any([signal, expiry.signal])
      try {
        return await box.run({ argv: argvOf(command), timeoutMs, signal: ended })
      } catch (thrown) {
        if (thrown instanceof BoxRefusal) throw fail('bad_request', { message: refusalOf(thrown) })
        if (signal.aborted || box.isAlive()) throw thrown
        throw fail('session_closed', { message: 'The sandbox ended while the command ran.' })
      }
    },
    files: async (id) => createBoxFiles((await find(id)).box),
    async status(id) {
      const known = lives.get(id)
      if (known !== undefined) return stateOf(known)
      await lives.ending(id)
      const row = await rows.find(id)
      if (row === undefined) throw fail('not_found')
      if (row.state !== 'running') return { status: row.state, returncode: row.returncode }
      if (row.isElsewhere) throw elsewhere({ gateway: row.gatewayId })
      // Its gateway has stopped, and the box with it.
      await rows.end(id, 'failed')
      return { status: 'failed', returncode: row.returncode }
    },
    async terminate(id) {
      if (lives.get(id) !== undefined) return await lives.end(id)
      await find(id).catch((thrown) => {
        if (!(thrown instanceof CallError && thrown.code === 'session_closed')) throw thrown
      })
    },
    close: lives.close,
  }
}

/** One whose first command has failed takes further commands until its end. */
const stateOf = ({ returncode }: LiveSandbox): SandboxStatus => ({
  status: hasFailed(returncode) ? 'failed' : 'running',
  returncode,
})

const hasFailed = (returncode: number | null) => returncode !== null && returncode !== 0

/** The sandboxes of this gateway, from their creation to their end. */
function createLives({ rows, access, clock, log }: Dependencies) {
  const live = new Map<string, LiveSandbox>()

  async function end(id: string, state?: 'finished' | 'failed'): Promise<void> {
    const sandbox = live.get(id)
    if (sandbox === undefined) return
    sandbox.ending ??= (async () => {
      sandbox.expiry.abort(new Error('The sandbox has ended.'))
      await sandbox.box.close()
      await rows.end(id, state ?? (hasFailed(sandbox.returncode) ? 'failed' : 'finished'))
      live.delete(id)
    })()
    await sandbox.ending
  }

  /** Ends those whose rows say that they have ended. */
  async function look() {
    if (live.size === 0) return
    const ended = await rows.findEnded([...live.keys()])
    await Promise.all(ended.map((id) => end(id)))
  }
  const looking = runEvery(lookIntervalMs, look, (err) =>
    log.warn({ err }, 'The rows of sandboxes were not looked at.'),
  )

  /** No caller waits for it, so a failure is logged. */
  function inBackground(work: Promise<unknown>) {
    work.catch((err) => log.warn({ err }, 'A sandbox did not end as it should.'))
  }

  return {
    /** One that is ending runs nothing more. */
    get(id: string): LiveSandbox | undefined {
      const known = live.get(id)
      return known?.ending === undefined ? known : undefined
    },
    /** Resolves when its row says how it ended, if it is ending here. */
    ending: async (id: string) => await live.get(id)?.ending,
    begin(id: string, box: StandingBox, { command, timeoutMs, right }: NewSandbox) {
      const sandbox: LiveSandbox = { box, expiry: new AbortController(), returncode: null }
      live.set(id, sandbox)
      const { signal } = sandbox.expiry
      const isOver = clock.sleep(timeoutMs, signal).then(
        () => end(id),
        () => {},
      )
      inBackground(isOver)
      signal.addEventListener(
        'abort',
        access.enter('sandbox', right, () => inBackground(end(id))),
      )
      inBackground(box.ended.then(() => end(id, 'failed')))
      if (command !== undefined)
        inBackground(
          runFirst(rows, [id, sandbox], {
            argv: argvOf(command),
            timeoutMs: timeoutMs + afterEndMs,
            signal,
          }),
        )
    },
    end: (id: string) => end(id),
    async close() {
      await looking.close()
      await Promise.all([...live.keys()].map((id) => end(id)))
    },
  }
}

async function runFirst(
  rows: SandboxRows,
  [id, sandbox]: readonly [string, LiveSandbox],
  command: BoxCommand,
): Promise<void> {
  const result = await sandbox.box.run(command).catch(() => undefined)
  if (result === undefined) return
  sandbox.returncode = result.exitCode ?? killedReturncode
  await rows.setReturncode(id, sandbox.returncode)
}

/** How soon a box ends whose row says that it is over. */
const lookIntervalMs = 1_000
/** The first command ends with its sandbox, not by a timeout of its own. */
const afterEndMs = 60_000
/** Of a program that was killed, as at the vendor. */
export const killedReturncode = -1

const overMessage =
  'This sandbox was terminated, or its time is over. Create another one with ns_sandbox/sandbox-create.'

const refusalOf = ({ message }: BoxRefusal) => `The box cannot start the command: ${message}.`
