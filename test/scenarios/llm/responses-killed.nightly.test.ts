// kill -9 while responses are made in the background: each is charged once, or it failed and is free.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { llmConfig } from '#test/llm-gateway.ts'
import { startModelUpstream } from '#test/model-upstream.ts'
import { startMortalGateway } from '../../simulation/mortal-gateway.ts'

const responses = 6
const kills = 2
const microsEach = 300
const answerMs = 700
const hasEnded = (status: string) => status !== 'queued' && status !== 'in_progress'

test('one charge for one response, and no hold remains', async () => {
  const upstream = await startModelUpstream(onTestFinished)
  upstream.behave('one', async (it) => {
    await delay(answerMs)
    it.answer()
  })
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-llm-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const configPath = path.join(folder, 'llm.json')
  await writeFile(configPath, JSON.stringify(llmConfig(upstream.url)))
  const gateway = await startMortalGateway({ LLM_CONFIG: configPath, LAB_API_KEY: 'upstream-key' })
  const account = await gateway.openAccount(1_000)

  const ids: string[] = []
  for (let place = 0; place < responses; place += 1) {
    const body = { model: 'lab/one', input: `Question ${place}`, background: true }
    const queued = await account.post('/api/llm/v1/responses', body)
    expect(queued).toMatchObject({ status: 'queued' })
    ids.push(queued.id)
  }
  for (let kill = 0; kill < kills; kill += 1) {
    await delay(Math.random() * 1_200)
    await gateway.killAndStart()
  }

  const read = (id: string) => account.get(`/api/llm/v1/responses/${id}`)
  for (const id of ids)
    await expect.poll(async () => hasEnded((await read(id)).status), { interval: 500 }).toBe(true)
  const statuses = await Promise.all(ids.map(async (id) => (await read(id)).status))
  const { transactions } = await account.get('/api/v1/transactions?limit=100')
  const made = transactions.filter(({ action }: { action: string }) => action === 'llm/responses')
  expect(made).toHaveLength(responses)
  const completed = statuses.filter((status) => status === 'completed').length
  expect(statuses.filter((status) => status === 'failed')).toHaveLength(responses - completed)
  const usd = ((1_000 * 10_000 - completed * microsEach) / 1_000_000).toFixed(6)
  const balance = await account.get('/api/v1/account')
  expect(JSON.stringify(balance)).toContain(usd)
  await gateway.expectBooksRight()
})
