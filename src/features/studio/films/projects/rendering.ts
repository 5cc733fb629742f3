// The stand-ins that make films and list them.
import { createReadStream } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { JobContext, RunContext } from '#core/action.ts'
import type { StandIn } from '#core/catalog.ts'
import { CallError, fail } from '#core/errors.ts'
import type { FairPlaces } from '#platform/threads/fair-places.ts'
import { clipsOf, keepValid } from '../composition/composition.ts'
import type { MediaState } from '../composition/media.ts'
import { roundToMilliseconds } from '../composition/timing.ts'
import type { FontShelf } from '../fonts/shelf.ts'
import { type Film, FilmFailure, type FilmRenderer, type MediaFile } from '../render/film.ts'
import { workOf } from '../render/work.ts'
import { mediaIdsOf, provider } from './editing.ts'
import type { MediaStore, StoredMedia } from './media-store.ts'
import type { ProjectStore, StoredProject } from './project-store.ts'
import type { RenderStore, StoredRender } from './render-store.ts'
import type { RenderTurn, RenderTurns } from './render-turns.ts'
import { withCopies } from './work-folder.ts'

interface RenderInput {
  readonly project_id: string
  readonly intent: StoredRender['intent'] | 'still'
  readonly output: 'mp4' | 'gif'
  readonly at_sec: number
}

interface FilmInput extends RenderInput {
  readonly intent: StoredRender['intent']
}

/** What is kept of a finished film, so that another try does not make it again. */
interface KeptFilm extends Pick<Film, 'bytes' | 'width' | 'height' | 'fps' | 'durationSeconds'> {
  readonly fileId: string
  readonly dropped: readonly object[]
}

/** A render waits so long before it asks for a place again. */
const busyDelayMs = 2_000
/** Progress is written, and the hold looked at, so often. */
const reportIntervalMs = 1_000
const titleCharactersMax = 80

interface Dependencies {
  readonly projects: ProjectStore
  readonly media: MediaStore
  readonly renders: RenderStore
  readonly renderer: Pick<FilmRenderer, 'render' | 'still'>
  readonly turns: Pick<RenderTurns, 'take'>
  /** For stills, which are answered at once. */
  readonly places: FairPlaces
  readonly fonts: () => Promise<FontShelf | undefined>
  /** What this machine lacks to render. */
  readonly missing: string | undefined
}

export function createRendering(
  dependencies: Dependencies,
): readonly (readonly [string, StandIn])[] {
  const { projects, renders, turns, missing } = dependencies

  const start = (context: JobContext<RenderInput>) =>
    isStill(context) ? renderStill(dependencies, context) : render(context as JobContext<FilmInput>)

  async function render(context: JobContext<FilmInput>) {
    const { input, caller, jobId, checkpoints, save, later, signal } = context
    const earlier = checkpoints.get('film') as KeptFilm | undefined
    if (earlier !== undefined) return await finish(context, earlier)
    const project = await projects.find(caller, input.project_id)
    const begun = checkpoints.has('composition')
    const composition = begun ? checkpoints.get('composition') : project.composition
    if (!begun) {
      if (await isBeingMade(projects, project, context.transactionId)) return later(busyDelayMs)
      await renders.begin(jobId, project.id, input.intent)
      await save('composition', composition)
    }
    const turn = turnOf(context, composition)
    try {
      const film = await turns.take(turn, () =>
        make(dependencies, context, { name: project.name, composition }),
      )
      if (film === undefined) return later(busyDelayMs)
      await save('film', film)
      return await finish(context, film)
    } catch (thrown) {
      const failure = signal.aborted ? signal.reason : explain(thrown)
      // After any other error the job is tried again.
      if (failure instanceof CallError) await renders.fail(jobId, failure.message)
      throw failure
    }
  }

  async function finish(context: JobContext<FilmInput>, film: KeptFilm) {
    const { fileId, durationSeconds: durationSec } = film
    await renders.complete(context.jobId, { fileId, durationSec })
    return await answer(context, film)
  }

  async function list({ input, caller, files }: RunContext<{ project_id: string }>) {
    const { id: project_id } = await projects.find(caller, input.project_id)
    const found = await renders.list(project_id)
    const listed = found.map(async ({ id, intent, status, error, fileId, ...film }) => ({
      render_id: id,
      project_id,
      intent,
      status,
      error,
      ...(fileId !== null && { file_id: fileId, output_url: await addressOf(files, fileId) }),
      duration_sec: roundToMilliseconds(film.durationSec),
      created_at: film.createdAt.toISOString(),
    }))
    return { renders: await Promise.all(listed), provider }
  }

  return [
    ['ns_assembler/render', { run: start, check: () => {}, ...(missing && { missing }) }],
    ['ns_assembler/list_renders', { run: list, check: () => {} }],
  ]
}

