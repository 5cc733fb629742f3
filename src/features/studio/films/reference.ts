// The reference of what a composition may hold, written from the schemas that check it.
import { z } from 'zod'
import { captionsSchema } from './components/captions.ts'
import { components } from './components/cards.ts'
import { effects } from './components/effects.ts'
import { overlays } from './components/overlays.ts'
import { compositionLimits } from './composition/limits.ts'
import { codesOfProblems } from './composition/problem.ts'
import { safeAreaNames } from './composition/safe-area.ts'
import {
  clipSchema,
  duckSchema,
  formatSchema,
  loudnessSchema,
  trackKinds,
  trackSchema,
  transitionTypes,
} from './composition/schema.ts'

interface JsonSchema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly default?: unknown
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
}

type Table = (head: readonly string[], rows: readonly (readonly string[])[]) => string

const schemaOf = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema

/** In words: `0..1`, `one of a, b`, `text`. */
function typeOf(schema: JsonSchema): string {
  const { type, minimum, maximum, exclusiveMinimum, anyOf, oneOf, items, properties } = schema
  const choices = anyOf ?? oneOf
  if (choices !== undefined) return choices.map(typeOf).join(' or ')
  if (schema.enum !== undefined) return schema.enum.map((each) => `\`${each}\``).join(', ')
  if (schema.const !== undefined) return `\`${schema.const}\``
  if (type === 'array') return `list of ${typeOf(items ?? {})}`
  if (properties !== undefined)
    return `{${Object.entries(properties)
      .map(([name, field]) => `${name}: ${typeOf(field)}`)
      .join(', ')}}`
  if (type === 'number' || type === 'integer') {
    const least = exclusiveMinimum === undefined ? `${minimum ?? ''}` : `>${exclusiveMinimum}`
    return `${type === 'integer' ? 'whole ' : ''}${least}..${maximum ?? ''}`
  }
  if (schema.pattern?.startsWith('^#')) return 'colour'
  if (type === 'string')
    return schema.maxLength === undefined ? 'text' : `text, at most ${schema.maxLength}`
  return type ?? 'any'
}

function rowsOf(schema: JsonSchema): string[][] {
  return Object.entries(schema.properties ?? {}).map(([name, field]) => [
    schema.required?.includes(name) ? `**${name}**` : name,
    name === 'source' ? 'one of those below' : typeOf(field),
    field.default === undefined ? '' : `\`${JSON.stringify(field.default)}\``,
    field.description ?? '',
  ])
}

const fieldHead = ['Field', 'Value', 'Default', 'Meaning']

interface Entry {
  readonly id: string
  readonly summary: string
  readonly example: Readonly<Record<string, unknown>>
  readonly props?: z.ZodType
  readonly params?: z.ZodType
}

export function assemblerPage(note: string, table: Table): string {
  const fields = (schema: z.ZodType) => table(fieldHead, rowsOf(schemaOf(schema)))
  const clip = schemaOf(clipSchema)
  const sources = clip.properties?.source?.oneOf ?? []
  const entries = (title: string, all: readonly Entry[]) =>
    `## ${title}\n\n${all.map((each) => entry(each, table)).join('\n\n')}`
  const limits = Object.entries(compositionLimits).map(([name, most]) => [name, String(most)])
  return [
    '# Compositions of films',
    `${note} Required fields are bold. Times are seconds; places and sizes are fractions of the frame, from its top left corner.`,
    `A composition is \`{v: 1, format, tracks: [{id, kind, name, enabled, duck, contents: [clip]}], captions, loudness, safeArea}\`. A track has one of the kinds ${trackKinds.map((kind) => `\`${kind}\``).join(', ')}. Later tracks lie over earlier ones, and later clips over earlier ones of their track. An effect changes what lies beneath its track.`,
    `## Format\n\n${fields(formatSchema)}`,
    `## Track\n\n${fields(trackSchema)}`,
    `### Ducking\n\n${fields(duckSchema)}`,
    `## Captions\n\nWith \`captions\`, the words are in front of all tracks. One of \`words\`, \`cues\`, \`srt\` and \`vtt\` is required.\n\n${fields(captionsSchema)}`,
    `## Loudness\n\nWith \`loudness\`, the sound of the whole film is brought to a target.\n\n${fields(loudnessSchema)}`,
    `## Safe area\n\n\`safeArea\` is one of ${safeAreaNames.map((name) => `\`${name}\``).join(', ')}, or \`{top, right, bottom, left}\` in fractions of the frame. Texts and captions without a region of their own stay within it; pictures, shapes and cards fill the frame.`,
    `## Clip\n\n${fields(clipSchema)}`,
    `A transition runs at the start of its clip. The clip before it, if it ends at that time on the same track, holds its last picture for as long. Types: ${transitionTypes.map((type) => `\`${type}\``).join(', ')}.`,
    ...sources.map(
      (source) =>
        `### Source: ${source.properties?.kind?.const}\n\n${table(fieldHead, rowsOf(source))}`,
    ),
    entries('Components', components),
    entries('Overlay primitives', overlays),
    entries('Effect primitives', effects),
    `## Limits\n\n${table(['Limit', 'At most'], limits)}`,
    `## Problems\n\n\`validate\` answers with \`{code, stage, category, retryable, message, fix, path}\` for everything that a render would drop. Codes: ${codesOfProblems.map((code) => `\`${code}\``).join(', ')}.`,
    '',
  ].join('\n\n')
}

function entry({ id, summary, example, props, params }: Entry, table: Table): string {
  const rows = rowsOf(schemaOf(props ?? params ?? z.object({})))
  const fields = rows.length === 0 ? 'It takes nothing.' : table(fieldHead, rows)
  return `### ${id}\n\n${summary} Example: \`${JSON.stringify(example)}\`\n\n${fields}`
}
