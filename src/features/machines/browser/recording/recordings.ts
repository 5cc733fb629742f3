// Recordings of rented browsers. While a session is open its pictures are written to a folder of this machine. When it
// is over, by its release, its expiry or the death of its gateway, a round of the sweep makes a video of them: a file
// of the account.
import type { ReadStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Caller } from '#core/caller.ts'
import { CallError } from '#core/errors.ts'
import type { OpenCallerFiles } from '#core/files.ts'
import type { Clock, Log } from '#core/ports.ts'
import { browserMinutesMax } from '#core/session.ts'
import type { ConfinedChromium } from '#platform/chromium/confined-chromium.ts'
import { findProgram, type Sandbox } from '#platform/sandbox/sandbox.ts'
import { lookIntervalMs } from '../limits.ts'
import type { BrowserSession, BrowserSessionRows } from '../session-rows.ts'
import { encode } from './encode.ts'
import { NoVideo, type RecordingFailure } from './failures.ts'
import { finishedWithinMs, framesBytesMax, recordedMinutesMax, videoBytesMax } from './limits.ts'
import { type RecorderOptions, record } from './recorder.ts'

export interface RecordingsDependencies {
  readonly rows: BrowserSessionRows
  readonly filesOf: OpenCallerFiles
  readonly sandbox: Sandbox
  /** Keeps pictures until they are encoded. */
  readonly folder: string
  readonly clock: Clock
  readonly log: Log
}

export interface Recordings {
  /** A sentence that tells what this machine lacks to record. Undefined: nothing is missing. */
  readonly missing: string | undefined
  /** Takes the room of a video out of the caller's quota. Throws `file_quota_exceeded`. */
  reserve(caller: Caller, sessionId: string): Promise<void>
  /**
   * Records what a browser of the session shows, until it ends. A session may have several browsers, one after another.
   * The promise resolves once the recording has begun or has failed to begin. It never rejects.
   */
  record(session: BrowserSession, chromium: ConfinedChromium): Promise<void>
  /** Forgets a session that did not start. */
  forget(caller: Caller, sessionId: string): Promise<void>
  /** Finishes recordings of sessions that are over. Waits for what runs. */
  sweep(): Promise<void>
  close(): Promise<void>
}

const minuteMs = 60_000
/** Names the video among the outputs of its session. */
const name = 'recording'
const suffix = '.frames'

export async function openRecordings(dependencies: RecordingsDependencies): Promise<Recordings> {
  const { folder, filesOf, clock, log } = dependencies
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeLeftovers(dependencies).catch((error) =>
    log.warn({ err: error }, 'Pictures of old recordings were not removed.'),
  )
  const folderOf = (sessionId: string) => path.join(folder, sessionId)
  const recording = new Map<string, Promise<void>>()
  const rounds = createRounds({ ...dependencies, folderOf, isRunning: (id) => recording.has(id) })

  return {
    missing:
      (await findProgram('ffmpeg')) === undefined
        ? 'ffmpeg is not installed: install the package ffmpeg.'
        : undefined,
    reserve: (caller, sessionId) =>
      filesOf(caller, sessionId).reserve({
        name,
        ...descriptionOf(sessionId),
        bytes: videoBytesMax,
        keptMs: browserMinutesMax * minuteMs + finishedWithinMs,
      }),
    record(session, chromium) {
      const { id } = session
      const begun = Promise.withResolvers<void>()
      const running = (recording.get(id) ?? Promise.resolve())
        .then(() => recordIn(folderOf(id), { chromium, clock, onBegun: begun.resolve }))
        .catch((error) => log.warn({ err: error, sessionId: id }, 'A browser is not recorded.'))
        .finally(() => {
          begun.resolve()
          if (recording.get(id) !== running) return
          recording.delete(id)
          rounds.wake()
        })
      recording.set(id, running)
      return begun.promise
    },
    async forget(caller, sessionId) {
      await recording.get(sessionId)
      await rm(folderOf(sessionId), { recursive: true, force: true })
      await filesOf(caller, sessionId).release(name)
    },
    sweep: rounds.sweep,
    async close() {
      await rounds.close()
      await Promise.all(recording.values())
    },
  }
}

/** Pictures of recordings that have ended: a gateway may die before it removes them. */
async function removeLeftovers({
  folder,
  rows,
}: Pick<RecordingsDependencies, 'folder' | 'rows'>): Promise<void> {
  for (const id of await readdir(folder))
    if ((await rows.find(id))?.recording !== 'pending')
      await rm(path.join(folder, id), { recursive: true, force: true })
}

