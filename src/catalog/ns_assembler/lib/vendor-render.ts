// A render at the vendor: launched once, polled without occupying a worker, and stored in the caller's files before the
// vendor's link expires.
import type { JobContext } from '#core/action.ts'
import { CallError, errorTable, fail } from '#core/errors.ts'
import { path } from '#core/path.ts'
import { requireIssued } from '../../lib/issued-id.ts'
import { type intents, readFilm } from './film.ts'
import { projectId, withoutSlash } from './project-id.ts'

interface RenderInput {
  readonly project_id: string
  readonly intent: (typeof intents)[number]
  readonly output: 'mp4' | 'gif'
}

const pollDelayMs = 3_000
/** A render that the vendor has not ended by then is given up. */
const renderMsMax = 90 * 60_000
/** The longest preview that the vendor makes. */
const previewSecMax = 60

export async function renderAtVendor(context: JobContext<RenderInput>) {
  const { input, http, clock, checkpoints, save, later, report, issue } = context
  if (input.intent === 'still' || input.output === 'gif')
    throw fail('bad_request', {
      message:
        'This provider makes MP4 films alone: leave out output, and set intent to preview or final. Nothing was charged.',
    })
  const { project_id, intent } = input
  const saved = checkpoints.get('render') as { id: string; at: number } | undefined
  const started = saved ?? { id: await launch(context), at: clock.now() }
  if (saved === undefined) {
    await save('render', started)
    await issue({ kind: 'render', id: `${project_id}/${started.id}` })
  }
  const isLate = clock.now() - started.at >= renderMsMax
  const seen = await http
    .get(path`/projects/${project_id}/renders/${started.id}`)
    .catch((thrown) => {
      const passes = thrown instanceof CallError && errorTable[thrown.code].retryable
      if (passes && !isLate) return later(pollDelayMs)
      throw thrown
    })
  const film = { ...readFilm(seen, project_id), intent }
  if (film.status === 'failed') throw failed(seen)
  if (film.status === 'complete') return { ...film, ...(await keep(context, film.output_url)) }
  if (isLate) throw fail('upstream_error')
  await report({ phase: 'rendering', done: film.percent ?? 0, total: 100 })
  return later(pollDelayMs)
}

async function launch({ input, http }: JobContext<RenderInput>): Promise<string> {
  const { project_id, intent } = input
  const composition = await http.get(path`/projects/${project_id}/composition`)
  const endSec = endOf(composition)
  if (endSec <= 0) throw fail('no_scenes')
  const { id } =
    intent === 'preview'
      ? await http.post(path`/projects/${project_id}/preview-clip`, {
          fromSec: 0,
          toSec: Math.min(endSec, previewSecMax),
        })
      : await http.post(path`/projects/${project_id}/renders`, {})
  requireIssued(withoutSlash(projectId), id)
  return id
}

interface Composition {
  readonly tracks?: readonly { readonly contents?: readonly Partial<Clip>[] }[]
}
interface Clip {
  readonly startTime: number
  readonly duration: number
}

function endOf({ tracks = [] }: Composition): number {
  const clips = tracks.flatMap(({ contents = [] }) => contents)
  return Math.max(0, ...clips.map(({ startTime = 0, duration = 0 }) => startTime + duration))
}

/** An `authoring` failure repeats each time, because the composition is at fault. */
function failed({ category }: { category?: unknown }) {
  if (category !== 'authoring')
    return fail('upstream_error', {
      message: 'The render failed at the provider. Nothing was charged; try again.',
    })
  return fail('bad_request', {
    message:
      'The provider cannot render this composition. Check it with ns_assembler/validate and fix every error. Nothing was charged.',
  })
}

/** Without room in the caller's files the vendor's own link is all there is. */
async function keep({ call, input }: JobContext<RenderInput>, url: string | null | undefined) {
  if (typeof url !== 'string') throw fail('upstream_error')
  const filename = `film-${input.intent}.mp4`
  const stored = await call('files/upload_from_url', { url, filename }).catch(() => undefined)
  return stored === undefined ? {} : { file_id: stored.file_id, output_url: stored.get_url }
}
