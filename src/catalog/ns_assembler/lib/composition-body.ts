// A composition as callers send it: at the top level of the body, or in `composition`. Each fault in it is answered
// with its fix by the code that judges compositions, so the schema of the body states the form and accepts any value.
import { pick, z } from '#core/action.ts'
import { membersOf } from '#core/input/members.ts'

const anyObject = { type: 'object', properties: {}, additionalProperties: {} } as const

const compositionFields = {
  v: z.unknown().optional().meta({
    description: 'Version of the composition’s form.',
    type: 'number',
    const: 1,
  }),
  format: z
    .unknown()
    .optional()
    .meta({
      description: 'aspectRatio, fps and resolution of the film. Default: those of the project.',
      ...anyObject,
    }),
  tracks: z.unknown().optional().meta({
    description:
      'Layers, the first at the bottom: {id, kind: video|audio|image|overlay|effect, contents: [clip]}. A clip has id, startTime and duration in seconds, and a source: media, component, effect or overlay.',
    type: 'array',
    items: anyObject,
  }),
  captions: z
    .unknown()
    .optional()
    .meta({
      description: 'Captions of the whole film: {words}, {cues}, {srt} or {vtt}, and their look.',
      ...anyObject,
    }),
  safeArea: z
    .unknown()
    .optional()
    .meta({
      description:
        'Where texts stay: title, action, tiktok, reels, shorts, or {top, right, bottom, left}.',
      anyOf: [{ type: 'string' }, anyObject],
    }),
  loudness: z
    .unknown()
    .optional()
    .meta({
      description: 'Brings the film to a loudness: {targetLufs}, by default -14.',
      ...anyObject,
    }),
}

/** A composition that is not read yet. */
export type CompositionBody = Readonly<Record<string, unknown>>

/** A body of `own` fields and a composition, read to these fields and `composition`. */
export function bodyWith<Own extends z.ZodRawShape>(own: Own) {
  const wrapped = z
    .looseObject(compositionFields)
    .optional()
    .describe('The composition, when it is not at the top level.')
  const body = z.looseObject({ ...compositionFields, ...own, composition: wrapped })
  type Read = z.output<z.ZodObject<Own>> & { readonly composition: CompositionBody }
  return body.transform((sent, context): Read => {
    const { composition, ...bare } = membersOf(sent)
    const foreign = Object.entries(bare).filter(([name]) => !(name in own))
    const found = (composition ?? Object.fromEntries(foreign)) as CompositionBody
    if (found.tracks === undefined) {
      context.addIssue('The body has no composition: send tracks, or a composition with tracks')
    }
    return { ...pick(bare, ...Object.keys(own)), composition: found } as Read
  })
}

/** The media that a composition names, wherever: the vendor may read more places than this gateway knows. */
export function mediaOf(composition: CompositionBody): readonly string[] {
  const ids = new Set<string>()
  const parts: unknown[] = [composition]
  for (const part of parts) {
    if (typeof part !== 'object' || part === null) continue
    for (const [name, value] of Object.entries(part)) {
      const named = /^media_?ids?$/i.test(name) ? [value].flat() : []
      for (const id of named) if (typeof id !== 'object') ids.add(String(id))
      parts.push(value)
    }
  }
  return [...ids]
}
