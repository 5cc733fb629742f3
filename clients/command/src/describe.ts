// What a gateway says of an action, and the body of a call to it.
import { TollwayError } from '@tollway/client'
import type { Connection } from './connection.ts'
import { type Body, readFields, type Schema } from './fields.ts'
import { readFileField, readLocal } from './file-fields.ts'
import { actionsOfService, nearestAction } from './meant/actions.ts'
import { didYouMean } from './meant/suggestions.ts'
import type { Parsed } from './parse.ts'
import { errorOf, UsageError } from './usage-error.ts'
import type { Operand, Option, Surroundings } from './verb.ts'

export interface Described {
  readonly service: string
  readonly action: string
  readonly summary: string
  readonly mode: string
  readonly price: { readonly text: string }
  readonly notes?: string
  readonly reason?: string
  /** Of an action that opens a metered session. */
  readonly session?: object
  readonly input_schema: Schema
  readonly example: { readonly input: object; readonly cents: number }
}

export const actionOperand = {
  about: 'The action, such as `tollway/onescrape`.',
  completes: 'action',
} as const satisfies Operand

export const bodyOptions = {
  body: {
    about:
      'Fields as a JSON object. `@FILE` reads it from a file, and `-` from standard input. A field that is given by itself replaces the one in it.',
    value: 'JSON',
  },
  file: {
    about:
      'Take a field from a file: its text, its JSON or its base64, as the field asks. For the id of a file, the file is stored first (1¢).',
    value: 'FIELD=PATH',
    many: true,
  },
} as const satisfies Record<string, Option>

/** Throws UsageError for a name that cannot be one, and TollwayError with a suggestion for one that is unknown. */
export async function describe({ tollway }: Connection, name: string): Promise<Described> {
  const [service = '', action = ''] = name.split('/')
  if (!/^[\w-]+\/[\w.-]+$/.test(name)) {
    const names = await namesOfActions(tollway).catch(() => [])
    const suggestion = nearestAction(name, names)
    const others = actionsOfService(name, names) || ' A name is such as tollway/onescrape.'
    throw new UsageError(
      `"${name}" is not the name of an action.${suggestion === undefined ? others : didYouMean(suggestion)} \`tollway discover\` finds actions.`,
    )
  }
  const path = { service, action }
  try {
    const described = await tollway.request('GET /api/run/{service}/{action}', { path })
    return described as unknown as Described
  } catch (error) {
    if (!(error instanceof TollwayError) || error.code !== 'not_found') throw error
    const names = await namesOfActions(tollway).catch(() => [])
    const suggestion = nearestAction(name, names)
    const others = suggestion === undefined ? actionsOfService(name, names) : didYouMean(suggestion)
    throw new TollwayError('not_found', {
      status: error.status,
      requestId: error.requestId,
      message: `This gateway has no action ${name}.${others} \`tollway discover\` finds actions.`,
    })
  }
}

async function namesOfActions(tollway: Connection['tollway']): Promise<string[]> {
  const { actions } = await tollway.request('GET /api/run')
  return (actions as unknown as Described[]).map(({ service, action }) => `${service}/${action}`)
}

/** The body of a call. Throws UsageError. */
export async function readBody(
  action: string,
  given: Pick<Parsed, 'fieldWords' | 'verb'> & {
    readonly options: { readonly body: string | undefined; readonly file: readonly string[] }
  },
  { connection, input }: Surroundings,
): Promise<Body> {
  const { input_schema: schema } = await describe(connection, action)
  const whole = await readWhole(given.options.body, input)
  const fields = readFields(given, schema, action)
  const files: (readonly [string, unknown])[] = []
  for (const assignment of given.options.file)
    files.push(await readFileField(assignment, schema, { action, connection }))
  return { ...whole, ...fields, ...Object.fromEntries(files) }
}

async function readWhole(given: string | undefined, input: Surroundings['input']): Promise<object> {
  if (given === undefined) return {}
  const text = await textOf(given, input)
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`--body is not JSON: ${whyNotJson(given, text, errorOf(error))}`)
  }
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  throw new UsageError('--body must be a JSON object, such as \'{"query":"text"}\'.')
}

const isFileName = (text: string) => /^[^\s{}"]+\.\w{1,5}$/.test(text)

/** The usual mistakes are quotes that the shell has taken, quotes of other languages, and a file without its @. */
function whyNotJson(given: string, text: string, { message }: Error): string {
  if (text.trim() === '') return 'it is empty. Give an object: --body \'{"query":"text"}\'.'
  if (isFileName(given)) return `\`--body @${given}\` reads it from a file.`
  const isLoose = /^\s*\{\s*(['\w]|\}$)/.test(text)
  return isLoose
    ? 'names and texts are in double quotes, and the whole in single ones, which keep the shell from taking them: --body \'{"query":"text"}\'.'
    : message
}

async function textOf(given: string, input: Surroundings['input']): Promise<string> {
  if (given === '-') return (await input.readAll()).toString()
  return given.startsWith('@') ? new TextDecoder().decode(await readLocal(given.slice(1))) : given
}
