// Readers of what the bodies of all surfaces have in common. As in chats, fields that would change the price or the
// route are refused, and other unknown fields are left out.
import { ceilingField, readCeiling } from '#core/ceiling.ts'
import type { Micros } from '#core/money.ts'
import { type ChatFields, invalid, isObject } from '../llm/conversation/fields.ts'

const modelCharactersMax = 200
const userCharactersMax = 512

const refused: Readonly<Record<string, string>> = {
  models: 'Name one model.',
  provider: 'Which provider answers is the gateway’s choice.',
  route: 'Which provider answers is the gateway’s choice.',
  plugins: 'Plugins are not sold here.',
}

export interface CommonFields {
  readonly sent: ChatFields
  readonly model: string
  readonly maxCostMicros: Micros | undefined
  readonly user: string | undefined
}

/** Throws `bad_request` for the first invalid field. */
export function readCommon(body: unknown, modelDefault?: string): CommonFields {
  if (!isObject(body)) throw invalid('', 'The body must be a JSON object with a model.')
  for (const [name, why] of Object.entries(refused))
    if (body[name] != null) throw invalid(name, `${name} is not accepted here. ${why}`)
  const model = body.model ?? modelDefault
  if (typeof model !== 'string' || model === '' || model.length > modelCharactersMax)
    throw invalid('model', 'model must name a model. GET /api/llm/v1/models lists them.')
  return {
    sent: body,
    model,
    maxCostMicros: readCeiling(body[ceilingField], (message) => invalid(ceilingField, message)),
    user: readText('user', body.user, { most: userCharactersMax }),
  }
}

/** A text of at most so many characters, if it is there. */
export function readText(
  name: string,
  value: unknown,
  { least = 0, most }: { readonly least?: number; readonly most: number },
): string | undefined {
  if (value == null) return undefined
  if (typeof value !== 'string' || value.length < least || value.length > most)
    throw invalid(name, `${name} must be a text of ${least} to ${most} characters.`)
  return value
}

/** The same, where it must be there. */
export function requireText(name: string, value: unknown, most: number): string {
  const text = readText(name, value, { least: 1, most })
  if (text === undefined) throw invalid(name, `${name} is missing. Send a text.`)
  return text
}

/** Leaves out what is undefined, so that only what was sent is passed on. */
export function definedOnly(fields: ChatFields): ChatFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

const countMax = 1_000_000_000

/** A count of a vendor. Undefined if it is absent or invalid; 0 is valid. */
export function readCount(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= countMax ? value : undefined
}

export const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && readCount(value) !== undefined

/** Nearly all text has fewer bytes per token, so an estimate favours the caller. */
const bytesPerTokenEstimated = 6
export const estimateTokens = (bytes: number) => Math.floor(bytes / bytesPerTokenEstimated)
