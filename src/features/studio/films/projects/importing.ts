// The stand-ins for media. A file is read before the answer, so that a file that films cannot use costs nothing.
import type { RunContext } from '#core/action.ts'
import type { StandIn } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import type { FairPlaces } from '#platform/threads/fair-places.ts'
import { roundToMilliseconds } from '../composition/timing.ts'
import { FilmFailure, type FilmRenderer } from '../render/film.ts'
import { provider } from './editing.ts'
import type { MediaStore, StoredMedia } from './media-store.ts'
import { kindProblem, typeProblem } from './media-types.ts'
import { fileDeleted, isFileThere } from './source-file.ts'
import { withCopies } from './work-folder.ts'

interface UploadInput {
  readonly file_id: string
  readonly filename?: string | undefined
  readonly contentType?: string | undefined
}

export function createImporting(dependencies: {
  readonly media: MediaStore
  readonly renderer: Pick<FilmRenderer, 'probe'>
  readonly places: FairPlaces
  /** What this machine lacks to read media. */
  readonly missing: string | undefined
}): readonly (readonly [string, StandIn])[] {
  const { media, renderer, places, missing } = dependencies

  async function upload(context: RunContext<UploadInput>) {
    const { input, files, caller, signal, effect } = context
    const { fileId, filename, mediaType } = await files.find(input.file_id)
    const declared = input.contentType ?? mediaType
    refuse(typeProblem(declared, mediaType))
    const asker = { owner: caller.accountId, signal }
    const probe = await places
      .take(asker, () =>
        withCopies(context, async (copy) => renderer.probe(await copy(fileId, 'media'), signal)),
      )
      .catch((thrown) => {
        throw thrown instanceof FilmFailure ? refusal(thrown.message, thrown) : thrown
      })
    if (input.contentType !== undefined) refuse(kindProblem(declared, probe))
    const named = { fileId, filename: input.filename ?? filename, contentType: declared }
    return describe(await media.add(caller, { ...named, probe }, effect))
  }

  async function status({ input, files, caller }: RunContext<{ media_id: string }>) {
    const found = await media.find(caller, input.media_id)
    if (await isFileThere(files, found.fileId)) return describe(found)
    return { ...describe(found), status: 'failed', error: fileDeleted }
  }

  return [
    ['ns_assembler/upload', { run: upload, check: () => {}, ...(missing && { missing }) }],
    ['ns_assembler/media_status', { run: status, check: () => {} }],
  ]
}

function refuse(problem: string | undefined) {
  if (problem !== undefined) throw refusal(problem)
}

const refusal = (message: string, cause?: unknown) =>
  fail('bad_request', { message: `${message} Nothing was charged.`, cause })

const describe = ({ id, filename, contentType, probe }: StoredMedia) => ({
  media_id: id,
  status: 'ready',
  filename,
  content_type: contentType,
  duration_sec: roundToMilliseconds(probe.durationSeconds),
  width: probe.width,
  height: probe.height,
  frame_rate: probe.frameRate,
  provider,
})
