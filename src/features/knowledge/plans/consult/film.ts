// Plans a film of the caller's assets: the calls, and the composition that the assembler's compiler makes of them.
import { z } from '#core/action.ts'
import type { Catalog } from '#core/catalog.ts'
import type { CallerFiles } from '#core/files.ts'
import { membersOf } from '#core/input/members.ts'
import { type PlanStep, stepsMax } from '#core/plan.ts'
import type { ComposedFilm, ComposeFilm, FilmEdit, FilmSegment } from '#core/rooms/film-edit.ts'
import type { GoalCandidates } from './candidates.ts'
import type { MissingValue, Planned } from './goal.ts'
import { check } from './plan-goal.ts'
import { readSlots } from './slots.ts'

const mediaSeconds = z.number().positive().max(86_400)
const emphasisMax = 20

/** What an asset of a film may say about itself. */
export const filmAssetShape = {
  kind: z
    .enum(['video', 'image', 'audio'])
    .optional()
    .describe('What it is, for a film. Default: what your file is, or the address ends with.'),
  duration_seconds: mediaSeconds.optional().describe('Of a video or sound, for a film.'),
  in_seconds: z.number().min(0).max(86_400).optional().describe('Where a video shall begin.'),
  out_seconds: mediaSeconds.optional().describe('Where a video shall end.'),
  is_silent: z.boolean().optional().describe('The video has no sound.'),
  caption: z.string().max(500).optional().describe('Words to show over it in a film.'),
  emphasis: z
    .array(
      z.strictObject({
        at_seconds: z.number().min(0).max(900).describe('From its start in the film.'),
        x: z.number().min(0).max(1),
        y: z.number().min(0).max(1),
        zoom: z.number().min(0.1).max(1).default(0.6).describe('Fraction that is visible.'),
      }),
    )
    .max(emphasisMax)
    .optional()
    .describe('Points that the camera shall move to, in fractions from the top left corner.'),
} as const

export const filmSchema = z
  .strictObject({
    seconds: z.number().min(0.5).max(900).optional().describe('How long it shall be.'),
    aspect_ratio: z.enum(['16:9', '9:16', '1:1', '4:5']).optional(),
    resolution: z.enum(['hd', 'fhd', '4k']).optional(),
    transition: z.enum(['crossfade', 'fade', 'wipe-left', 'slide-left']).optional(),
  })
  .describe('Asks for a film of the assets, in their order. What is missing is read in the intent.')

const filmAsset = z.object({
  ...filmAssetShape,
  url: z.string().optional(),
  file_id: z.string().optional(),
  label: z.string().optional(),
})
export type FilmAsset = z.output<typeof filmAsset>
export type FilmTarget = z.output<typeof filmSchema>

/** Of what a film can show or play. */
const extensions = {
  image: 'jpeg jpg png webp',
  video: 'm4v mkv mov mp4 webm',
  audio: 'aac m4a mp3 wav',
} as const
const kindByExtension = new Map(
  filmAssetShape.kind
    .unwrap()
    .options.flatMap((kind) => extensions[kind].split(' ').map((extension) => [extension, kind])),
)

/** Says what the assets are that do not say it: by the caller's own file, or by the end of the address. */
export async function readKinds<Asset extends FilmAsset>(
  assets: readonly Asset[],
  files: Pick<CallerFiles, 'find'>,
): Promise<readonly Asset[]> {
  const kindOf = async ({ file_id, url }: FilmAsset) => {
    if (file_id === undefined) {
      const extension = /\.([a-z0-9]{2,5})$/i.exec(url === undefined ? '' : new URL(url).pathname)
      return kindByExtension.get(extension?.[1]?.toLowerCase() ?? '')
    }
    // A file that is not there, or not yet, is asked about like one of another type.
    const found = await files.find(file_id).catch(() => undefined)
    const kind = found?.mediaType.split('/')[0]
    return filmAssetShape.kind.safeParse(kind).data
  }
  return await Promise.all(
    assets.map(async (asset) => ({ ...asset, kind: asset.kind ?? (await kindOf(asset)) })),
  )
}

const filmService = 'ns_assembler'
/** How likely an intent is to ask for something new before the assets of its manifest become a film. */
const filmLikelyFrom = 0.5

const noFilm =
  'A film shows assets that are videos or images. A plan has room for 8 assets with addresses or 17 files.'

/** The parameter of a question that only another manifest answers. */
export const assetsParameter = 'manifest.assets'

type FilmProposal =
  | { readonly planned: Planned; readonly film: ComposedFilm }
  | { readonly missing: MissingValue }
  | { readonly reason: string }

