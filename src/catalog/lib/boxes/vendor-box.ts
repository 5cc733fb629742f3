// Makes sessions of the boxes of a vendor. What all vendors have in common is here: names, scripts, limits, what
// happens when a box has ended by itself, and a time limit at the vendor that is extended while this gateway looks
// after the box.
import { z } from '#core/action.ts'
import { CallError, fail } from '#core/errors.ts'
import type { Clock, ProviderHttp } from '#core/ports.ts'
import type {
  SessionCommand,
  SessionContext,
  SessionKind,
  SessionPolicy,
  SessionResource,
  SessionResult,
  Usage,
} from '#core/session.ts'
import {
  type Interpreter,
  programFile,
  programOf,
  readAnswer,
  scriptOf,
  temporaryFolder,
  unreadable,
  writeLines,
} from './in-box-script.ts'
import { machineMax } from './session-fields.ts'
import { createVendorFiles } from './vendor-files.ts'

/**
 * A vendor ends a box after this time without an extension. A gateway that dies for good leaves no box that costs
 * money.
 */
export const leaseMs = 1_800_000
/** How often a vendor is asked whether a box still runs, at most. */
const lookEveryMs = 60_000
/** A script is one argument of a program, for which Linux has a limit of 128 KiB. Longer programs are sent in parts. */
const partBytesMax = 60_000

/** A request for a run waits this much longer than the run may take. */
const answerMarginMs = 9_000
/** Limits the upload of one part of a file. */
const partTimeoutMs = 30_000
const uploadTimeoutMs = 60_000

/** How long to wait for the answer to a run. */
export const waitFor = ({ timeoutMs }: BoxRun) => timeoutMs + answerMarginMs

/** What callers say of a new box. */
export interface BoxInput {
  readonly template?: string | undefined
  readonly envs?: Readonly<Record<string, string>> | undefined
}

