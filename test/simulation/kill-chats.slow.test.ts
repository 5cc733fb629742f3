// kill -9 in the middle of many chats: what was answered is in the books, once, and no hold stays behind.
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { makeDataDirectory } from '../data-directory.ts'
import { hello, labPrice, llmConfig } from '../llm-gateway.ts'
import { startModelUpstream } from '../model-upstream.ts'
import { adminToken, type GatewayProcess, send, startGatewayProcess } from './gateway-process.ts'

const kills = 4
const accountCount = 4
const callersPerAccount = 4
const balanceCents = 10_000
/** What an ordinary answer of the stub costs. */
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

test('every chat that was answered is charged, once, and no hold stays', async () => {
  const upstream = await startModelUpstream(onTestFinished)
  const dataDir = await makeDataDirectory()
  const configPath = path.join(dataDir, 'llm.json')
  await writeFile(configPath, JSON.stringify(llmConfig(upstream.url, { patience: {} })))
  const env = { LLM_CONFIG: configPath, LAB_API_KEY: 'upstream-key', CALLS_IN_FLIGHT_MAX: '200' }
  let gateway: GatewayProcess = startGatewayProcess(dataDir, env)
  onTestFinished(async () => {
    await gateway.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  const keys: string[] = []
  for (let account = 0; account < accountCount; account += 1) {
    const opened = await send(await gateway.listening, {
      path: '/api/v1/admin/accounts',
      key: adminToken,
      body: { balance_cents: balanceCents },
    })
    keys.push(opened?.body.api_key)
  }
  const answered = new Set<string>()
  for (let kill = 0; kill < kills; kill += 1) {
    const url = await gateway.listening
    const callers = keys.flatMap((key) =>
      Array.from({ length: callersPerAccount }, () => chatUntilItDies(url, key, answered)),
    )
    await delay(1_000 + Math.random() * 1_500)
    await gateway.kill()
    await Promise.all(callers)
    gateway = startGatewayProcess(dataDir, env)
    await gateway.listening
  }

  const url = await gateway.listening
  const charged = new Map<string, number>()
  for (const key of keys) {
    const account = await send(url, { path: '/api/v1/account', key })
    expect(account?.body).toMatchObject({ held_usd: '0.000000', calls_in_flight: 0 })
    for await (const call of transactions(url, key))
      if (call.status === 'succeeded') charged.set(call.transaction_id, call.charged_usd)
  }
  // Whatever was answered is in the books, at its price; what was charged and not answered was at least asked.
  expect([...answered].filter((id) => !charged.has(id))).toEqual([])
  expect(new Set(charged.values())).toEqual(new Set([chatUsd]))
  expect(charged.size).toBeLessThanOrEqual(upstream.asked.length)
  const verified = await send(url, { path: '/api/v1/admin/ledger/verify', key: adminToken })
  expect(verified?.body).toMatchObject({ ok: true, problems: [] })
})

async function* transactions(url: string, key: string) {
  let cursor = ''
  do {
    const page = await send(url, { path: `/api/v1/transactions?type=call&limit=100${cursor}`, key })
    yield* page?.body.transactions
    cursor = `&cursor=${page?.body.next_cursor}`
  } while (!cursor.endsWith('=null'))
}
