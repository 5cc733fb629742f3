// Wallets that pay by the unmodified clients of the protocols, as their users' programs do.
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { UptoEvmScheme } from '@x402/evm/upto/client'
import { wrapFetchWithPayment, x402Client, x402HTTPClient } from '@x402/fetch'
import { Mppx, tempo } from 'mppx/client'
import { createClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { tempo as tempoChain } from 'viem/chains'
import type { Chains } from '#test/chains/chains.ts'
import type { Wallet } from '#test/chains/local-chain.ts'
import type { Reply } from '#test/harness.ts'
import { type ChainRail, chainOf, type PaidGateway } from './paid-gateway.ts'

const pollingIntervalMs = 25

export type Headers = Readonly<Record<string, string>>
type Fetch = (url: string, init: RequestInit) => Promise<Response>

export function x402Payer(wallet: Wallet): x402Client {
  const account = privateKeyToAccount(wallet.privateKey)
  return (
    new x402Client()
      .register('eip155:*', new ExactEvmScheme(account))
      .register('eip155:*', new UptoEvmScheme(account))
      // Its own default refuses payments above $1.
      .setSpendControls(false)
  )
}

export function mppMethods(chains: Chains, wallet: Wallet) {
  const getClient = () =>
    createClient({
      // Test wallets hold only this dollar token, so they also pay fees in it.
      chain: { ...tempoChain, feeToken: chains.mpp.asset },
      transport: http(chains.mpp.rpcUrl),
      pollingInterval: pollingIntervalMs,
    })
  return [tempo({ account: privateKeyToAccount(wallet.privateKey), getClient })] as const
}

function mppPayer(chains: Chains, wallet: Wallet) {
  return Mppx.create({
    polyfill: false,
    methods: mppMethods(chains, wallet),
  })
}

/** A `fetch` that pays challenges. */
export function payingFetch(rail: ChainRail, chains: Chains, wallet: Wallet): Fetch {
  return rail === 'x402'
    ? wrapFetchWithPayment(fetch, x402Payer(wallet))
    : (mppPayer(chains, wallet).fetch as Fetch)
}

/** Calls an action and pays for it, by the rail's own client. */
export async function buy(
  gateway: PaidGateway,
  rail: ChainRail,
  action: string,
  body: unknown = {},
  { wallet = gateway.chains.wallets.payer, headers = {} as Headers } = {},
): Promise<Reply> {
  const pay = payingFetch(rail, gateway.chains, wallet)
  return await readReply(await pay(addressOf(gateway.url, action), post(body, headers)))
}

/** The payment that a client would send for this request. It can be sent any number of times. */
export async function sign(
  gateway: Pick<PaidGateway, 'url' | 'chains'>,
  rail: ChainRail,
  action: string,
  body: unknown = {},
  { wallet = gateway.chains.wallets.payer, headers = {} as Headers } = {},
): Promise<Headers> {
  const challenged = await fetch(addressOf(gateway.url, action), post(body, headers))
  return await answer(gateway.chains, rail, challenged, wallet)
}

/** The headers that answer a challenge. */
export async function answer(
  chains: Chains,
  rail: ChainRail,
  challenged: Response,
  wallet: Wallet,
): Promise<Headers> {
  if (rail === 'mpp')
    return { authorization: await mppPayer(chains, wallet).createCredential(challenged) }
  const client = new x402HTTPClient(x402Payer(wallet))
  const required = client.getPaymentRequiredResponse((name) => challenged.headers.get(name))
  return client.encodePaymentSignatureHeader(await client.createPaymentPayload(required))
}

/** A 402 as received. */
export function challenge(gateway: { url: string }, action: string, body: unknown = {}) {
  return fetch(addressOf(gateway.url, action), post(body))
}

/** Sends a request with a payment that was signed before. */
export async function present(
  gateway: { readonly url: string },
  action: string,
  body: unknown,
  headers: Headers,
): Promise<Reply> {
  return await readReply(await fetch(addressOf(gateway.url, action), post(body, headers)))
}

export const post = (body: unknown, headers: Headers = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

const addressOf = (url: string, action: string) =>
  new URL(action.startsWith('/') ? action : `/api/run/${action}`, url).href

export async function readReply(response: Response): Promise<Reply> {
  const text = await response.text()
  let body: unknown = text
  try {
    body = JSON.parse(text)
  } catch {
    // Some bodies are not JSON; the test decides whether that is right.
  }
  return { status: response.status, headers: response.headers, body }
}

/** The payments that the gateway has received in this test on this rail by the chain, in base units. */
export async function received({ chains, till, earlier }: PaidGateway, rail: ChainRail) {
  return (await chainOf(chains, rail).balanceOf(till.payTo)) - earlier[rail]
}