const descriptionOf = (sessionId: string) => ({
  filename: `browser-${sessionId}.mp4`,
  mediaType: 'video/mp4',
})

/** Each browser of a session writes a file of its own, which is named after the time of its start. */
async function recordIn(
  folder: string,
  options: Pick<RecorderOptions, 'chromium' | 'clock' | 'onBegun'>,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const now = options.clock.now()
  const earlier = await framesIn(folder)
  let bytes = 0
  for (const place of earlier) bytes += (await stat(place)).size
  const beganMs = earlier[0] === undefined ? now : Number(path.basename(earlier[0], suffix))
  const untilMs = beganMs + recordedMinutesMax * minuteMs
  const bytesMax = framesBytesMax - bytes
  if (now >= untilMs || bytesMax <= 0) return
  await record({
    ...options,
    place: path.join(folder, `${now}${suffix}`),
    untilMs,
    bytesMax,
  })
}

/** The oldest first. */
async function framesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names
    .filter((each) => each.endsWith(suffix))
    .sort()
    .map((each) => path.join(folder, each))
}

type Due = Awaited<ReturnType<BrowserSessionRows['recordingsDue']>>[number]

interface Finishing extends RecordingsDependencies {
  readonly folderOf: (sessionId: string) => string
  readonly signal: AbortSignal
}

/** One recording at a time, because encoding takes whole processors. */
function createRounds({
  isRunning,
  ...dependencies
}: Omit<Finishing, 'signal'> & { readonly isRunning: (sessionId: string) => boolean }) {
  const { rows, clock, log } = dependencies
  const stopping = new AbortController()
  const { signal } = stopping
  let waiting = new AbortController()
  let round: Promise<void> | undefined

  async function runRound() {
    for (const due of await rows.recordingsDue()) {
      if (signal.aborted) return
      if (isRunning(due.id)) continue
      await finish(due, { ...dependencies, signal }).catch((error) => {
        if (!signal.aborted)
          log.warn({ err: error, sessionId: due.id }, 'A recording will be finished again.')
      })
    }
  }
  const sweep = () => {
    round ??= runRound().finally(() => {
      round = undefined
    })
    return round
  }
  async function loop() {
    while (!signal.aborted) {
      await sweep().catch((error) => log.warn({ err: error }, 'Recordings were not looked at.'))
      await clock.sleep(lookIntervalMs, AbortSignal.any([signal, waiting.signal])).catch(() => {})
      waiting = new AbortController()
    }
  }
  const running = loop()

  return {
    sweep,
    wake: () => waiting.abort(),
    async close() {
      stopping.abort()
      await running
    },
  }
}

/** Repeating it changes nothing: the video is stored once under the name of its session. */
async function finish(due: Due, { rows, folderOf, filesOf, ...dependencies }: Finishing) {
  const { id, accountId, endedAt, isOurs } = due
  const { clock, log } = dependencies
  const places = await framesIn(folderOf(id))
  const isTooLate = clock.now() >= endedAt.getTime() + finishedWithinMs
  // The pictures may be on another machine, with a gateway that is down.
  if (places.length === 0 && !isOurs && !isTooLate) return
  if (!(await rows.claim(id))) return
  const files = filesOf({ kind: 'wallet', accountId }, id)
  try {
    if (places.length === 0 && !isOurs) throw new NoVideo('pictures_lost', 'They are not here.')
    const save = async (content: ReadStream) =>
      await files.save({ name, ...descriptionOf(id), content })
    const { fileId } = await encode(places, dependencies, save)
    await rows.endRecording(id, { fileId })
  } catch (thrown) {
    const failure = failureOf(thrown, isTooLate)
    if (failure === undefined) throw thrown
    log.warn({ err: thrown, sessionId: id }, 'A recording has failed.')
    await files.release(name)
    await rows.endRecording(id, { failure })
  }
  await rm(folderOf(id), { recursive: true, force: true })
}

/** Undefined: it is worth another try. */
function failureOf(thrown: unknown, isTooLate: boolean): RecordingFailure | undefined {
  if (thrown instanceof NoVideo) return thrown.failure
  if (thrown instanceof CallError) return 'no_room'
  return isTooLate ? 'not_encoded' : undefined
}
