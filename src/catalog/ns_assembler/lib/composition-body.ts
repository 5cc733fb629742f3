// A composition as callers send it: at the top level of the body, or in `composition`. Its clips are judged one by one, so the
// schema of the body is loose.
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'

const wrapped = z.looseObject({ tracks: z.array(z.looseObject({})).optional() })

export const compositionFields = {
  composition: wrapped.optional().describe('The composition, when it is not at the top level.'),
  v: z.literal(1).optional().describe('Version of the composition’s form.'),
  format: z
    .looseObject({})
    .optional()
    .describe('aspectRatio, fps and resolution of the film. Default: those of the project.'),
  tracks: z
    .array(z.looseObject({}))
    .optional()
    .describe(
      'Layers, the first at the bottom: {id, kind: video|audio|image|overlay|effect, contents: [clip]}. A clip has id, startTime and duration in seconds, and a source: media, component, effect or overlay.',
    ),
}

/** A composition that is not read yet. */
export interface CompositionBody {
  readonly tracks?: readonly object[] | undefined
  readonly [field: string]: unknown
}

interface Body extends CompositionBody {
  readonly composition?: CompositionBody | undefined
}

export function compositionOf({
  composition,
  project_id: _project,
  if_match: _version,
  ...bare
}: Body): CompositionBody {
  return composition ?? bare
}

/** Throws for a body without a composition. */
export function checkComposition(body: Body): void {
  if (Array.isArray(compositionOf(body).tracks)) return
  throw fail('bad_request', {
    message:
      'The body has no composition. Send its tracks at the top level, or a composition with tracks. Nothing was charged.',
  })
}

/** The media that a composition names. */
export function mediaOf(composition: CompositionBody): readonly string[] {
  const clips = (composition.tracks ?? []).flatMap((track) => {
    const { contents } = track as { contents?: unknown }
    return Array.isArray(contents) ? contents : []
  })
  const ids = clips.map((clip) => clip?.source?.mediaId)
  return [...new Set(ids.filter((id) => typeof id === 'string'))]
}
