// One definition of an address. The HTTP door serves it; the OpenAPI documents, both clients and the tests read it.
import type { OperatorRole } from '#accounts/operators/role.ts'
import type { z } from '#core/action.ts'
import type { ErrorCode } from '#core/errors.ts'

export interface RouteDefinition {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** As OpenAPI writes it: `/api/v1/keys/{id}`. `{path}` at the end takes the rest of the address, slashes included. */
  readonly path: `/${string}`
  /**
   * Who may ask. `payer`: with an API key or a payment. `account`: with an API key. `owner`: with an API key, or a
   * wallet that proves itself. `manager`: with an unlimited API key. `operator`: with ADMIN_TOKEN, or as a person who
   * operates the gateway. Default: everyone.
   */
  readonly who?: 'payer' | 'account' | 'owner' | 'manager' | 'operator'
  /** The least role of the operator. Default: `viewer` to read, `manager` to change. */
  readonly role?: OperatorRole
  readonly summary: string
  /** Its parameters that are UUIDs. Another text is `not_found`, with this message, before query and body are read. */
  readonly ids?: Readonly<Record<string, string>>
  readonly query?: z.ZodObject
  /** A schema that the door checks, or a JSON schema where the route reads the body itself. */
  readonly body?: z.ZodType | object
  /** The body is bytes. */
  readonly bytes?: true
  /** The body is a form. */
  readonly form?: true
  /** The body is a form with files; `also`: or JSON. */
  readonly parts?: 'only' | 'also'
  /** The handler checks query and body by itself, because its refusals have an order or a form of their own. */
  readonly checksInput?: true
  /** An `Idempotency-Key` makes it repeatable. */
  readonly once?: true
  /** Default 200. */
  readonly status?: number
  /** The media type of the answer. Default JSON. */
  readonly type?: string
  /** Its errors are text. */
  readonly textErrors?: true
  /** The JSON schema of the answer. */
  readonly answer?: object
  /** `Accept: text/event-stream` asks for events instead, which this describes. */
  readonly events?: string
  readonly errors?: readonly ErrorCode[]
}

/** Keeps the types of the path, the query and the body, so that the handler gets them. */
export const defineRoute = <const Defined extends RouteDefinition>(route: Defined): Defined => route

/** The operator's routes have one prefix, one credential, and their own document. */
export const operatorPrefix = '/api/v1/admin'

/** `{ id: string }` of `/api/v1/keys/{id}`. */
export type PathParameters<Path extends string> =
  Path extends `${string}{${infer Name}}${infer Rest}`
    ? { readonly [Key in Name]: string } & PathParameters<Rest>
    : unknown

export const roleOf = ({ method, role }: Pick<RouteDefinition, 'method' | 'role'>): OperatorRole =>
  role ?? (method === 'get' ? 'viewer' : 'manager')
