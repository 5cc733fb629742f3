// Reads the operator's manifest at the start, and checks with ffprobe that the material fits together.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { z } from 'zod'
import { entriesOf, keysOf } from '#core/input/records.ts'
import { asSentence } from '#core/input/sentence.ts'
import { type ClosedBox, findProgram, type Sandbox } from '#platform/sandbox/sandbox.ts'
import { photosMax, promptCharactersMax } from './limits.ts'
import {
  type FilmEntry,
  type Manifest,
  manifest,
  type Production,
  type Slot,
  secondsOf,
  slotsOf,
  type Variant,
  variants,
} from './manifest.ts'
import type { Mask, Material, Recipe, Shot } from './material.ts'
import { type Probed, probe } from './probe.ts'
import { fillTemplate } from './template.ts'

export type Recipes = Readonly<Record<Production, Recipe | Unavailable>>

/** A sentence that tells the operator what is missing. */
export interface Unavailable {
  readonly reason: string
}

export interface RecipeDependencies {
  readonly folder: string | undefined
  readonly sandbox: Sandbox
  /** What is wrong with the body of a call of ns_media/generate. */
  readonly checkGeneration: (body: object) => string | undefined
}

/** Something that the operator must put right. */
class MaterialProblem extends Error {}

const manifestName = 'manifest.json'
/** A soundtrack may be this much shorter than its film. */
const soundToleranceSeconds = 0.1
const secondsTolerance = 1e-6
const productions = keysOf(slotsOf)

export async function openRecipes(dependencies: RecipeDependencies): Promise<Recipes> {
  const open = async (production: Production) =>
    await openRecipe(dependencies, production).catch((thrown) => {
      if (!(thrown instanceof MaterialProblem)) throw thrown
      return { reason: thrown.message }
    })
  const opened = await Promise.all(productions.map(async (each) => [each, await open(each)]))
  return Object.fromEntries(opened)
}

async function openRecipe(
  dependencies: RecipeDependencies,
  production: Production,
): Promise<Recipe> {
  const { folder, sandbox } = dependencies
  if (folder === undefined)
    throw new MaterialProblem(
      `Set PERFORMANCES_DIR to a folder with ${manifestName} and the film material.`,
    )
  const material = await readManifest(folder)
  const entries = variants.flatMap((variant): [Variant, FilmEntry][] => {
    const entry = material[production]?.[variant]
    return entry === undefined ? [] : [[variant, entry]]
  })
  if (entries.length === 0)
    throw new MaterialProblem(
      `${manifestName} in PERFORMANCES_DIR names no film of "${production}".`,
    )
  checkModels(dependencies, material, entries, slotsOf[production].length)
  await requirePrograms(sandbox)
  const box = await sandbox.openBox()
  try {
    const films = new Map<Variant, Material>()
    for (const [variant, entry] of entries)
      films.set(variant, await checkFilm(box, folder, variant, entry))
    return { references: material.references, video: material.video, films }
  } finally {
    await box.close()
  }
}

async function readManifest(folder: string): Promise<Manifest> {
  const place = path.join(folder, manifestName)
  const text = await readFile(place, 'utf8').catch(() => {
    throw new MaterialProblem(`${place} cannot be read.`)
  })
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new MaterialProblem(`${place} is not JSON.`)
  }
  const parsed = manifest.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues as [z.core.$ZodIssue]
  throw new MaterialProblem(asSentence(`${place}: ${issue.path.join('.')}: ${issue.message}`))
}

async function requirePrograms(sandbox: Sandbox) {
  for (const name of ['ffmpeg', 'ffprobe'])
    if ((await findProgram(name)) === undefined)
      throw new MaterialProblem(`${name} is not installed: install the package ffmpeg.`)
  const missing = await sandbox.missing()
  if (missing !== undefined) throw new MaterialProblem(missing)
}

