// A private provider whose sessions are processes and folders of this machine, for gateways in processes of their own.
// The processes of `detached` boxes outlive their gateway, those of `attached` ones end with it.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { defineSession, z } from '#core/action.ts'
import { defineProvider } from '#core/provider.ts'
import type { SessionCommand, SessionKind, SessionResource } from '#core/session.ts'

/** $36 an hour: a second costs a cent. */
export const microsPerSecond = 10_000
const outputBytesMax = 100_000

const root = () => process.env.BOXES_DIR ?? '/nowhere'
const folderOf = (sessionId: string) => path.join(root(), sessionId)

/** Processes with this text in their environment, which their children inherit. */
export async function processesNaming(text: string): Promise<number[]> {
  const entries = await readdir('/proc')
  const found = await Promise.all(
    entries
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .map(async (name) => {
        const environment = await readFile(`/proc/${name}/environ`, 'utf8').catch(() => '')
        return environment.includes(text) ? [Number(name)] : []
      }),
  )
  return found.flat()
}

async function endProcesses(sessionId: string): Promise<void> {
  for (;;) {
    const left = await processesNaming(sessionId)
    if (left.length === 0) return
    for (const pid of left) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has ended by itself.
      }
    }
    await delay(10)
  }
}

async function discard({ sessionId }: { sessionId: string }): Promise<void> {
  await endProcesses(sessionId)
  await rm(folderOf(sessionId), { recursive: true, force: true })
}

function runShell(sessionId: string, command: string, timeoutMs: number, signal: AbortSignal) {
  const options = {
    cwd: folderOf(sessionId),
    timeout: timeoutMs,
    maxBuffer: outputBytesMax,
    signal,
  }
  return new Promise<Awaited<ReturnType<SessionResource['run']>>>((resolve, reject) => {
    execFile('sh', ['-c', command, sessionId], options, (error, stdout, stderr) => {
      if (signal.aborted) return reject(signal.reason)
      const timedOut = error?.killed === true
      const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : null
      resolve({ stdout, stderr, exitCode, timedOut })
    })
  })
}

function resourceOf(sessionId: string): SessionResource {
  return {
    state: { sessionId },
    perSecond: { box: 1 },
    run: (command: SessionCommand, signal) =>
      runShell(
        sessionId,
        'command' in command ? command.command : command.code,
        command.timeoutMs,
        signal,
      ),
    alive: async () => (await processesNaming(`BOX_FIRST=${sessionId}`)).length > 0,
    close: () => discard({ sessionId }),
  }
}

/**
 * The first process of a box. A detached one waits for ever; an attached one until its gateway's end closes its input.
 */
function startBox(sessionId: string, detached: boolean): ChildProcess {
  const env = { ...process.env, BOX_FIRST: sessionId }
  if (!detached) return spawn('cat', { env, stdio: ['pipe', 'ignore', 'ignore'] })
  const box = spawn('sleep', ['infinity'], { env, detached, stdio: 'ignore' })
  box.unref()
  return box
}

function kindOf(detached: boolean): SessionKind<Record<string, never>> {
  return {
    reach: 'machine',
    policy: {},
    async open({ sessionId }) {
      await mkdir(folderOf(sessionId), { recursive: true })
      await once(startBox(sessionId, detached), 'spawn')
      return resourceOf(sessionId)
    },
    async adopt({ sessionId }) {
      const resource = resourceOf(sessionId)
      return (await resource.alive()) ? resource : undefined
    },
    discard,
  }
}

const kindOfAction = (name: string, detached: boolean) =>
  defineSession(name, {
    summary: 'Open a box.',
    input: z.strictObject({}),
    price: {
      perHourCents: { box: (microsPerSecond * 3_600) / 10_000 },
      reserveCents: 50,
      atMostCents: 100_000,
      basis: '1¢ per second',
    },
    sessionsAtOnceMax: { perAccount: 1_000, perMachine: 1_000 },
    example: { input: {}, cents: 50 },
    session: kindOf(detached),
  })

export const processBoxes = defineProvider({
  id: 'process_boxes',
  title: 'Boxes that are processes',
  actions: [kindOfAction('detached', true), kindOfAction('attached', false)],
})
