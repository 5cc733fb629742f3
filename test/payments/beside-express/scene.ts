// One fault put to one seller, and what its caller has of it in the end.
import { setTimeout as delay } from 'node:timers/promises'
import type { Chains } from '#test/chains/chains.ts'
import type { Wallet } from '#test/chains/local-chain.ts'
import { answer, type Headers, post, readReply } from '../payers.ts'
import { price, type Seller } from './sellers.ts'
import type { Upstream } from './upstream.ts'

export interface Scene {
  readonly seller: Seller
  readonly upstream: Upstream
  readonly chains: Chains
  readonly payer: Wallet
  /** A payment by the protocol's own client. It can be presented any number of times. */
  sign(text?: string): Promise<Headers>
  /** Presents a payment. Resolves to the status, or 0 when the connection broke. */
  present(payment: Headers, text?: string): Promise<number>
  /** The same by a caller who does not get the answer, and may leave before there is one. */
  presentInVain(payment: Headers, signal?: AbortSignal): Promise<unknown>
  /** Presents a payment until it is answered or refused. */
  repeat(payment: Headers, text?: string): Promise<void>
  /** The payments that the seller has received. */
  received(): Promise<number>
}

export interface Fault {
  readonly name: string
  readonly happens: (scene: Scene) => Promise<unknown>
}

/** In numbers of payments, of different answers, and of runs of the handler that reached the upstream. */
export interface Outcome {
  readonly paid: number
  readonly answers: number
  readonly runs: number
}

/** Longer than either seller waits for the chain. */
const callerLeavesAfterMs = 30_000
const presentationsMax = 400
const presentationIntervalMs = 250

export async function play(
  fault: Fault,
  seller: Seller,
  { chains, upstream }: Pick<Scene, 'chains' | 'upstream'>,
): Promise<Outcome> {
  upstream.behave('answers')
  seller.node.up()
  seller.node.seen.length = 0
  const answers = new Set<unknown>()
  const before = await chains.x402.balanceOf(seller.payTo)
  const payer = await chains.createPayer()
  const received = async () =>
    Number(((await chains.x402.balanceOf(seller.payTo)) - before) / price)
  const addressOf = async () => new URL(pathOf(seller), await seller.url())

  const ask = async (payment: Headers, text: string, signal: AbortSignal) =>
    await fetch(await addressOf(), { ...post({ text }, payment), signal })
      .then(readReply)
      .catch(() => undefined)

  const scene: Scene = {
    seller,
    upstream,
    chains,
    payer,
    received,
    async sign(text = 'hello') {
      const challenged = await fetch(await addressOf(), post({ text }))
      return await answer(chains, 'x402', challenged, payer)
    },
    async present(payment, text = 'hello') {
      const reply = await ask(payment, text, AbortSignal.timeout(callerLeavesAfterMs))
      const { echo, serial } = reply?.body?.data ?? reply?.body ?? {}
      if (reply?.status === 200 && echo === text && Number.isInteger(serial)) answers.add(serial)
      return reply?.status ?? 0
    },
    presentInVain: (payment, signal = AbortSignal.timeout(callerLeavesAfterMs)) =>
      ask(payment, 'hello', signal),
    async repeat(payment, text) {
      for (let turn = 0; turn < presentationsMax; turn += 1) {
        const status = await scene.present(payment, text)
        if (status !== 0 && status !== 503) return
        await delay(presentationIntervalMs)
      }
    },
  }
  await fault.happens(scene)
  upstream.release()
  seller.node.up()
  await seller.idle()
  return { paid: await received(), answers: answers.size, runs: upstream.runs }
}

const pathOf = ({ sold }: Seller) => (sold.startsWith('/') ? sold : `/api/run/${sold}`)

/** The wrongs of an outcome. Every fault has one caller, who wants one answer. */
export function judge({ paid, answers }: Outcome): string[] {
  return [
    ...(paid > 0 && answers === 0 ? ['charged for a failure'] : []),
    ...(paid > 1 ? ['charged twice'] : []),
    ...(answers > paid ? ['served unpaid'] : []),
  ]
}