export interface BoxRun {
  readonly script: string
  /** How long the script may take. The request should wait a little longer. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** A file on its way to a vendor. */
export interface BoxFile {
  readonly name: string
  readonly bytes: Buffer
}

export type BoxStatus = 'running' | 'suspended' | 'gone'

/** The requests of a vendor. Each may throw a CallError. `Box`: JSON by which the vendor finds the box again. */
export interface BoxVendor<Input, Box> {
  readonly box: z.ZodType<Box>
  /** Makes a box with the name of its session, which ends `leaseMs` later. Resolves when it runs scripts. */
  readonly create: (context: SessionContext & { readonly input: Input }) => Promise<Box>
  /** Runs a script with `sh`. Resolves to what it wrote to stdout. Throws `not_found` when the box is gone. */
  readonly execute: (http: ProviderHttp, box: Box, run: BoxRun) => Promise<string>
  /** A request that takes a file. Absent: scripts carry files. */
  readonly upload?: {
    /** Where the file arrives, in the words of a shell. */
    readonly folder: string
    /** Writes a new file into the folder. */
    readonly put: (
      http: ProviderHttp,
      box: Box,
      file: BoxFile,
      limit: { readonly timeoutMs: number; readonly signal: AbortSignal },
    ) => Promise<unknown>
  }
  readonly status: (http: ProviderHttp, box: Box) => Promise<BoxStatus>
  /** The box now ends `leaseMs` from now. Absent: the vendor ends no box by itself. */
  readonly extend?: (http: ProviderHttp, box: Box, sinceMs: number) => Promise<void>
  readonly suspend?: (context: SessionContext, box: Box) => Promise<void>
  readonly resume?: (context: SessionContext, box: Box) => Promise<void>
  /** Removes the boxes of this name. Repeating it changes nothing. `box` is what `create` resolved to, if it did. */
  readonly remove: (http: ProviderHttp, name: string, box: Box | undefined) => Promise<void>
}

export interface BoxTerms<Box> {
  readonly policy: SessionPolicy
  /**
   * What one second adds to each meter. A box is charged by the processors that it has, not by those that were asked
   * for.
   */
  readonly perSecond: (box: Box) => Usage
  /** Only the time with a command under way is charged. */
  readonly idleIsFree?: true
  /** The language of code that names none. Absent: Python. */
  readonly codeLanguage?: (box: Box) => SessionResource['codeLanguage']
  /** Runs code in an interpreter that keeps its variables. */
  readonly interpret?: (command: SessionCommand, box: Box) => Interpreter | undefined
}

export const hourMs = 3_600_000
/** Only sprites stay open when they are forgotten. */
export const untilForgotten: SessionPolicy = { idle: { afterMs: hourMs, outcome: 'close' } }

export const perProcessor = ({ vcpus }: { readonly vcpus: number }) => ({
  vcpu: Math.min(vcpus, machineMax.vcpus),
})

/** The vendor's own default has the name `base`. */
export const templateOf = ({ template }: BoxInput) => (template === 'base' ? undefined : template)

export const unknownTemplate = (known: readonly string[]) =>
  fail('bad_request', {
    message: `"template" must be one of: ${known.join(', ')}. Nothing was charged.`,
  })

/** The name of a session's box. */
export const nameOf = (sessionId: string) => `tollway-${sessionId}`

export function createBoxKind<Input, Box>(
  vendor: BoxVendor<Input, Box>,
  terms: BoxTerms<Box>,
): SessionKind<Input> {
  return {
    reach: 'anywhere',
    policy: terms.policy,
    async open(context) {
      return resourceOf(vendor, terms, context, await vendor.create(context))
    },
    async adopt(context, state) {
      const box = vendor.box.safeParse(state).data
      // A box of this machine, from before the vendor's key was set.
      if (box === undefined) return undefined
      const status = await vendor.status(context.http, box)
      if (status === 'gone') return undefined
      if (status === 'suspended') await vendor.resume?.(context, box)
      return resourceOf(vendor, terms, context, box)
    },
    async discard({ http, sessionId }, state) {
      await vendor.remove(http, nameOf(sessionId), vendor.box.safeParse(state).data)
    },
  }
}

function resourceOf<Input, Box>(
  vendor: BoxVendor<Input, Box>,
  terms: BoxTerms<Box>,
  context: SessionContext,
  box: Box,
): SessionResource {
  const { http, sessionId } = context
  const { suspend, upload } = vendor
  const watch = createWatch(vendor, context, box)
  const busy = createBusyTime(context.clock)
  const perSecond = terms.perSecond(box)
  const codeLanguage = terms.codeLanguage?.(box)

  async function attempt<Result>(
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> {
    busy.begin()
    try {
      return await work()
    } catch (thrown) {
      signal.throwIfAborted()
      if (!(thrown instanceof CallError)) throw thrown
      // The session engine asks whether the box is alive when what is thrown is not an answer for the caller.
      if (await watch.hasEnded().catch(() => false))
        throw new Error('The box has ended.', { cause: thrown })
      throw thrown.code === 'not_found' ? unreadable(thrown) : thrown
    } finally {
      busy.end()
    }
  }

  return {
    state: box,
    perSecond,
    ...(codeLanguage && { codeLanguage }),
    ...(terms.idleIsFree && { measure: async () => multiply(perSecond, busy.seconds()) }),
    run: (command, signal) =>
      attempt(signal, () => runScript(vendor, terms, { ...context, signal }, { box, command })),
    files: createVendorFiles({
      run: (script, signal) =>
        attempt(signal, () =>
          vendor.execute(http, box, { script, timeoutMs: partTimeoutMs, signal }),
        ),
      ...(upload && {
        upload: {
          folder: upload.folder,
          async put(name, bytes, signal) {
            const limit = { timeoutMs: uploadTimeoutMs, signal }
            await attempt(signal, () => upload.put(http, box, { name, bytes }, limit))
          },
        },
      }),
    }),
    alive: watch.alive,
    ...(suspend && {
      async suspend() {
        await suspend(context, box)
        return box
      },
    }),
    close: () => vendor.remove(http, nameOf(sessionId), box),
  }
}

const multiply = (use: Usage, times: number): Usage =>
  Object.fromEntries(Object.entries(use).map(([meter, each]) => [meter, each * times]))

/** The time in which at least one command was under way. */
function createBusyTime(clock: Clock) {
  let running = 0
  let beganAtMs = 0
  let totalMs = 0
  return {
    begin() {
      if (running === 0) beganAtMs = clock.now()
      running += 1
    },
    end() {
      running -= 1
      if (running === 0) totalMs += clock.now() - beganAtMs
    },
    seconds: () => Math.floor((totalMs + (running > 0 ? clock.now() - beganAtMs : 0)) / 1_000),
  }
}

/** Looks after a box, and extends its time at the vendor. */
function createWatch<Input, Box>(
  vendor: BoxVendor<Input, Box>,
  { http, clock }: SessionContext,
  box: Box,
) {
  let extendedAtMs = clock.now()
  let seenAtMs = clock.now()
  let isGone = false

  async function hasEnded(): Promise<boolean> {
    isGone ||= (await vendor.status(http, box)) === 'gone'
    seenAtMs = clock.now()
    return isGone
  }

  return {
    hasEnded,
    async alive() {
      if (isGone) return false
      const now = clock.now()
      if (vendor.extend !== undefined && now - extendedAtMs >= leaseMs / 2) {
        try {
          await vendor.extend(http, box, now - extendedAtMs)
          extendedAtMs = now
        } catch (thrown) {
          // The next round tries again, because half of the time is left.
          if (await hasEnded()) return false
          throw thrown
        }
      }
      return now - seenAtMs < lookEveryMs || !(await hasEnded())
    },
  }
}

async function runScript<Input, Box>(
  vendor: BoxVendor<Input, Box>,
  { interpret }: BoxTerms<Box>,
  { http, clock, signal }: SessionContext,
  { box, command }: { box: Box; command: SessionCommand },
): Promise<SessionResult> {
  const execute = (script: string) =>
    vendor.execute(http, box, { script, timeoutMs: command.timeoutMs, signal })
  const write = await deliver(programOf(command).text, execute)
  const script = scriptOf(command, write, interpret?.(command, box))
  const startedAtMs = clock.now()
  const printed = await execute(script)
  return readAnswer(printed, { isLate: clock.now() - startedAtMs >= command.timeoutMs })
}

/**
 * Sends a long program in parts. Resolves to the lines of a script that put the program where the script expects it.
 */
async function deliver(
  text: string,
  execute: (script: string) => Promise<string>,
): Promise<string> {
  const bytes = Buffer.from(text)
  if (bytes.length <= partBytesMax) return writeLines(programFile, bytes, '>')
  const file = `${temporaryFolder}/.tollway-${crypto.randomUUID()}`
  for (let sent = 0; sent < bytes.length; sent += partBytesMax)
    await execute(writeLines(file, bytes.subarray(sent, sent + partBytesMax), '>>'))
  return `mv ${file} ${programFile} || exit 1\n`
}

/** Reads a reply of a vendor. Throws `upstream_error`. */
export function readReply<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): z.output<Schema> {
  const read = schema.safeParse(body)
  if (read.success) return read.data
  throw unreadable(new Error(z.prettifyError(read.error)))
}
