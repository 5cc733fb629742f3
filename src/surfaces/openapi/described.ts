// The words in which routes other than actions are described.
import type { z } from '#core/action.ts'
import type { ErrorCode } from '#core/errors.ts'

/** The group of operations that are not actions. */
export const gatewayTag = 'gateway'

export interface Described {
  readonly summary: string
  /** Default: no credential is needed. */
  readonly security?: 'apiKey' | 'adminToken'
  readonly query?: z.ZodObject
  readonly body?: z.ZodType | object
  /** The body is bytes. */
  readonly bytes?: true
  /** The body is a form. */
  readonly form?: true
  readonly once?: true
  readonly status?: number
  /** Default JSON. */
  readonly type?: string
  /** Its errors are text. */
  readonly textErrors?: true
  readonly answer?: object
  /** `Accept: text/event-stream` asks for events instead, which this describes. */
  readonly events?: string
  readonly errors?: readonly ErrorCode[]
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

export const object = (properties: Record<string, object>) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
})
/** Properties that are always there, and those that may be. */
export const objectWith = (required: Record<string, object>, optional: Record<string, object>) => ({
  ...object(required),
  properties: { ...required, ...optional },
})
export const list = (items: object) => ({ type: 'array', items })
export const text = { type: 'string' }
export const textOrNull = { type: ['string', 'null'] }
export const integer = { type: 'integer' }
export const integerOrNull = { type: ['integer', 'null'] }
export const anyObject = { type: 'object' }
