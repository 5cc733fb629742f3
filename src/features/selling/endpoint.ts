// One endpoint that is sold as it is, without a description: any method, any path below its address, bytes in and out.
import { type Action, type RunContext, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { base64Pattern, mayBeBase64 } from '#core/input/data-address.ts'
import { centsToMicros } from '#core/money.ts'
import type { HttpRequest } from '#core/ports.ts'
import { quotePrice } from '#core/price.ts'
import { readEndpointAnswer } from './operations/answer.ts'
import { isDots, mayBeRead } from './operations/path-segment.ts'
import { type SoldActionParts, termsOf } from './operations/sold-action.ts'
import { headerCharactersMax, isClosedHeader } from './operations/write-request.ts'
import { priceOf } from './rules/price.ts'
import type { MatchedOperation } from './rules/price-rules.ts'

export const endpointAction = 'call'
/** Rules for some methods or paths do not match: the one price is for all of them. */
export const endpointOperation: MatchedOperation = {
  name: endpointAction,
  method: '',
  path: '',
  tags: [],
}
/** Where it takes and gives the bytes themselves. */
export const soldEndpointPath = (name: string) => `/sell/${name}`
export const endpointMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const pathCharactersMax = 8_000
const headersMax = 50
/** Of the text that a body becomes in JSON. */
const bodyCharactersMax = 14_000_000
const timeoutSecondsDefault = 60

const input = z
  .strictObject({
    method: z.enum(endpointMethods).default('POST').describe('The method of the request.'),
    path: z
      .string()
      .max(pathCharactersMax)
      .regex(/^($|[/?])/, 'must begin with / or ?')
      .default('')
      .describe('What follows the sold address: `/2026?limit=3`.'),
    headers: z
      .record(
        z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/),
        z
          .string()
          .max(headerCharactersMax)
          .regex(/^[\t\x20-\x7e\x80-\xff]*$/),
      )
      .refine(
        (headers) => Object.keys(headers).length <= headersMax,
        `at most ${headersMax} headers`,
      )
      .default({})
      .describe('Headers of the request. Credentials, cookies and payments are left out.'),
    json: z.unknown().optional().describe('A body in JSON.'),
    text: z.string().max(bodyCharactersMax).optional().describe('A body in text.'),
    base64: z
      .string()
      .max(bodyCharactersMax)
      .refine((text) => mayBeBase64(text), 'must be base64')
      .meta({ pattern: base64Pattern })
      .optional()
      .describe('A body of bytes, in base64.'),
    answer: z
      .enum(['read', 'bytes'])
      .default('read')
      .describe('`bytes`: the body of the answer comes in base64, texts and JSON too.'),
  })
  .refine(
    ({ json, text, base64 }) =>
      [json, text, base64].filter((each) => each !== undefined).length < 2,
    'Send one body: json, text or base64.',
  )

const output = z.looseObject({
  status: z.int().describe('The status of the answer.'),
  content_type: z.string().nullable().describe('The content type of the answer.'),
  filename: z.string().optional().describe('The name that the server gives the file.'),
  headers: z.record(z.string(), z.string()).describe('Headers of the answer.'),
  json: z.unknown().optional().describe('The body, if it is JSON.'),
  text: z.string().optional().describe('The body, if it is text.'),
  base64: z.string().optional().describe('The body, if it is neither, or if bytes were asked for.'),
})

export type EndpointInput = z.output<typeof input>
export type EndpointOutput = z.output<typeof output>

export function endpointActionOf(
  {
    name,
    title,
    address,
    isPrivate,
  }: {
    /** That it is sold by. */
    readonly name: string
    readonly title: string
    readonly address: string
    readonly isPrivate: boolean
  },
  parts: Pick<SoldActionParts, 'rule' | 'unavailable'>,
): Action {
  const price = priceOf(parts.rule)
  const example = { method: 'GET' as const }
  const { timeout_seconds: seconds = timeoutSecondsDefault } = parts.rule
  const { host } = new URL(address)
  return {
    ...termsOf(parts.rule),
    name: endpointAction,
    soldAs: 'endpoint',
    summary: `Call ${title}, with any method, path and body.`,
    notes: `What the seller's server${isPrivate ? '' : ` at ${host}`} answers is passed on. With curl, use ${soldEndpointPath(name)} followed by the path: it takes and gives the bytes themselves.`,
    synonyms: isPrivate ? [title] : [title, host],
    input,
    output,
    price,
    example: { input: example, cents: quotePrice(price, example).micros / centsToMicros(1) },
    ...(parts.unavailable !== undefined && {
      unavailable: parts.unavailable,
      ended: true as const,
    }),
    run: (context) => callEndpoint(context, { address, seconds, isPrivate }),
  }
}

async function callEndpoint(
  { input, http, clock }: RunContext<unknown>,
  { address, seconds, isPrivate }: { address: string; seconds: number; isPrivate: boolean },
): Promise<object> {
  const asked = input as EndpointInput
  const startedAt = clock.now()
  const reply = await http.send({ ...requestOf(asked, address), timeoutMs: seconds * 1_000 })
  return readEndpointAnswer(reply, (clock.now() - startedAt) / 1_000, {
    form: asked.answer,
    closedHost: isPrivate ? new URL(address).host : undefined,
  })
}

function requestOf(asked: EndpointInput, address: string): HttpRequest {
  const { method, json, text, base64 } = asked
  const headers = Object.entries(asked.headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => name === 'content-type' || !isClosedHeader(name))
  const bytes =
    base64 !== undefined
      ? Buffer.from(base64, 'base64')
      : text !== undefined
        ? Buffer.from(text)
        : json !== undefined
          ? Buffer.from(JSON.stringify(json))
          : undefined
  const named = Object.fromEntries(headers)
  const type =
    json !== undefined ? 'application/json' : text !== undefined ? 'text/plain' : undefined
  return {
    method,
    path: pathBelow(address, asked.path),
    headers: {
      accept: '*/*',
      ...(bytes && { 'content-type': type ?? 'application/octet-stream' }),
      ...named,
    },
    ...(bytes && { bytes }),
    as: 'bytes',
    hidesKey: true,
  }
}

/** The sold path with what follows it. Throws `bad_request` for a path that leads out of it. */
function pathBelow(address: string, following: string): string {
  const base = new URL(address)
  const own = base.pathname.replace(/\/$/, '')
  const [path = '', query = ''] = splitQuery(following)
  const joined = path === '' ? base.pathname : own + path
  const url = URL.parse(joined, base.origin)
  const climbs =
    url?.origin !== base.origin ||
    path.split('/').some((segment) => mayBeRead(segment, leadsElsewhere))
  if (url === null || climbs || !(url.pathname === own || url.pathname.startsWith(`${own}/`)))
    throw fail('bad_request', {
      message: 'The path leads out of the address that is sold. Send what follows it.',
    })
  const queries = [base.search.slice(1), query].filter((each) => each !== '').join('&')
  return queries === '' ? url.pathname : `${url.pathname}?${queries}`
}

/** Leads up, or to another segment. */
const leadsElsewhere = (text: string): boolean =>
  isDots(text) ? text !== '.' : /[\\/\p{Cc}]/u.test(text)

function splitQuery(text: string): readonly [string, string] {
  const at = text.indexOf('?')
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
