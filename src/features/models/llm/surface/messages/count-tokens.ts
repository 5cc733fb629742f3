// Counts the tokens of a message that is not sent. The vendor of Claude counts for its own models; for all others the
// count is an estimate, because no other vendor offers one.
import { type Dispatcher, request } from 'undici'
import { errorOf, fail } from '#core/errors.ts'
import type { Log } from '#core/ports.ts'
import { isObject } from '../../conversation/fields.ts'
import type { DescribeHosted } from '../../conversation/hosted-calls.ts'
import type { ModelRequest } from '../../conversation/model-request.ts'
import { requestFor } from '../../exchange/complete.ts'
import type { Models, Route } from '../../routing/models.ts'
import { planChat } from '../../routing/plan.ts'
import type { RouteSpeed } from '../../routing/route-speed.ts'
import { readCountRequest } from './request.ts'

const countsAtOnceMax = 200
const timeoutMs = 10_000
const bytesPerToken = 4
const tokensPerMessage = 4
const tokensPerPicture = 1_500

export interface TokenCount {
  readonly input_tokens: number
  /** False: the vendor has counted. */
  readonly estimated: boolean
  readonly model: string
}

/**
 * `models`: those that the key may use, if it is limited. `describeHosted`: tools that the gateway runs. Throws
 * `bad_request`, `forbidden`, `not_found`, `provider_not_configured`.
 */
export type CountTokens = (
  body: unknown,
  asker: {
    readonly models: readonly string[] | undefined
    readonly describeHosted: DescribeHosted
  },
) => Promise<TokenCount>

export function createTokenCount(dependencies: {
  readonly models: Models
  readonly speed: Pick<RouteSpeed, 'of'>
  readonly ownNamespace: string
  readonly dispatcher: Dispatcher
  readonly log: Log
}): CountTokens {
  let underWay = 0
  return async (body, { models, describeHosted }) => {
    const asked = readCountRequest(body, describeHosted)
    const [route] = planChat(dependencies, asked, models).routes
    const model = route?.slug ?? asked.model
    if (route?.upstream.wire.name === 'anthropic') {
      if (underWay >= countsAtOnceMax) throw fail('unavailable', { retryAfterSeconds: 1 })
      underWay += 1
      try {
        const counted = await countAtVendor(dependencies, asked, route)
        return { input_tokens: counted, estimated: false, model }
      } catch (error) {
        const { name, message } = errorOf(error)
        dependencies.log.warn({ model, reason: `${name}: ${message}` }, 'Tokens were not counted.')
      } finally {
        underWay -= 1
      }
    }
    return { input_tokens: estimateTokens(asked), estimated: true, model }
  }
}

async function countAtVendor(
  { dispatcher }: { readonly dispatcher: Dispatcher },
  asked: ModelRequest,
  route: Route,
): Promise<number> {
  const { origin, path, headers, body: sent } = requestFor(route, asked)
  const { max_tokens: _limit, stream: _stream, ...prompt } = JSON.parse(sent)
  const { statusCode, body } = await request(`${origin}${path}/count_tokens`, {
    dispatcher,
    method: 'POST',
    headers,
    body: JSON.stringify(prompt),
    signal: AbortSignal.timeout(timeoutMs),
  })
  const told: unknown = await body.json()
  const tokens = isObject(told) ? told.input_tokens : undefined
  if (statusCode !== 200 || !Number.isSafeInteger(tokens) || tokens < 0)
    throw new Error(`status ${statusCode}`)
  return tokens
}

function estimateTokens({ promptBytes, messageCount, pictures }: ModelRequest): number {
  return (
    Math.ceil(promptBytes / bytesPerToken) +
    tokensPerMessage * messageCount +
    tokensPerPicture * pictures
  )
}
