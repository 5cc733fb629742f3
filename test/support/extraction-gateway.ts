// A gateway with one language model, and a site whose pages it may read.
import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import type { AtEnd } from './database.ts'
import { startLlmGateway } from './llm-gateway.ts'
import type { Behaviour } from './model-upstream.ts'

const cheapPrice = { prompt: 0.05, completion: 0.4 }

interface ExtractionOptions {
  /** Their HTML by path. Every other path is a 404. */
  readonly pages: Readonly<Record<string, string>>
  /** Of the model, in dollars per million tokens. */
  readonly price?: typeof cheapPrice
}

/** One gateway for all tests of the block. Each finds its model as new. */
export function shareExtractionGateway(options: ExtractionOptions) {
  let shared: Awaited<ReturnType<typeof startExtractionGateway>> | undefined
  const endings: (() => Promise<void>)[] = []
  beforeAll(async () => {
    shared = await startExtractionGateway(options, (work) => endings.unshift(work))
  })
  beforeEach(() => shared?.upstream.reset())
  afterAll(async () => {
    for (const end of endings) await end()
  })
  return () => {
    if (shared === undefined) throw new Error('The shared gateway exists only while a test runs.')
    return shared
  }
}

export async function startExtractionGateway(
  { pages, price = cheapPrice }: ExtractionOptions,
  atEnd: AtEnd = onTestFinished,
) {
  const server = createServer((request, reply) => {
    const page = pages[request.url ?? '']
    reply.writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' })
    reply.end(page ?? '<h1>Not found</h1>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(async () => void server.close())
  const host = `127.0.0.1:${portOf(server)}`
  const gateway = await startLlmGateway(
    {
      config: { tiers: { cheap: ['lab/one'] }, prices: { 'lab/one': price } },
      env: { EGRESS_ALLOW: host, CHROMIUM_PATH: '/nowhere/chromium' },
    },
    atEnd,
  )
  const { upstream } = gateway
  /** The model's next answers: a text, or what it writes as JSON. The last one stays. */
  const say = (...answers: readonly [object | string, ...(object | string)[]]) => {
    const [first, ...others] = answers.map(
      (answer): Behaviour =>
        (exchange) =>
          exchange.answer({
            tokens: [typeof answer === 'string' ? answer : JSON.stringify(answer)],
          }),
    )
    if (first !== undefined) upstream.behave('one', first, ...others)
  }
  const origin = `http://${host}`
  return { origin, upstream, gateway, say }
}
