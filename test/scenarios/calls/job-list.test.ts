// The list of an account's jobs: what runs and holds money comes first, however many calls came after it.
import { expect, test } from 'vitest'
import { shareGatewayOfWorker, type TestAccount } from '#test/harness.ts'

const gateway = shareGatewayOfWorker()

const start = async (account: Pick<TestAccount, 'call'>, body: object) =>
  (await account.call('test/job', body)).body.data.job_id as string
const jobsOf = async (account: Pick<TestAccount, 'get'>, query = '') =>
  (await account.get(`/api/v1/jobs${query}`)).body

test('running jobs come first, then those that have ended, in pages and by state', async () => {
  const account = await gateway().account(100)
  const running = await start(account, { ends: 'gate' })
  await gateway().provider.waiting(1)
  const failed = await start(account, { ends: 'failed' })
  const ended = await start(account, { steps: 1 })
  for (const job_id of [failed, ended])
    await account.call('tollway/result', { job_id, wait_seconds: 50 })
  for (let call = 0; call < 3; call += 1) await account.call('test/echo', {})

  const { jobs, next_cursor } = await jobsOf(account)
  expect(jobs.map(({ job_id }: { job_id: string }) => job_id)).toEqual([running, ended, failed])
  expect(next_cursor).toBeNull()
  expect(jobs).toMatchObject([
    { action: 'test/job', state: 'running', charged_cents: 0, ended_at: null },
    { state: 'succeeded', held_cents: 0, progress: null },
    { state: 'failed', error: 'all_blocked', charged_cents: 0 },
  ])
  expect(jobs[0].held_cents).toBeGreaterThan(0)

  const paged: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Awaited<ReturnType<typeof jobsOf>> = await jobsOf(
      account,
      `?limit=1${cursor && `&cursor=${cursor}`}`,
    )
    paged.push(...page.jobs.map(({ job_id }: { job_id: string }) => job_id))
    cursor = page.next_cursor
  }
  expect(paged).toEqual([running, ended, failed])
  expect((await jobsOf(account, '?state=running')).jobs).toHaveLength(1)
  expect((await jobsOf(account, '?state=failed')).jobs).toMatchObject([{ job_id: failed }])
  expect((await account.get('/api/v1/account')).body.running_jobs).toMatchObject([
    { job_id: running, action: 'test/job' },
  ])

  const stranger = await gateway().account(10)
  expect((await jobsOf(stranger)).jobs).toEqual([])
  const unknown = await account.get('/api/v1/jobs?cursor=1')
  expect([unknown.status, unknown.body.error]).toEqual([400, 'bad_request'])
  gateway().provider.release()
})

test('a limited key sees its own jobs only', async () => {
  const account = await gateway().account(100)
  const { api_key: key } = (
    await gateway().request('POST', '/api/v1/keys', {
      key: account.key,
      body: { max_cents_per_day: 100 },
    })
  ).body
  await start(account, { steps: 1 })
  const own = await gateway().call('test/job', { steps: 1 }, { key })
  const listed = await gateway().request('GET', '/api/v1/jobs', { key })
  expect(listed.body.jobs.map(({ job_id }: { job_id: string }) => job_id)).toEqual([
    own.body.data.job_id,
  ])
  expect((await jobsOf(account)).jobs).toHaveLength(2)
})