/** A film of what another call is still making may lose clips that it is paid for. */
async function isBeingMade(
  projects: ProjectStore,
  { id, composition }: Pick<StoredProject, 'id' | 'composition'>,
  callId: string | undefined,
): Promise<boolean> {
  const named = keepValid(composition).composition
  return await projects.isBeingMade(id, named === undefined ? [] : mediaIdsOf(named), callId)
}

function turnOf(
  { input, caller: { accountId }, jobId: renderId }: JobContext<FilmInput>,
  saved: unknown,
): RenderTurn {
  const { composition } = keepValid(saved)
  const work = composition === undefined ? { workSeconds: 0 } : workOf(composition, input.intent)
  return { renderId, accountId, ...work }
}

/** Makes the film and stores it in the caller's files. Throws `no_scenes`, and as `files.save` does. */
async function make(
  { media, renderer, fonts }: Dependencies,
  context: JobContext<FilmInput>,
  { name, composition: saved }: { readonly name: string; readonly composition: unknown },
): Promise<KeptFilm> {
  const { input, caller, files, signal } = context
  const named = keepValid(saved).composition
  if (named === undefined) throw fail('no_scenes')
  return await withCopies(context, async (copy) => {
    const found = await copyMedia(await media.findAll(caller, mediaIdsOf(named)), copy)
    // Media may have been forgotten since the composition was saved, and fonts removed.
    const { composition, dropped } = keepValid(saved, statesOf(found), await fonts())
    if (composition === undefined || clipsOf(composition).length === 0) throw fail('no_scenes')
    const film = await withReports(context, (report) =>
      renderer.render({
        composition,
        media: found,
        intent: input.intent,
        form: input.output,
        signal,
        report,
      }),
    )
    try {
      const { fileId } = await files.save({
        name: 'film',
        filename: `${titleOf(name)}-${input.intent}.${input.output}`,
        mediaType: input.output === 'gif' ? 'image/gif' : 'video/mp4',
        content: createReadStream(film.path),
      })
      const { bytes, width, height, fps, durationSeconds } = film
      const reasons = dropped.flatMap(({ errors }) => errors)
      return { fileId, bytes, width, height, fps, durationSeconds, dropped: reasons }
    } finally {
      await film.remove()
    }
  })
}

const isStill = ({ input }: JobContext<RenderInput>) => input.intent === 'still'