/** A film of the assets, if the manifest or the intent asks for one. */
export function proposeFilm(
  { catalog, composeFilm }: { readonly catalog: Catalog; readonly composeFilm: ComposeFilm },
  {
    intent,
    film: { assets, wish },
    budgetCents,
  }: {
    readonly intent: string
    readonly film: { readonly assets: readonly FilmAsset[]; readonly wish?: FilmTarget | undefined }
    readonly budgetCents?: number | undefined
  },
  { asked, ranked }: GoalCandidates,
): FilmProposal | undefined {
  const [best] = ranked
  const isCut = asked.make >= filmLikelyFrom && best?.entry.id.startsWith(`${filmService}/`)
  if (wish === undefined && !isCut) return undefined
  const unclear = assets.find(({ kind, url, file_id }) => (url ?? file_id) && kind === undefined)
  if (unclear !== undefined) return { missing: askForKind(unclear) }
  const planned = planFilm(composeFilm, { intent, assets, wish: wish ?? {} })
  if (planned === undefined)
    return wish === undefined && assets.length === 0 ? undefined : { reason: noFilm }
  const { steps, assumptions, film } = planned
  const tried = check(catalog, { steps, assumptions }, budgetCents)
  if ('planned' in tried) return { planned: tried.planned, film }
  return tried.missing && { missing: tried.missing }
}

const putComposition = `${filmService}/put_composition`

const askForKind = ({ url, file_id }: FilmAsset): MissingValue => ({
  action: putComposition,
  parameter: assetsParameter,
  description: `Is ${url ?? `file ${file_id}`} a video, an image or audio? Send the kind of this asset in the manifest.`,
})

/** The question in place of a plan that saves a composition without writing it. */
export function askForAssets({ steps }: Pick<Planned, 'steps'>): MissingValue | undefined {
  const isBare = ({ action, params }: PlanStep) =>
    action === putComposition && !('tracks' in params || 'composition' in params)
  if (!steps.some(isBare)) return undefined
  return {
    action: putComposition,
    parameter: assetsParameter,
    description:
      'What shall the film show? Send its photos, videos and sounds as assets of the manifest, each with a file_id or url.',
  }
}

export interface FilmPlan {
  readonly steps: readonly PlanStep[]
  readonly film: ComposedFilm
  readonly assumptions: readonly string[]
}

/** Uploads, a project, its composition, and the render. */
const stepsOfProject = 3
const stillSeconds = 3
const filmSecondsDefault = 15
const filmSecondsMax = 900

/** Undefined if no asset can be shown, or there are more than a plan has steps for. */
function planFilm(
  compose: ComposeFilm,
  {
    intent,
    assets,
    wish,
  }: {
    readonly intent: string
    readonly assets: readonly FilmAsset[]
    readonly wish: FilmTarget
  },
): FilmPlan | undefined {
  const used = assets.filter(({ kind, url, file_id }) => kind !== undefined && (url ?? file_id))
  const uploads = used.map((asset, at) => uploadSteps(asset, at + 1))
  const { title, note } = readTitle(intent, used)
  const segments = used
    .flatMap((asset, at) => segmentOf(asset, mediaIdOf(at)))
    .map((segment, at) =>
      at === 0 && title !== undefined ? { ...segment, caption: title } : segment,
    )
  if (segments.length === 0 || uploads.flat().length + stepsOfProject > stepsMax) return undefined
  const song = used.findIndex(({ kind }) => kind === 'audio')
  const music = song < 0 ? undefined : used[song]
  const read = readFilmTarget(intent)
  const edit: FilmEdit = {
    format: {
      aspectRatio: wish.aspect_ratio ?? read.aspect_ratio ?? '16:9',
      resolution: wish.resolution ?? 'hd',
      fps: 30,
    },
    segments,
    targetSeconds: wish.seconds ?? read.seconds ?? lengthOf(segments),
    transition: wish.transition ?? read.transition,
    music: music && { mediaId: mediaIdOf(song), mediaSeconds: music.duration_seconds },
  }
  const film = compose(edit)
  return {
    film,
    steps: [...uploads.flat(), ...projectSteps(film, edit)],
    assumptions: [...assumptionsOf(edit, film, wish.seconds ?? read.seconds), ...note],
  }
}

/** The words over the first picture, where the intent asks for a title and no asset has a caption. */
function readTitle(intent: string, assets: readonly FilmAsset[]) {
  const isAsked = /\btitled?s?\b/i.test(intent) && assets.every(({ caption }) => !caption)
  if (!isAsked) return { title: undefined, note: [] }
  const shown = assets.find(({ kind }) => kind !== 'audio')
  const title = readSlots(intent).get('quotation')?.[0] ?? shown?.label
  const note =
    title === undefined
      ? 'It has no title: send its words as the caption of the first asset.'
      : `Its title is “${title}”: send other words as the caption of the first asset.`
  return { title, note: [note] }
}

