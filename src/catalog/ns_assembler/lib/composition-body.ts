// A composition as callers send it: at the top level of the body, or in `composition`. Its clips are judged one by one, so the
// schema of the body is loose.
import { pick, z } from '#core/action.ts'

const compositionFields = {
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

/** A composition whose clips are not read yet. */
export interface CompositionBody {
  readonly tracks?: readonly object[] | undefined
  readonly [field: string]: unknown
}

/** A body of `own` fields and a composition, read to these fields and `composition`. */
export function bodyWith<Own extends z.ZodRawShape>(own: Own) {
  const wrapped = z
    .looseObject(compositionFields)
    .optional()
    .describe('The composition, when it is not at the top level.')
  const body = z.looseObject({ ...compositionFields, ...own, composition: wrapped })
  type Read = z.output<z.ZodObject<Own>> & { readonly composition: CompositionBody }
  return body.transform((sent, context): Read => {
    const { composition, ...bare } = sent as Readonly<Record<string, unknown>>
    const foreign = Object.entries(bare).filter(([name]) => !(name in own))
    const found = (composition ?? Object.fromEntries(foreign)) as CompositionBody
    if (found.tracks === undefined) {
      context.addIssue('The body has no composition: send tracks, or a composition with tracks')
    }
    return { ...pick(bare, ...Object.keys(own)), composition: found } as Read
  })
}

/** The media that a composition names. */
export function mediaOf({ tracks = [] }: CompositionBody): readonly string[] {
  const clips = tracks.flatMap((track) => {
    const { contents } = track as { contents?: unknown }
    return Array.isArray(contents) ? contents : []
  })
  const ids = clips.map((clip) => clip?.source?.mediaId)
  return [...new Set(ids.filter((id) => typeof id === 'string'))]
}
