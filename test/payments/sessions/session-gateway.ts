// A gateway that sells language models by MPP sessions, and wallets that talk to it.
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Chains } from '#test/chains/chains.ts'
import { type ChannelEscrow, plantChannelEscrow } from '#test/chains/channel-escrow.ts'
import type { Wallet } from '#test/chains/local-chain.ts'
import { startLlmGateway } from '#test/llm-gateway.ts'
import { createLogCapture } from '#test/log-capture.ts'
import type { Json } from '#test/model-upstream.ts'
import { openTill, type PaidGateway, payments } from '../paid-gateway.ts'
import { post } from '../payers.ts'
import { channelRow, openConversation, sessionSettings } from './session-payers.ts'

export const chatPath = '/api/llm/v1/chat/completions'
/** What an answer costs: 100 tokens of prompt and 50 of completion. */
export const costMicros = 300n
export const chatBody = {
  model: 'lab/one',
  messages: [{ role: 'user', content: 'Hello' }],
  max_tokens: 100,
}

export type SessionGateway = PaidGateway &
  Pick<Awaited<ReturnType<typeof startLlmGateway>>, 'upstream'> & {
    readonly escrow: ChannelEscrow
  }

/** One gateway for all tests of a file. */
export function shareSessionGateway(
  chains: () => Chains,
  env: Readonly<Record<string, string>> = {},
): () => SessionGateway {
  let gateway: SessionGateway | undefined
  const endings: (() => Promise<void>)[] = []
  if (payments.ok) {
    beforeAll(async () => {
      const till = await openTill(chains())
      const escrow = await plantChannelEscrow(chains().mpp, till.payTo)
      const log = createLogCapture()
      const settings = { ...till.env, ...(await sessionSettings(chains())), ...env }
      const started = await startLlmGateway({ log, env: settings }, (work) => endings.unshift(work))
      const earlier = { x402: 0n, mpp: 0n }
      gateway = { ...started, chains: chains(), till, log, earlier, escrow }
    })
    beforeEach(() => gateway?.upstream.reset())
    afterAll(async () => {
      for (const end of endings) await end()
    })
  }
  return () => {
    if (gateway === undefined) throw new Error('The shared gateway starts with the first test.')
    return gateway
  }
}

export async function createSessionPayer({ chains, escrow }: SessionGateway): Promise<Wallet> {
  const wallet = await chains.createPayer()
  await escrow.admit(wallet)
  return wallet
}

export type SentCredential = { readonly authorization: string; readonly body: string }

/** A conversation of this wallet by a client without memory, and the credentials that it sends. */
export function converse(
  gateway: SessionGateway,
  wallet: Wallet,
  options: { readonly maxDeposit?: string; readonly bootstrap?: boolean } = {},
) {
  const sent: SentCredential[] = []
  const session = openConversation(gateway.chains, gateway.escrow, wallet, {
    ...options,
    fetch(input, init) {
      const authorization = new Headers(init?.headers).get('authorization')
      if (authorization !== null) sent.push({ authorization, body: String(init?.body ?? '') })
      return gateway.escrow.fetch(input, init)
    },
  })
  const ask = (body: Json = chatBody) => session.fetch(gateway.url + chatPath, post(body))
  const row = () => channelRow(gateway.database, session.channelId ?? '')
  return { session, sent, ask, row }
}
