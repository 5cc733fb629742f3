// The clients pay from a wallet by the unmodified clients of the protocols, and a repeated call is paid once. The one
// for Python pays by a transport of httpx, in the way in which the `x402` package for Python does: it answers a 402 and
// repeats the request. That package is not in Debian, so here the signatures are those of the protocols' clients for
// TypeScript.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import {
  type ChainRail,
  payments,
  rails,
  shareChains,
  sharePaidGateway,
} from '../payments/paid-gateway.ts'
import { answer, payingFetch, received } from '../payments/payers.ts'
import { openBreakingProxy } from './breaking-proxy.ts'
import { openClient } from './open-client.ts'
import { findPython, runPython } from './python.ts'

const python = await findPython()

const pythonProgram = await readFile(path.join(import.meta.dirname, 'paying-client.py'), 'utf8')

describe.skipIf(!payments.ok)(`paying by a wallet ${payments.reason}`, () => {
  const chains = shareChains()
  const gateway = sharePaidGateway(chains)

  async function open(rail: ChainRail) {
    const proxy = await openBreakingProxy(gateway().url)
    const fetch = payingFetch(rail, chains(), chains().wallets.payer)
    return { proxy, tollway: openClient(proxy, { key: undefined }, { fetch }) }
  }

  test.each(rails)('%s: a call is paid without an account', async (rail) => {
    const { tollway } = await open(rail)
    const before = await received(gateway(), rail)
    const answer = await tollway.run('test/echo', { text: 'paid' })
    expect(answer).toMatchObject({ data: { echo: 'paid' }, chargedCents: 2, replayed: false })
    expect((await received(gateway(), rail)) - before).toBe(20_000n)
  })

  test.each(rails)('%s: a call whose paid answer is lost is not paid twice', async (rail) => {
    const { proxy, tollway } = await open(rail)
    const before = await received(gateway(), rail)
    const asked = gateway().provider.asked.length
    // The first request is answered with the challenge.
    proxy.next('pass', 'cut answer')
    const answer = await tollway.run('test/echo', { text: 'once' })
    expect(answer).toMatchObject({ data: { echo: 'once' }, replayed: true })
    expect(gateway().provider.asked).toHaveLength(asked + 1)
    expect((await received(gateway(), rail)) - before).toBe(20_000n)
  })

  /** Answers challenges for the wallet. */
  async function startSigner(rail: ChainRail): Promise<string> {
    const server = createServer((request, response) => {
      json(request)
        .then(
          (headers) => new Response(null, { status: 402, headers: headers as [string, string][] }),
        )
        .then((challenged) => answer(chains(), rail, challenged, chains().wallets.payer))
        .then((signed) => response.end(JSON.stringify(signed)))
        .catch(() => response.destroy())
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    return `http://127.0.0.1:${portOf(server)}`
  }

  test.skipIf(python === undefined).each(rails)(
    '%s: a call of Python is paid without an account, and not twice when its paid answer is lost',
    async (rail) => {
      const proxy = await openBreakingProxy(gateway().url)
      const before = await received(gateway(), rail)
      const asked = gateway().provider.asked.length
      proxy.next('pass', 'cut answer')
      const printed = await runPython(pythonProgram, proxy.url, await startSigner(rail))
      expect(printed).toEqual(['once', 2, true])
      expect(gateway().provider.asked).toHaveLength(asked + 1)
      expect((await received(gateway(), rail)) - before).toBe(20_000n)
    },
  )
})
