// A box with what a session does in it.
import { fail } from '#core/errors.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { SessionResource } from '#core/session.ts'
import type { StandingBox } from '#platform/sandbox/standing-box.ts'
import { createBoxFiles } from './box-files.ts'
import { runCommand } from './commands.ts'
import type { Homes } from './homes.ts'
import { mergeRuns } from './merged.ts'
import type { BoxPolicy } from './policies.ts'
import { createWorkMeter } from './work-meter.ts'

/** What the engine keeps of a session. */
export interface BoxState {
  readonly template?: string | undefined
  readonly envs?: Readonly<Record<string, string>> | undefined
}

export interface LiveBox {
  readonly resource: SessionResource
  /** Saves what the next gateway needs, and closes the box. */
  readonly leave: () => Promise<void>
  /** Closes the box of a session that goes on from its saved home. */
  readonly setAside: () => Promise<void>
  /** The engine has it, and meters it. */
  isClaimed: boolean
}

const isScript = (template = '') => template === 'javascript' || template === 'typescript'

interface LiveParts {
  readonly sessionId: string
  readonly box: StandingBox
  readonly state: BoxState
  readonly clock: Clock
  readonly homes: Homes
  readonly log: Log
  readonly forget: () => void
}

export function createLiveBox(terms: BoxPolicy, parts: LiveParts): LiveBox {
  const { sessionId, box, state, clock, homes } = parts
  const meter = terms.perSecond === undefined ? createWorkMeter(box, clock) : undefined
  const life = createLife(parts, async () => meter?.stop())
  const commandTerms = {
    keepsVariables: terms.keepsVariables ?? false,
    isTypeScript: state.template === 'typescript',
    environment: terms.ignoresEnvs ? {} : (state.envs ?? {}),
  }

  /** Without `keepsFiles`, the home that was saved at a stop is out of date as soon as something changes. */
  let isSavedHomeCurrent = !terms.keepsFiles
  async function beforeChange(): Promise<void> {
    if (isSavedHomeCurrent) await homes.remove(sessionId)
    isSavedHomeCurrent = false
  }

  const files = createBoxFiles(box)
  const resource: SessionResource = {
    state,
    perSecond: terms.perSecond ?? meter?.perSecond ?? {},
    ...(isScript(state.template) && { codeLanguage: 'javascript' as const }),
    ...(meter && { measure: meter.read, background: meter.background }),
    async run(command, signal, onOutput) {
      if (life.isEnding()) throw fail('session_closed')
      await beforeChange()
      const end = meter?.begin()
      try {
        return await runCommand(box, command, commandTerms, { signal, onOutput })
      } finally {
        end?.()
        if (terms.keepsFiles && !life.isEnding()) void life.trySave()
      }
    },
    files: {
      ...files,
      async write(...file) {
        await beforeChange()
        await files.write(...file)
      },
    },
    alive: async () => box.isAlive(),
    ...(terms.keepsFiles && { unsavedSinceMs: life.unsavedSinceMs }),
    ...(terms.policy.idle?.outcome === 'suspend' && {
      async suspend() {
        await life.save()
        await life.end()
        return state
      },
      async salvage() {
        if (!(await homes.has(sessionId))) throw fail('session_closed')
        await life.end()
        return state
      },
    }),
    async close() {
      await life.end()
      await homes.remove(sessionId)
    },
  }

  return {
    resource,
    async leave() {
      // Variables would be missing after the start, so such a session ends.
      if (!terms.keepsVariables) await life.trySave()
      await life.end()
    },
    setAside: life.end,
    isClaimed: false,
  }
}

/** Saving a home and ending its box, in this order. */
function createLife(
  { sessionId, box, clock, homes, log, forget }: LiveParts,
  beforeEnd: () => Promise<void>,
) {
  let saving: Promise<void> = Promise.resolve()
  let isEnding = false
  let unsavedSinceMs: number | undefined

  const saveMerged = mergeRuns(async () => {
    try {
      await homes.save(sessionId, box)
      unsavedSinceMs = undefined
    } catch (thrown) {
      unsavedSinceMs ??= clock.now()
      throw thrown
    }
  })
  function save(): Promise<void> {
    saving = saveMerged()
    return saving
  }

  return {
    save,
    trySave: () =>
      save().catch((err) => log.warn({ err, sessionId }, 'The files of a session were not saved.')),
    isEnding: () => isEnding,
    unsavedSinceMs: () => unsavedSinceMs,
    async end() {
      isEnding = true
      forget()
      await saving.catch(() => {})
      await beforeEnd()
      await box.close()
      homes.release(sessionId)
    },
  }
}
