// Makes one film, step by step. Each step is a checkpoint: a job that is run again goes on after the last one, and no
// model is paid twice.
import { createReadStream } from 'node:fs'
import path from 'node:path'
import type { JobContext } from '#core/action.ts'
import { CallError, fail } from '#core/errors.ts'
import type { StoredFile } from '#core/files.ts'
import type { EgressUploader } from '#platform/egress/uploader.ts'
import type { Sandbox } from '#platform/sandbox/sandbox.ts'
import { createStudio, type OpenClip } from './compose.ts'
import { filmBytesMax } from './limits.ts'
import { type Generation, secondsOf } from './manifest.ts'
import type { Material, Recipe, Shot } from './material.ts'
import { createStage, type Stage, sourceOf } from './staging.ts'
import { fillTemplate, isNamed, promptOf, type TemplateValues } from './template.ts'
import type { Performer, Wish } from './wish.ts'

export interface ProductionDependencies {
  readonly sandbox: Sandbox
  readonly uploader: Pick<EgressUploader, 'put'>
  readonly openClip: OpenClip
}

/** The steps of one film share these. */
interface Production {
  readonly context: JobContext<unknown>
  readonly recipe: Recipe
  readonly film: Material
  readonly wish: Wish
  readonly stage: Stage
  readonly studio: ReturnType<typeof createStudio>
}

const generate = 'ns_media/generate'

export async function produceFilm(
  dependencies: ProductionDependencies,
  context: JobContext<unknown>,
  {
    recipe,
    film,
    wish,
    filename,
  }: Pick<Production, 'recipe' | 'film' | 'wish'> & { filename: string },
): Promise<StoredFile> {
  const { files, report, signal } = context
  const stage = createStage(context, dependencies.uploader)
  const studio = createStudio(dependencies, film, signal)
  const production = { context, recipe, film, wish, stage, studio }
  const total = wish.performers.length + film.shots.length + 1
  let done = 0
  const step = async (phase: string) => await report({ phase, done: done++, total })

  const named = `${filename}-${film.variant}.mp4`
  const stored = { name: 'film', filename: named, mediaType: 'video/mp4' }
  // Without room for the film, nothing is paid for.
  await files.reserve({ ...stored, bytes: filmBytesMax(secondsOf[film.variant]) })
  const references: string[] = []
  for (const performer of wish.performers) {
    await step(`preparing ${performer.slot}`)
    references.push(await makeReference(production, performer))
  }
  const clips: string[] = []
  for (const [at, shot] of film.shots.entries()) {
    await step(`generating shot ${at + 1} of ${film.shots.length}`)
    clips.push(await generateShot(production, { shot, at, references }))
  }
  await step('putting the film together')
  return await studio.composeFilm(clips, slotsOf(wish), (place) =>
    files.save({ ...stored, content: createReadStream(place) }),
  )
}

const slotsOf = ({ performers }: Wish) => performers.map(({ slot }) => slot)

/** A picture of the person in the look of the film. */
async function makeReference(
  { context, recipe, film, wish, stage }: Production,
  { slot, photos }: Performer,
): Promise<string> {
  const { files } = context
  const $photos: string[] = []
  for (const [at, fileId] of photos.entries()) {
    const address = await stage(`${slot} photo ${at + 1}`, async (send) => {
      const { mediaType, bytes } = await files.find(fileId)
      return await send({ mediaType, bytes, open: () => files.open(fileId) })
    })
    $photos.push(address)
  }
  const values = { $photos, $prompt: promptOf(recipe.references, wish.prompt) }
  const $keyframe = await stageKeyframe(recipe.references, film.shots[0] as Shot, { film, stage })
  const body = fillTemplate(recipe.references, { ...values, ...$keyframe })
  return await runModel(context, body, `reference ${slot}`)
}

async function stageKeyframe(
  { parameters }: Pick<Generation, 'parameters'>,
  { keyframe }: Shot,
  { film, stage }: Pick<Production, 'film' | 'stage'>,
): Promise<Partial<TemplateValues>> {
  if (!isNamed(parameters, '$keyframe')) return {}
  const place = path.join(film.folder, keyframe)
  return { $keyframe: await stage(keyframe, async (send) => await send(await sourceOf(place))) }
}

/** One shot with the new performers. */
async function generateShot(
  production: Production,
  { shot, at, references }: { shot: Shot; at: number; references: readonly string[] },
): Promise<string> {
  const { context, recipe, wish, stage, studio } = production
  const parameters = { ...recipe.video.parameters, ...shot.parameters }
  const number = at + 1
  const values: { -readonly [Name in keyof TemplateValues]?: TemplateValues[Name] } = {
    $references: references,
    $prompt: promptOf(recipe.video, wish.prompt),
    ...(await stageKeyframe({ parameters }, shot, production)),
  }
  if (isNamed(parameters, '$clip'))
    values.$clip = await stage(`shot ${number} clip`, (send) =>
      studio.cutShot(shot, async (place) => await send(await sourceOf(place))),
    )
  if (isNamed(parameters, '$mask'))
    values.$mask = await stage(`shot ${number} mask`, (send) =>
      studio.drawMask(shot, slotsOf(wish), async (place) => await send(await sourceOf(place))),
    )
  const body = fillTemplate({ model: recipe.video.model, parameters }, values)
  return await runModel(context, body, `shot ${number}`)
}

/** Resolves to the address of what the model made. The step is paid for once. */
async function runModel(
  { call }: Pick<JobContext<unknown>, 'call'>,
  body: object,
  step: string,
): Promise<string> {
  const { output_url } = await call(generate, body, step).catch((thrown) => {
    throw inPlainWords(thrown)
  })
  return output_url
}

const refusals = {
  content_policy_violation:
    'The content check of the models declined the photos or the prompt. Nothing was charged; use other photos, or reword the prompt.',
  bad_request:
    'The models could not use these photos or this prompt. Nothing was charged; send sharp photos of one person, or reword the prompt.',
} as const

/** The caller knows nothing of the models and their parameters. */
function inPlainWords(thrown: unknown): unknown {
  if (!(thrown instanceof CallError)) return thrown
  const { code } = thrown
  if (code !== 'content_policy_violation' && code !== 'bad_request') return thrown
  return fail(code, { message: refusals[code], cause: thrown })
}
