// The stand-ins that keep projects and judge compositions.
import type { RunContext } from '#core/action.ts'
import type { StandIn } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { clipsOf, keepValid, mediaNamedIn, validate } from '../composition/composition.ts'
import type { MediaById, MediaState } from '../composition/media.ts'
import type { Composition } from '../composition/schema.ts'
import type { FontShelf } from '../fonts/shelf.ts'
import type { MediaStore } from './media-store.ts'
import type { ProjectStore } from './project-store.ts'
import { fileDeleted, isFileThere } from './source-file.ts'

/** The name of this machine in its answers. */
export const provider = 'embedded'

export function createEditing(dependencies: {
  readonly projects: ProjectStore
  readonly media: MediaStore
  readonly fonts: () => Promise<FontShelf | undefined>
}): readonly (readonly [string, StandIn])[] {
  const { projects, media, fonts } = dependencies

  /** The media that the clips name, as far as the caller has them. */
  async function mediaFor(
    { caller, files }: RunContext<unknown>,
    composition: object,
  ): Promise<MediaById> {
    const own = await media.findAll(caller, mediaNamedIn(composition))
    const states = [...own].map(async ([id, { fileId, probe }]): Promise<[string, MediaState]> => {
      if (await isFileThere(files, fileId)) return [id, { status: 'ready', probe }]
      return [id, { status: 'failed', message: fileDeleted }]
    })
    return new Map(await Promise.all(states))
  }

  async function create({ input, caller, effect }: RunContext<{ name: string; format: object }>) {
    const id = await projects.create(caller, input, effect)
    const { name, format } = input
    return { id, name, format, provider }
  }

  async function get({ input, caller }: RunContext<{ project_id: string }>) {
    return { ...(await projects.find(caller, input.project_id)), provider }
  }

  async function put(context: RunContext<PutInput>) {
    const { input, caller, effect } = context
    const { project_id, if_match: ifMatch, composition } = input
    const project = await projects.find(caller, project_id)
    const whole = inFormat(composition, project.format)
    const known = await mediaFor(context, whole)
    const { composition: valid, dropped, errors } = keepValid(whole, known, await fonts())
    if (valid === undefined) {
      throw fail('bad_request', {
        message: `Nothing of this composition can be saved. ${errors[0]?.fix ?? ''} Nothing was charged.`,
        data: { errors },
      })
    }
    const saved = { composition: valid, mediaIds: mediaIdsOf(valid), ifMatch }
    const etag = await projects.save(caller, project_id, saved, effect)
    const reasons = [...errors, ...dropped.flatMap((clip) => clip.errors)]
    return { project_id, etag, clips: clipsOf(valid).length, dropped: reasons, provider }
  }

  async function check(context: RunContext<{ composition: object }>) {
    const { composition } = context.input
    const known = await mediaFor(context, composition)
    return { ...validate(composition, known, await fonts()), provider }
  }

  return [
    ['ns_assembler/create_project', { run: create, check: refuseBrandKit }],
    ['ns_assembler/get_project', { run: get, check: () => {} }],
    ['ns_assembler/put_composition', { run: put, check: () => {} }],
    ['ns_assembler/validate', { run: check, check: () => {} }],
  ]
}

/** The media of all its tracks, those that are turned off too. */
export function mediaIdsOf({ tracks }: Composition): string[] {
  const clips = tracks.flatMap(({ contents }) => contents)
  const ids = clips.flatMap(({ source }) => (source.kind === 'media' ? [source.mediaId] : []))
  return [...new Set(ids)]
}

interface PutInput {
  readonly project_id: string
  readonly if_match?: string | undefined
  readonly composition: { readonly format?: unknown }
}

/** The composition in its project's format, where it names none of its own. */
function inFormat(composition: PutInput['composition'], format: object) {
  const { format: own = {} } = composition
  const isReadable = typeof own === 'object' && own !== null && !Array.isArray(own)
  return { ...composition, format: isReadable ? { ...format, ...own } : own }
}

function refuseBrandKit({ brandKitId }: { brandKitId?: string }) {
  if (brandKitId === undefined) return
  throw fail('provider_not_configured', {
    message:
      'This gateway makes films itself and has no brand kits: leave brandKitId out, or ask the operator to set NS_ASSEMBLER_API_KEY. Nothing was charged.',
  })
}