/** Throws as `make` does. A still is answered at once, and is not listed among the renders of the project. */
async function renderStill(dependencies: Dependencies, context: JobContext<RenderInput>) {
  const { projects, media, renderer, places, fonts } = dependencies
  const { input, caller, files, signal } = context
  const project = await projects.find(caller, input.project_id)
  if (await isBeingMade(projects, project, context.transactionId))
    throw fail('unavailable', {
      message:
        'Another call is still making this project or its media. Nothing was charged; try again once it has ended.',
    })
  const { name, composition: saved } = project
  const named = keepValid(saved).composition
  if (named === undefined) throw fail('no_scenes')
  const draw = () =>
    withCopies(context, async (copy) => {
      const found = await copyMedia(await media.findAll(caller, mediaIdsOf(named)), copy)
      const { composition, dropped } = keepValid(saved, statesOf(found), await fonts())
      if (composition === undefined || clipsOf(composition).length === 0) throw fail('no_scenes')
      const wish = { composition, media: found, atSeconds: input.at_sec, signal }
      return { still: await renderer.still(wish), dropped }
    })
  const asker = { owner: caller.accountId, signal }
  const { still, dropped } = await places.take(asker, draw).catch((thrown) => {
    throw explain(thrown)
  })
  const { fileId } = await files.save({
    name: 'still',
    filename: `${titleOf(name)}-${still.atSeconds.toFixed(2)}s.png`,
    mediaType: 'image/png',
    content: still.bytes,
  })
  return {
    render_id: fileId,
    project_id: input.project_id,
    intent: input.intent,
    status: 'complete',
    file_id: fileId,
    output_url: await addressOf(files, fileId),
    at_sec: roundToMilliseconds(still.atSeconds),
    width: still.width,
    height: still.height,
    size_bytes: still.bytes.length,
    dropped: dropped.flatMap(({ errors }) => errors),
    provider,
  }
}

/** Media with a deleted file is not among them. */
async function copyMedia(
  own: ReadonlyMap<string, StoredMedia>,
  copy: (fileId: string, name: string) => Promise<string>,
): Promise<ReadonlyMap<string, MediaFile>> {
  const found = new Map<string, MediaFile>()
  for (const [id, { fileId, probe }] of own) {
    const path = await copy(fileId, id).catch((thrown) => {
      if (thrown instanceof CallError && thrown.code === 'not_found') return undefined
      throw thrown
    })
    if (path !== undefined) found.set(id, { path, probe })
  }
  return found
}

const statesOf = (found: ReadonlyMap<string, MediaFile>) =>
  new Map<string, MediaState>([...found].map(([id, { probe }]) => [id, { status: 'ready', probe }]))

/** Writes the progress at intervals while `work` goes on: a report also finds out that the hold has ended. */
async function withReports<Result>(
  { report, signal }: Pick<JobContext<unknown>, 'report' | 'signal'>,
  work: (report: (percent: number) => void) => Promise<Result>,
): Promise<Result> {
  const done = new AbortController()
  let percent = 0
  const reports = (async () => {
    const stop = AbortSignal.any([done.signal, signal])
    while (!stop.aborted) {
      // The next one may succeed.
      await report({ phase: 'rendering', done: Math.floor(percent), total: 100 }).catch(() => {})
      await delay(reportIntervalMs, undefined, { signal: stop }).catch(() => {})
    }
  })()
  try {
    return await work((now) => {
      percent = now
    })
  } finally {
    done.abort()
    await reports
  }
}

function explain(thrown: unknown): unknown {
  if (!(thrown instanceof FilmFailure)) return thrown
  const message = `${thrown.message} Nothing was charged.`
  return fail(thrown.isRetryable ? 'upstream_error' : 'bad_request', { message, cause: thrown })
}

function titleOf(name: string): string {
  const title = name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replaceAll(/^[.-]+|[.-]+$/g, '')
  return title.slice(0, titleCharactersMax) || 'film'
}

async function answer({ input, jobId, files }: JobContext<FilmInput>, film: KeptFilm) {
  const { fileId, durationSeconds, width, height, fps, bytes, dropped } = film
  return {
    render_id: jobId,
    project_id: input.project_id,
    intent: input.intent,
    status: 'complete',
    file_id: fileId,
    output_url: await addressOf(files, fileId),
    duration_sec: roundToMilliseconds(durationSeconds),
    width,
    height,
    fps,
    size_bytes: bytes,
    dropped,
    provider,
  }
}

/** Null once the caller has deleted the film. */
const addressOf = (files: RunContext<unknown>['files'], fileId: string) =>
  files.address(fileId).catch((thrown) => {
    if (thrown instanceof CallError && thrown.code === 'not_found') return null
    throw thrown
  })
