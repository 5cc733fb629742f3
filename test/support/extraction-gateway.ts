// A gateway with one language model, and a site whose pages it may read.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { startLlmGateway } from './llm-gateway.ts'
import type { Behaviour } from './model-upstream.ts'

export const cheapPrice = { prompt: 0.05, completion: 0.4 }

/** `pages`: their HTML by path; every other path is a 404. `price`: of the model, in dollars per million tokens. */
export async function startExtractionGateway({
  pages,
  price = cheapPrice,
}: {
  readonly pages: Readonly<Record<string, string>>
  readonly price?: typeof cheapPrice
}) {
  const server = createServer((request, reply) => {
    const page = pages[request.url ?? '']
    reply.writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' })
    reply.end(page ?? '<h1>Not found</h1>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const gateway = await startLlmGateway({
    config: { tiers: { cheap: ['lab/one'] }, prices: { 'lab/one': price }, timeouts: {} },
    env: { EGRESS_ALLOW: host, CHROMIUM_PATH: '/nowhere/chromium' },
  })
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
  return { origin, upstream, gateway, say, account: await gateway.account(100) }
}