/** What callers may send at most is tried on the models, so that a call does not fail after its first paid steps. */
function checkModels(
  { checkGeneration }: RecipeDependencies,
  { references, video }: Manifest,
  entries: readonly (readonly [Variant, FilmEntry])[],
  slots: number,
) {
  const address = 'https://example.org/picture.png'
  const $prompt = 'x'.repeat(promptCharactersMax)
  const check = (name: string, body: object) => {
    const problem = checkGeneration(body)
    if (problem !== undefined)
      throw new MaterialProblem(`${manifestName}: "${name}" does not fit its model. ${problem}`)
  }
  for (const photos of [1, photosMax]) {
    const values = { $prompt, $keyframe: address, $photos: Array(photos).fill(address) }
    check('references', fillTemplate(references, values))
  }
  for (const shot of entries.flatMap(([, { shots }]) => shots))
    for (const performers of [1, slots]) {
      const values = {
        $prompt,
        $keyframe: address,
        $clip: address,
        $mask: address,
        $references: Array(performers).fill(address),
      }
      const parameters = { ...video.parameters, ...shot.parameters }
      check('video', fillTemplate({ ...video, parameters }, values))
    }
}

async function checkFilm(
  box: ClosedBox,
  folder: string,
  variant: Variant,
  entry: FilmEntry,
): Promise<Material> {
  const seconds = secondsOf[variant]
  const seen = createProbe(box, folder)
  const { picture, colorMatrix, ...base } = await seen(entry.base)
  if (picture?.rate === undefined || base.isStill)
    throw new MaterialProblem(`${entry.base} is not a film.`)
  const { width, height, rate } = picture
  if (width % 2 === 1 || height % 2 === 1)
    throw new MaterialProblem(`${entry.base} has ${width} × ${height} pixels. Both must be even.`)
  const frames = Math.round(seconds * rate.perSecond)
  if (base.seconds < seconds - 0.5 / rate.perSecond)
    throw new MaterialProblem(
      `${entry.base} is ${base.seconds} seconds long. The ${variant} film needs ${seconds}.`,
    )
  const sound = await seen(entry.soundtrack)
  if (!sound.hasSound || sound.seconds < seconds - soundToleranceSeconds)
    throw new MaterialProblem(`${entry.soundtrack} has no sound of ${seconds} seconds.`)
  const masks = new Map<Slot, Mask>()
  for (const [slot, file] of entriesOf(entry.masks)) {
    const mask = await seen(file)
    if (mask.picture?.width !== width || mask.picture.height !== height)
      throw new MaterialProblem(
        `${file} does not have the ${width} × ${height} pixels of ${entry.base}.`,
      )
    if (!mask.isStill && mask.seconds < seconds - 0.5 / rate.perSecond)
      throw new MaterialProblem(`${file} is shorter than the film of ${seconds} seconds.`)
    masks.set(slot, { file, isStill: mask.isStill })
  }
  for (const { keyframe } of entry.shots)
    if (!(await seen(keyframe)).isStill) throw new MaterialProblem(`${keyframe} is not a picture.`)
  const shots = shotsOf(entry, rate.perSecond, seconds)
  const shown = { file: entry.base, width, height, colorMatrix }
  return { variant, folder, base: shown, rate, frames, soundtrack: entry.soundtrack, masks, shots }
}

function createProbe(box: ClosedBox, folder: string) {
  return async (file: string): Promise<Probed> => {
    const place = await box.add(path.join(folder, file), file).catch(() => {
      throw new MaterialProblem(`${path.join(folder, file)} cannot be read.`)
    })
    const probed = await probe(box, place, new AbortController().signal)
    if (probed === undefined)
      throw new MaterialProblem(`${file} cannot be read as a picture, a film or a sound.`)
    return probed
  }
}

/** Shots begin and end on whole frames, and leave no frame out. */
function shotsOf({ shots }: FilmEntry, framesPerSecond: number, seconds: number): readonly Shot[] {
  let end = 0
  const found = shots.map(({ seconds: length, ...rest }) => {
    const firstFrame = Math.round(end * framesPerSecond)
    end += length
    return {
      ...rest,
      firstFrame,
      seconds: length,
      frames: Math.round(end * framesPerSecond) - firstFrame,
    }
  })
  if (Math.abs(end - seconds) > secondsTolerance)
    throw new MaterialProblem(`The shots take ${end} seconds together instead of ${seconds}.`)
  return found
}
