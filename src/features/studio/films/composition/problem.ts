// What is wrong with a composition, in the words that its author reads.
import type { z } from 'zod'
import { keysOf } from '#core/input/records.ts'
import { asSentence } from '#core/input/sentence.ts'

/** A problem that would make a render drop something. */
export interface CompositionProblem {
  readonly code: ProblemCode
  /** `composition`: seen in the composition alone. `media`: seen in the media that it names. */
  readonly stage: 'composition' | 'media'
  readonly category: 'format' | 'timing' | 'media' | 'picture' | 'sound' | 'unsupported'
  /** Whether the same composition can be valid later. */
  readonly retryable: boolean
  readonly message: string
  /** What to change, as a sentence. */
  readonly fix: string
  /** Where: `tracks[0].contents[1].source.trim`. */
  readonly path: string
}

const categories = {
  invalid_value: 'format',
  missing_value: 'format',
  unsupported_property: 'unsupported',
  duplicate_id: 'format',
  too_many_clips: 'format',
  no_scenes: 'format',
  wrong_track: 'format',
  film_too_long: 'timing',
  clip_too_short: 'timing',
  trim_backwards: 'timing',
  trim_beyond_media: 'timing',
  range_backwards: 'timing',
  nothing_left: 'timing',
  media_too_short: 'timing',
  too_many_parts: 'timing',
  transition_too_long: 'timing',
  fades_too_long: 'timing',
  reframe_backwards: 'timing',
  reframe_overlaps: 'timing',
  reframe_beyond_clip: 'timing',
  reframe_eases_overlap: 'timing',
  media_not_found: 'media',
  media_not_ready: 'media',
  media_failed: 'media',
  no_sound: 'sound',
  curve_backwards: 'sound',
  curve_beyond_clip: 'sound',
  unknown_track: 'sound',
  duck_circle: 'sound',
  no_picture: 'picture',
  no_effect: 'unsupported',
  face_unsupported: 'unsupported',
  plane_unsupported: 'unsupported',
  two_cameras: 'picture',
  no_glyph: 'picture',
  outside_frame: 'picture',
  unknown_component: 'unsupported',
  unknown_primitive: 'unsupported',
} as const satisfies Record<string, CompositionProblem['category']>

export type ProblemCode = keyof typeof categories
export const codesOfProblems = keysOf(categories)

export function problem(
  code: ProblemCode,
  path: string,
  message: string,
  fix: string,
): CompositionProblem {
  const isOfMedia = code.startsWith('media_') || code === 'no_sound' || code === 'no_picture'
  return {
    code,
    stage: isOfMedia ? 'media' : 'composition',
    category: categories[code],
    retryable: code === 'media_not_ready',
    message,
    fix,
    path,
  }
}

/** The problems that a schema found in the value at `path`. */
export function problemsOf(error: z.ZodError, path: string): CompositionProblem[] {
  return error.issues.flatMap((issue) => problemsOfIssue(issue, placeOf(path, issue.path)))
}

function problemsOfIssue(issue: z.core.$ZodIssue, place: string): CompositionProblem[] {
  const name = place === '' ? 'The composition' : place
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) =>
        problem(
          'unsupported_property',
          placeOf(place, [key]),
          `${placeOf(place, [key])} is not known, so a render would ignore it.`,
          `Remove ${placeOf(place, [key])}.`,
        ),
      )
    case 'invalid_type': {
      const isMissing = issue.message.endsWith('received undefined')
      return [
        isMissing
          ? problem(
              'missing_value',
              place,
              `${name} is missing.`,
              `Add ${name}: ${a(issue.expected)}.`,
            )
          : invalid(
              place,
              `${name} is not ${a(issue.expected)}.`,
              `Set ${name} to ${a(issue.expected)}.`,
            ),
      ]
    }
    case 'too_small':
      return [bounded(name, place, issue.origin, `at least ${issue.minimum}`, issue.inclusive)]
    case 'too_big':
      return [bounded(name, place, issue.origin, `at most ${issue.maximum}`, issue.inclusive)]
    case 'invalid_value':
      return [
        invalid(
          place,
          `${name} is not a value that is supported.`,
          `Set ${name} to ${list(issue.values)}.`,
        ),
      ]
    case 'invalid_union': {
      const options =
        'options' in issue ? (issue.options as readonly unknown[] | undefined) : undefined
      const fix =
        issue.discriminator === undefined ? issue.message : `Set ${name} to ${list(options ?? [])}.`
      return [invalid(place, `${name} has none of the forms that are supported.`, fix)]
    }
    default:
      return [invalid(place, asSentence(`${name} does not fit: ${issue.message}`), issue.message)]
  }
}

const invalid = (place: string, message: string, fix: string) =>
  problem('invalid_value', place, message, fix)

function bounded(
  name: string,
  place: string,
  origin: string,
  bound: string,
  isInclusive: boolean | undefined,
): CompositionProblem {
  const unit = origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : ''
  const words =
    isInclusive === false
      ? bound.replace('at least', 'more than').replace('at most', 'less than')
      : bound
  const verb = unit === '' ? 'be' : 'have'
  return invalid(
    place,
    `${name} must ${verb} ${words}${unit}.`,
    unit === '' ? `Set ${name} to ${words}.` : `Give ${name} ${words}${unit}.`,
  )
}

const a = (type: string) =>
  /^[aeiou]/.test(type) ? `an ${type}` : type === 'nan' ? 'a number' : `a ${type}`

function list(values: readonly unknown[]): string {
  const texts = values.map((value) => JSON.stringify(value))
  return texts.length === 1 ? `${texts[0]}` : `one of ${texts.join(', ')}`
}

function placeOf(base: string, steps: readonly PropertyKey[]): string {
  return steps.reduce<string>((place, step) => {
    if (typeof step === 'number') return `${place}[${step}]`
    return place === '' ? String(step) : `${place}.${String(step)}`
  }, base)
}
