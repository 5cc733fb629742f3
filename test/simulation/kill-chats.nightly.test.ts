// kill -9 in the middle of many chats: each answered chat is in the books once, and no hold remains.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { makeDataDirectory, removeDataDirectory } from '#test/data-directory.ts'
import { depth } from '#test/depth.ts'
import { hello, labPrice, llmConfig } from '#test/llm-gateway.ts'
import { startModelUpstream } from '#test/model-upstream.ts'
import { adminToken, send } from './gateway-process.ts'
import { startMortalGateway } from './mortal-gateway.ts'

const kills = depth(2, 4)
const accountCount = 4
const callersPerAccount = 4
const balanceCents = 10_000
/** The price of an ordinary answer of the stub. */
const chatUsd = ((100 * labPrice.prompt + 50 * labPrice.completion) / 1e6).toFixed(6)

/** Chats one after the other until the gateway no longer answers. */
async function chatUntilItDies(url: string, key: string, answered: Set<string>) {
  for (let call = 0; ; call += 1) {
    try {
      const reply = await fetch(`${url}/api/llm/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ model: 'lab/one', messages: hello, stream: call % 2 === 1 }),
      })
      const text = await reply.text()
      expect([reply.status, text]).toEqual([200, expect.any(String)])
      if (!text.includes('"error"')) answered.add(reply.headers.get('x-transaction-id') ?? '')
    } catch (error) {
      if (error instanceof TypeError) return
      throw error
    }
  }
}

/** Accounts on a gateway that asks a stub of models. */
async function startKillable() {
  const upstream = await startModelUpstream(onTestFinished)
  const folder = await makeDataDirectory()
  onTestFinished(() => removeDataDirectory(folder))
  const configPath = path.join(folder, 'llm.json')
  await writeFile(configPath, JSON.stringify(llmConfig(upstream.url)))
  const gateway = await startMortalGateway({
    LLM_CONFIG: configPath,
    LAB_API_KEY: 'upstream-key',
    CALLS_IN_FLIGHT_MAX: '200',
  })
  const keys: string[] = []
  for (let account = 0; account < accountCount; account += 1)
    keys.push((await gateway.openAccount(balanceCents)).key)
  return {
    upstream,
    keys,
    url: gateway.url,
    startAgain: gateway.start,
    async killSoon() {
      await delay(1_000 + Math.random() * 1_500)
      await gateway.kill()
    },
  }
}

/** The charges of the accounts' calls by id. Asserts that the books are right and nothing is open. */
async function chargesOf(url: string, keys: readonly string[]) {
  const charged = new Map<string, number>()
  for (const key of keys) {
    const account = await send(url, { path: '/api/v1/account', key })
    expect(account?.body).toMatchObject({ held_usd: '0.000000', calls_in_flight: 0 })
    for await (const call of transactions(url, key))
      if (call.status === 'succeeded') charged.set(call.transaction_id, call.charged_usd)
  }
  const verified = await send(url, { path: '/api/v1/admin/ledger/verify', key: adminToken })
  expect(verified?.body).toMatchObject({ ok: true, problems: [] })
  return charged
}

test('every answered chat is charged once, and no hold remains', async () => {
  const { upstream, keys, url, killSoon, startAgain } = await startKillable()
  const answered = new Set<string>()
  for (let kill = 0; kill < kills; kill += 1) {
    const alive = await url()
    const callers = keys.flatMap((key) =>
      Array.from({ length: callersPerAccount }, () => chatUntilItDies(alive, key, answered)),
    )
    await killSoon()
    await Promise.all(callers)
    await startAgain()
  }
  const charged = await chargesOf(await url(), keys)
  // Each answered chat is in the books at its price. A charge without an answer belongs to a chat that was at least
  // sent.
  expect([...answered].filter((id) => !charged.has(id))).toEqual([])
  expect(new Set(charged.values())).toEqual(new Set([chatUsd]))
  expect(charged.size).toBeLessThanOrEqual(upstream.asked.length)
})

/** One chat with an Idempotency-Key. Undefined if the gateway died before the answer was complete. */
async function askWithKey(url: string, key: string, idempotencyKey: string, stream: boolean) {
  try {
    const reply = await fetch(`${url}/api/llm/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'idempotency-key': idempotencyKey },
      body: JSON.stringify({ model: 'lab/one', messages: hello, stream }),
    })
    const text = await reply.text()
    expect([reply.status, text]).toEqual([200, expect.not.stringContaining('"error"')])
    if (stream) expect(text).toContain('data: [DONE]')
    return {
      id: reply.headers.get('x-transaction-id') ?? '',
      replayed: reply.headers.get('idempotency-replayed') === 'true',
      text,
    }
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

test('an Idempotency-Key repeated after each kill is charged once, and its answer stays the same', async () => {
  const { keys, url, killSoon, startAgain } = await startKillable()
  const answered = new Map<string, { account: string; id: string; text: string; stream: boolean }>()
  const callers = keys.flatMap((account) =>
    Array.from({ length: callersPerAccount }, (_, caller) => ({ account, caller, turn: 0 })),
  )
  let repeated = 0
  for (let kill = 0; kill < kills; kill += 1) {
    const alive = await url()
    const work = callers.map(async (of) => {
      for (let call = 0; ; call += 1) {
        const name = `${of.caller}-${of.turn}`
        const stream = of.turn % 2 === 1
        const answer = await askWithKey(alive, of.account, name, stream)
        if (answer === undefined) return
        // The first chat after a restart repeats the one that was not answered before it.
        if (kill > 0 && call === 0) repeated += 1
        answered.set(`${of.account} ${name}`, { ...answer, account: of.account, stream })
        of.turn += 1
      }
    })
    await killSoon()
    await Promise.all(work)
    await startAgain()
  }
  const alive = await url()
  expect(repeated).toBeGreaterThan(0)
  for (const [name, { account, id, text, stream }] of answered) {
    const again = await askWithKey(alive, account, name.split(' ')[1] ?? '', stream)
    expect(again).toEqual({ id, text, replayed: true })
  }
  const charged = await chargesOf(alive, keys)
  const ids = [...answered.values()].map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => !charged.has(id))).toEqual([])
  // At most the last chat of each caller was charged without an answer, since its key was not repeated.
  expect(charged.size).toBeLessThanOrEqual(answered.size + callers.length)
  expect(new Set(charged.values())).toEqual(new Set([chatUsd]))
})

async function* transactions(url: string, key: string) {
  let cursor = ''
  do {
    const page = await send(url, { path: `/api/v1/transactions?type=call&limit=100${cursor}`, key })
    yield* page?.body.transactions
    cursor = `&cursor=${page?.body.next_cursor}`
  } while (!cursor.endsWith('=null'))
}