const mediaIdOf = (at: number) => `media_${at + 1}`

function segmentOf(asset: FilmAsset, mediaId: string): readonly FilmSegment[] {
  const { kind } = asset
  if (kind === undefined || kind === 'audio') return []
  return [
    {
      mediaId,
      kind,
      mediaSeconds: asset.duration_seconds,
      inSeconds: asset.in_seconds,
      outSeconds: asset.out_seconds,
      isSilent: asset.is_silent,
      caption: asset.caption,
      emphasis: asset.emphasis?.map(({ at_seconds: atSeconds, x, y, zoom }) => ({
        atSeconds,
        x,
        y,
        zoom,
      })),
    },
  ]
}

const stepOf = (id: string, action: string, params: PlanStep['params'], why: string): PlanStep => ({
  id,
  action,
  params,
  why,
  optional: false,
})

function uploadSteps({ url, file_id }: FilmAsset, number: number): PlanStep[] {
  const why = 'The film is made of this.'
  const upload = (file: unknown) =>
    stepOf(`media_${number}`, 'ns_assembler/upload', { file_id: file }, why)
  if (file_id !== undefined) return [upload(file_id)]
  const stored = `file_${number}`
  return [
    stepOf(stored, 'files/upload_from_url', { url }, why),
    upload({ $step: stored, pointer: '/file_id' }),
  ]
}

function projectSteps({ composition }: ComposedFilm, { format }: FilmEdit): PlanStep[] {
  const project = { $step: 'project', pointer: '/id' }
  return [
    stepOf('project', 'ns_assembler/create_project', { name: 'Film', format }, 'Holds the film.'),
    stepOf(
      'composition',
      'ns_assembler/put_composition',
      { ...membersOf(withReferences(composition)), project_id: project },
      'Says what the film shows and when.',
    ),
    {
      ...stepOf(
        'film',
        'ns_assembler/render',
        { project_id: project, intent: 'final' },
        'Makes it.',
      ),
      after: ['composition'],
    },
  ]
}

/** The media have ids only once they are uploaded. */
function withReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReferences)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === 'mediaId' ? { $step: member, pointer: '/media_id' } : withReferences(member),
    ]),
  )
}

function lengthOf(segments: readonly FilmSegment[]): number {
  const lengths = segments.map(({ kind, mediaSeconds: whole, inSeconds = 0, outSeconds }) =>
    kind === 'image' ? stillSeconds : Math.max(0, (outSeconds ?? whole ?? 0) - inSeconds),
  )
  const sum = lengths.reduce((all, one) => all + one, 0)
  return sum > 0 ? Math.min(filmSecondsMax, sum) : filmSecondsDefault
}

function assumptionsOf(edit: FilmEdit, { left }: ComposedFilm, stated: number | undefined) {
  const { aspectRatio, resolution } = edit.format
  return [
    `The film shows the assets in the order of the manifest, ${aspectRatio} in ${resolution}.`,
    ...(stated === undefined ? [`It lasts ${edit.targetSeconds} seconds, as its assets do.`] : []),
    ...(left.length === 0 ? [] : [`It is too short for ${left.length} of the assets.`]),
  ]
}

const wordNumbers: Readonly<Record<string, number>> = {
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  'forty-five': 45,
  fifty: 50,
  sixty: 60,
  a: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  'half a': 0.5,
}

/** What an intent says about a film: `20 second vertical video with fades`. */
function readFilmTarget(intent: string): FilmTarget {
  const length =
    /(\d+(?:\.\d+)?|half a|[a-z]+(?:-five)?)[\s-]+(seconds?|secs?|minutes?|mins?)\b/i.exec(intent)
  const [, amount = '', unit = ''] = length ?? []
  const count = Number(amount) || wordNumbers[amount.toLowerCase()]
  const seconds = count === undefined ? undefined : count * (/^m/i.test(unit) ? 60 : 1)
  const aspect = /\b(?:vertical|portrait|stor(?:y|ies)|reels?|9:16)\b/i.test(intent)
    ? '9:16'
    : /\b(?:square|1:1)\b/i.test(intent)
      ? '1:1'
      : /\b4:5\b/.test(intent)
        ? '4:5'
        : undefined
  const transition = /\b(?:cross-?)?(?:fades?|fading)\b|\bdissolves?\b/i.test(intent)
    ? 'crossfade'
    : undefined
  return {
    ...(seconds !== undefined && seconds >= 0.5 && seconds <= filmSecondsMax && { seconds }),
    ...(aspect !== undefined && { aspect_ratio: aspect }),
    ...(transition !== undefined && { transition }),
  }
}
