// kill -9 while contacts are looked for and while they are verified: each field is charged once, and no vendor is asked
// again for what it has answered.
import { expect, onTestFinished, test } from 'vitest'
import { makeDataDirectory, removeDataDirectory } from '#test/data-directory.ts'
import { createTestDatabase } from '#test/database.ts'
import { startPeopleVendors } from '#test/people/vendors.ts'
import { adminToken, type GatewayProcess, send, startGatewayProcess } from './gateway-process.ts'

const jobCount = 3
/** As many as a job works on at the same time. */
const rowsPerJob = 4
const balanceCents = 500
const often = { interval: 50 }
const stages = ['found', 'verified'] as const
type Stage = (typeof stages)[number]

/** Vendors that answer a stage only once it is open. */
async function startSlowVendors() {
  const vendors = await startPeopleVendors()
  onTestFinished(() => vendors.close())
  const asked = new Map<string, number>()
  const waiting: { readonly stage: Stage; readonly answer: () => void }[] = []
  const opened = new Set<Stage>()
  const answerAt = async (stage: Stage, who: string, answer: object) => {
    asked.set(`${stage} ${who}`, (asked.get(`${stage} ${who}`) ?? 0) + 1)
    if (!opened.has(stage))
      await new Promise<void>((resolve) => waiting.push({ stage, answer: resolve }))
    return answer
  }
  vendors.say({
    '/email-finder': ({ query }) => {
      const email = `${query.get('full_name')?.toLowerCase().replace(' ', '.')}@acme.example`
      return answerAt('found', email, { data: { email } })
    },
    '/v1/email/verify': ({ query }) =>
      answerAt('verified', query.get('email') ?? '', { data: { status: 'valid' } }),
  })
  return {
    env: vendors.env,
    asked,
    waitingAt: (stage: Stage) => waiting.filter((each) => each.stage === stage).length,
    open(stage: Stage) {
      opened.add(stage)
      for (const { answer } of waiting.splice(0)) answer()
    },
  }
}

const letters = 'abcdefghijklmnop'
const rowsOf = (job: number) =>
  Array.from(
    { length: rowsPerJob },
    (_, at) => `J${letters[job]}${letters[at]}ne Doe, acme.example`,
  )

test('a killed job goes on where it was, and is charged for each field once', async () => {
  const dataDir = await makeDataDirectory()
  const vendors = await startSlowVendors()
  const env = {
    ...vendors.env,
    DATABASE_URL: await createTestDatabase(),
    CHROMIUM_PATH: '/nowhere/chromium',
  }
  let gateway: GatewayProcess = startGatewayProcess(dataDir, env)
  onTestFinished(async () => {
    await gateway.stop()
    await removeDataDirectory(dataDir)
  })
  const first = await gateway.listening
  const opened = await send(first, {
    path: '/api/v1/admin/accounts',
    key: adminToken,
    body: { balance_cents: balanceCents, confirm_cents: balanceCents },
  })
  const key = opened?.body.api_key
  const jobIds: string[] = []
  for (let job = 0; job < jobCount; job += 1) {
    const body = { rows: rowsOf(job) }
    const handle = await send(first, { path: '/api/run/tollway/onefind-deep', key, body })
    jobIds.push(handle?.body.data.job_id)
  }
  for (const stage of stages) {
    await expect.poll(() => vendors.waitingAt(stage), often).toBe(jobCount * rowsPerJob)
    await gateway.kill()
    vendors.open(stage)
    gateway = startGatewayProcess(dataDir, env)
    await gateway.listening
  }

  const url = await gateway.listening
  const emailCents = 10
  for (const [job, jobId] of jobIds.entries()) {
    const body = { job_id: jobId, wait_seconds: 50 }
    const polled = await send(url, { path: '/api/run/tollway/result', key, body })
    const { status, charged_cents: charged, result } = polled?.body.data ?? {}
    expect({ status, charged }).toEqual({ status: 'succeeded', charged: rowsPerJob * emailCents })
    expect(result.rows.map(({ name }: { name: string }) => name)).toEqual(
      rowsOf(job).map((row) => row.split(',')[0]),
    )
  }
  // Once by the gateway that was killed, and once by the next.
  expect([...vendors.asked.values()]).toEqual(
    Array.from({ length: stages.length * jobCount * rowsPerJob }, () => 2),
  )
  const account = await send(url, { path: '/api/v1/account', key })
  expect(account?.body).toMatchObject({
    available_cents: balanceCents - jobCount * rowsPerJob * emailCents,
    held_cents: 0,
  })
  const verified = await send(url, { path: '/api/v1/admin/ledger/verify', key: adminToken })
  expect(verified?.body).toMatchObject({ ok: true, problems: [] })
})
