// What must hold after a crash under load: for the gateways that are left, and for what callers were told.
import { expect } from 'vitest'
import { until } from '#test/until.ts'
import { ask, type Sent } from '../crash-mix.ts'
import { send } from '../gateway-process.ts'

interface CrashTarget {
  readonly keys: readonly string[]
  /** A gateway that answers. */
  place(): Promise<{
    readonly url: string
    readonly siteUrl: string
    readonly keys: readonly string[]
  }>
  /** Requests that reached the models and the site. */
  worked(): number
  expectBooksRight(): Promise<void>
}

/** The books are right, and nothing is held, once the recovery had its time. */
export async function expectIdle({ keys, place, expectBooksRight }: CrashTarget) {
  await until(async () => {
    const { url } = await place()
    const seen = await Promise.all(keys.map((key) => send(url, { path: '/api/v1/account', key })))
    return seen.every((account) => account?.body.held_usd === '0.000000')
  })
  const { url } = await place()
  for (const key of keys)
    expect((await send(url, { path: '/api/v1/account', key }))?.body).toMatchObject({
      held_usd: '0.000000',
      calls_in_flight: 0,
    })
  await expectBooksRight()
}

/** Keyed answers are the same again and run nothing; keys without an answer are not locked. */
export async function expectKeysKept(target: CrashTarget, sent: readonly Sent[]) {
  const keyed = sent.filter(({ idempotencyKey }) => idempotencyKey !== undefined)
  const place = await target.place()
  const before = target.worked()
  const repeated = await eachOf(
    keyed.filter(({ answer }) => answer),
    (request) => ask(place, request),
  )
  for (const [request, again] of repeated)
    expect([request.what, again?.status, again?.id]).toEqual([
      request.what,
      200,
      request.answer?.id,
    ])
  expect(target.worked()).toBe(before)
  await expectKeysFree(
    target,
    keyed.filter(({ answer }) => !answer),
  )
}

/** Each request is answered, with its key if it has one: no key is locked. */
export async function expectKeysFree({ place }: CrashTarget, sent: readonly Sent[]) {
  const answering = await place()
  // On a slow machine, a page may not be read in time. Its call fails then, and its key is free again.
  await eachOf(sent, (request) =>
    until(async () => (await ask(answering, request))?.status === 200),
  )
}

/** Answered calls without a key that are not in the books, or not charged. */
export async function lostOf(target: CrashTarget, sent: readonly Sent[]): Promise<Sent[]> {
  const { url } = await target.place()
  const plain = sent.filter(({ answer, idempotencyKey }) => answer && !idempotencyKey)
  const found = await eachOf(plain, ({ account, answer }) =>
    send(url, { path: `/api/v1/transactions/${answer?.id}`, key: account }),
  )
  return found.flatMap(([request, reply]) => (reply?.body.status === 'succeeded' ? [] : [request]))
}

/** Some at a time. */
async function eachOf<Result>(
  requests: readonly Sent[],
  work: (request: Sent) => Promise<Result>,
): Promise<(readonly [Sent, Result])[]> {
  const waiting = [...requests]
  const done: (readonly [Sent, Result])[] = []
  const worker = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
      done.push([next, await work(next)])
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  return done
}
