// Reads the body of a generation: the model, what the gateway itself is asked for, and the model's own parameters.
import { z } from '#core/action.ts'
import { membersOf } from '#core/input/members.ts'
import type { MediaModel, MediaModels, MediaParameters } from '#core/media-model.ts'
import { createParameterReader, type ReadParameters } from './parameters.ts'

export interface MediaRequest {
  readonly model: string
  readonly store: boolean
  /** As the vendor expects them, with defaults. */
  readonly parameters: MediaParameters
}

const suggestionsMax = 5
const some = (text: string) => z.unknown().optional().describe(text)

/** Parameters that many models have. Each model has its own rules for them. */
const frequent = {
  prompt: some('What to make. Most models need it.'),
  image_url: some('The image to start from.'),
  image_urls: some('The images to edit or combine, in order.'),
  reference_image_urls: some(
    'Images of each character, in order: front-facing and of high resolution. The likeness comes from them alone.',
  ),
  video_url: some('The video to change.'),
  audio_url: some('The audio to follow.'),
  aspect_ratio: some('Such as 16:9, 9:16 or 1:1.'),
  resolution: some(
    'Such as 1K, 2K or 4K for images, and 720p or 1080p for video. It decides the price of many models.',
  ),
  image_size: some('{"width": 1024, "height": 768}, "1024x768", or a name such as landscape_4_3.'),
  duration: some('Seconds. It decides the price of most video models, so always send it.'),
  text: some('What to speak. Some models call it prompt.'),
}

export function createRequestSchema(models: MediaModels) {
  const readers = new WeakMap<MediaModel, ReadParameters>()
  const readerOf = (model: MediaModel) => {
    const reader = readers.get(model) ?? createParameterReader(model)
    readers.set(model, reader)
    return reader
  }
  return z
    .looseObject({
      model: z.string().min(1).max(100).describe('A key of GET /api/catalog.'),
      store: z
        .boolean()
        .default(false)
        .describe('Keep the outputs in your files. The vendor’s addresses expire.'),
      ...frequent,
    })
    .describe('The other parameters are those of the model: GET /api/catalog lists them.')
    .transform(({ model: key, store, ...given }, context): MediaRequest => {
      const model = models.get(key)
      if (model === undefined) {
        context.addIssue({ code: 'custom', path: ['model'], message: unknownModel(key, models) })
        return z.NEVER
      }
      const sent = Object.entries(given).filter(([, value]) => value !== undefined)
      const parsed = readerOf(model)(Object.fromEntries(sent))
      if (parsed.success) return { model: key, store, parameters: parsed.data }
      for (const issue of parsed.error.issues) context.addIssue(explain(issue, model))
      return z.NEVER
    })
}

function explain(issue: z.core.$ZodIssue, { key, parameters }: MediaModel) {
  const { path, message } = issue
  if (issue.code === 'invalid_union' && path.length === 1)
    return {
      code: 'custom' as const,
      path,
      message: `matches none of ${formsOf(path[0], parameters)}`,
    }
  if (issue.code !== 'unrecognized_keys' || path.length > 0)
    return { code: 'custom' as const, path: [...path], message }
  const known = Object.keys(membersOf(parameters.properties)).join(', ')
  const strange = issue.keys.map((name) => `"${name}"`).join(', ')
  return {
    code: 'custom' as const,
    path: [],
    message: `${key} does not take ${strange}. It takes: ${known}`,
  }
}

/** The forms of a parameter that has several, as its schema writes them. */
function formsOf(name: PropertyKey | undefined, { properties }: MediaModel['parameters']): string {
  const { anyOf } =
    (properties as Record<PropertyKey, { anyOf?: readonly object[] }>)[name ?? ''] ?? {}
  return (anyOf ?? []).map((form) => JSON.stringify('enum' in form ? form.enum : form)).join(', ')
}

function unknownModel(key: string, models: MediaModels): string {
  const words = key
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  const near = [...models.keys()].filter((other) => words.some((word) => other.includes(word)))
  const hint = near.length > 0 ? `Did you mean ${near.slice(0, suggestionsMax).join(', ')}?` : ''
  return `no model has this key. ${hint} GET /api/catalog lists the models`.replace('  ', ' ')
}
