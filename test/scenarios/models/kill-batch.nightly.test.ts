// kill -9 in a batch: each line is charged once, and none is lost.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { OpenAI, toFile } from '#oracles/openai.ts'
import { makeDataDirectory, removeDataDirectory } from '#test/data-directory.ts'
import { createTestDatabase } from '#test/database.ts'
import { surfacePrices } from '#test/models/surface-gateway.ts'
import { type SurfaceAsked, startSurfaceUpstream } from '#test/models/surface-upstream.ts'
import {
  adminToken,
  type GatewayProcess,
  send,
  startGatewayProcess,
} from '../../simulation/gateway-process.ts'

const lineCount = 60
/** Two bytes of each line are one token, and a token costs a micro-dollar. */
const lineMicros = 1
const balanceCents = 100

test('a batch whose gateway is killed twice has one answer and one charge for each line', async () => {
  const upstream = await startSurfaceUpstream(onTestFinished)
  const dataDir = await makeDataDirectory()
  const configPath = path.join(dataDir, 'llm.json')
  const lab = { base_url: upstream.url, api_key: 'LAB_API_KEY', serves: ['lab/*'] }
  await writeFile(configPath, JSON.stringify({ upstreams: { lab }, prices: surfacePrices }))
  const env = {
    DATABASE_URL: await createTestDatabase(),
    LLM_CONFIG: configPath,
    LAB_API_KEY: 'upstream-key',
    CHROMIUM_PATH: '/nowhere/chromium',
  }
  let gateway: GatewayProcess = startGatewayProcess(dataDir, env)
  onTestFinished(async () => {
    await gateway.stop()
    await removeDataDirectory(dataDir)
  })
  const opened = await send(await gateway.listening, {
    path: '/api/v1/admin/accounts',
    key: adminToken,
    body: { balance_cents: balanceCents, confirm_cents: balanceCents },
  })
  const key = opened?.body.api_key
  const clientAt = (url: string) =>
    new OpenAI({ baseURL: new URL('/api/llm/v1', url).href, apiKey: key, maxRetries: 0 })

  // The vendor answers up to a goal, and lets the others wait.
  const waiting: SurfaceAsked[] = []
  let answered = 0
  let goal = 20
  function answerSome() {
    while (answered < goal) {
      const asked = waiting.shift()
      if (asked === undefined) return
      if (asked.abandoned) continue
      answered += 1
      asked.answer()
    }
  }
  upstream.behave('/embeddings', (asked) => {
    waiting.push(asked)
    answerSome()
  })
  const text = Array.from({ length: lineCount }, (_, place) =>
    JSON.stringify({
      custom_id: `line-${place}`,
      method: 'POST',
      url: '/v1/embeddings',
      body: { model: 'lab/embed', input: 'ab' },
    }),
  ).join('\n')
  const first = clientAt(await gateway.listening)
  const file = await first.files.create({
    purpose: 'batch',
    file: await toFile(Buffer.from(text), 'in.jsonl'),
  })
  const { id } = await first.batches.create({
    input_file_id: file.id,
    endpoint: '/v1/embeddings',
    completion_window: '24h',
  })
  for (const nextGoal of [40, Number.POSITIVE_INFINITY]) {
    await expect.poll(() => answered).toBe(goal)
    // Some lines are on their way.
    await expect.poll(() => waiting.some((asked) => !asked.abandoned)).toBe(true)
    await gateway.kill()
    goal = nextGoal
    gateway = startGatewayProcess(dataDir, env)
    await gateway.listening
    answerSome()
  }

  const openai = clientAt(await gateway.listening)
  await expect.poll(async () => (await openai.batches.retrieve(id)).status).toBe('completed')
  const batch = await openai.batches.retrieve(id)
  expect(batch.request_counts).toEqual({ total: lineCount, completed: lineCount, failed: 0 })
  const output = await (await openai.files.content(batch.output_file_id ?? '')).text()
  const answers = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(answers.map(({ custom_id }) => custom_id)).toEqual(
    Array.from({ length: lineCount }, (_, place) => `line-${place}`),
  )
  const ids = new Set(answers.map(({ response }) => response.request_id))
  expect(ids.size).toBe(lineCount)
  const url = await gateway.listening
  await expect
    .poll(async () => (await send(url, { path: '/api/v1/account', key }))?.body.held_cents)
    .toBe(0)
  const settled = []
  for (const transaction of ids) {
    const read = await send(url, { path: `/api/v1/transactions/${transaction}`, key })
    settled.push(read?.body)
  }
  expect(settled.map(({ status }) => status)).toEqual(settled.map(() => 'succeeded'))
  const account = await send(url, { path: '/api/v1/account', key })
  const leftMicros = balanceCents * 10_000 - lineCount * lineMicros
  expect(account?.body.available_usd).toBe((leftMicros / 1_000_000).toFixed(6))
  const verified = await send(url, { path: '/api/v1/admin/ledger/verify', key: adminToken })
  expect(verified?.body).toMatchObject({ ok: true, problems: [] })
})
