// Commands that outlast the patience of a client: as a job, and with events while they run.
import { afterAll, expect, test } from 'vitest'
import { shareGateway, type TestAccount } from '#test/harness.ts'
import { missingForBoxes } from '#test/sessions/boxes.ts'

const gateway = shareGateway()
const confined = test.skipIf((await missingForBoxes()) !== undefined)
const opened: (() => Promise<unknown>)[] = []
afterAll(async () => {
  await Promise.all(opened.map((close) => close()))
})

async function open(account: TestAccount, provider = 'sess_a') {
  const created = await account.call(`${provider}/create_session`, {})
  expect(created.status, JSON.stringify(created.body)).toBe(200)
  const at = `/api/v1/sessions/${created.body.data.session_id}`
  const { key } = account
  opened.push(() => gateway().request('DELETE', at, { key }))
  return {
    run: (body: object, headers: Record<string, string> = {}) =>
      gateway().request('POST', `${at}/run`, { key, body, headers }),
    stream: (body: object, headers: Record<string, string> = {}) =>
      fetch(`${gateway().url}${at}/run`, {
        method: 'POST',
        headers: {
          ...headers,
          accept: 'text/event-stream',
          'content-type': 'application/json',
          authorization: `Bearer ${key}`,
        },
        body: JSON.stringify(body),
      }),
    close: () => gateway().request('DELETE', at, { key }),
  }
}

const poll = async (account: TestAccount, job_id: string, wait_seconds = 50) =>
  (await account.call('tollway/result', { job_id, wait_seconds })).body.data

confined('a command that ends while the database is away has its end written later', async () => {
  const account = await gateway().account(100)
  const session = await open(account)
  const { database } = gateway()
  await database.query(`create function fail_as_in_a_restart() returns trigger language plpgsql as $$
    begin raise exception 'terminating connection' using errcode = '57P01'; end $$`)
  await database.query(`create trigger fail_as_in_a_restart before update on session_command
    for each row execute function fail_as_in_a_restart()`)
  const job = (await session.run({ command: 'echo job', job: true })).body
  const once = () =>
    session.run({ command: 'echo once >> log; cat log' }, { 'idempotency-key': 'once' })
  const plain = once()
  expect((await poll(account, job.job_id, 1)).status).toBe('running')
  await database.query('drop function fail_as_in_a_restart cascade')
  expect(await poll(account, job.job_id)).toMatchObject({ result: { stdout: 'job\n' } })
  expect((await plain).body).toMatchObject({ stdout: 'once\n' })
  const again = await once()
  expect(again.body).toMatchObject({ stdout: 'once\n' })
  expect(again.headers.get('idempotency-replayed')).toBe('true')
})

confined('a job is answered at once, and its result is read by its id', async () => {
  const account = await gateway().account(100)
  const session = await open(account)
  const begun = await session.run({
    command: 'echo started; while ! [ -e go ]; do sleep 0.1; done; echo done; exit 3',
    job: true,
    timeout: 100,
  })
  expect(begun).toMatchObject({ status: 200, body: { status: 'running', async: true } })
  const { job_id } = begun.body
  expect(await poll(account, job_id, 0)).toMatchObject({
    ok: true,
    job_id,
    status: 'running',
    charged_cents: 0,
  })
  await session.run({ command: 'touch go' })
  expect(await poll(account, job_id)).toMatchObject({
    ok: true,
    job_id,
    status: 'succeeded',
    charged_cents: 0,
    result: { stdout: 'started\ndone\n', stderr: '', exit_code: 3, timed_out: false },
  })
  const other = await gateway().account(1)
  expect((await other.call('tollway/result', { job_id })).status).toBe(404)
})

confined('a job runs once for its idempotency key', async () => {
  const account = await gateway().account(100)
  const session = await open(account)
  const order = { command: 'echo x >> log; wc -l < log', job: true }
  const headers = { 'idempotency-key': 'job-1' }
  const [first, second] = [await session.run(order, headers), await session.run(order, headers)]
  expect(second.body).toEqual(first.body)
  expect(second.headers.get('idempotency-replayed')).toBe('true')
  expect(await poll(account, first.body.job_id)).toMatchObject({ result: { stdout: '1\n' } })
  expect((await session.run({ ...order, command: 'ls' }, headers)).body).toMatchObject({
    error: 'idempotency_key_reused',
  })
  expect((await session.run({ command: order.command }, headers)).body).toMatchObject({
    error: 'idempotency_key_reused',
  })
})

confined('a job is cancelled: its command is stopped, and its session stays', async () => {
  const account = await gateway().account(100)
  const session = await open(account)
  const other = await gateway().account(1)
  const cancel = (job_id: string, who = account) => who.call('tollway/cancel', { job_id })
  const begun = await session.run({
    command: 'exec 9> lock; flock 9; touch begun; sleep 100',
    job: true,
    timeout: 100,
  })
  const { job_id } = begun.body
  await session.run({ command: 'while ! [ -e begun ]; do sleep 0.1; done' })
  expect(await cancel(job_id, other)).toMatchObject({ status: 404 })
  expect(await cancel(job_id)).toMatchObject({
    status: 200,
    body: { data: { job_id, status: 'cancelled' } },
  })
  expect(await poll(account, job_id)).toMatchObject({
    ok: false,
    job_id,
    status: 'failed',
    error: 'cancelled',
    charged_cents: 0,
  })
  expect((await cancel(job_id)).body.data).toEqual({ job_id, status: 'ended' })
  // A command that still ran would hold the lock.
  const after = await session.run({ command: 'flock lock echo free' })
  expect(after.body).toMatchObject({ stdout: 'free\n', exit_code: 0 })
})

confined(
  'a job that writes much keeps the first part, and one whose session ends has failed',
  async () => {
    const account = await gateway().account(100)
    const session = await open(account)
    const loud = await session.run({ command: 'head -c 900000 /dev/zero | tr "\\0" x', job: true })
    const { result } = await poll(account, loud.body.job_id)
    expect(result).toMatchObject({ exit_code: 0, truncated: true })
    expect(result.stdout).toHaveLength(500_000)
    const endless = await session.run({ command: 'sleep 600', job: true, timeout: 600 })
    await session.close()
    expect(await poll(account, endless.body.job_id)).toMatchObject({
      ok: false,
      status: 'failed',
      error: 'session_closed',
    })
    const late = await session.run({ command: 'true', job: true })
    expect(late.body).toMatchObject({ error: 'session_closed' })
  },
)

interface Event {
  readonly name: string
  readonly data: Record<string, unknown>
}

async function* eventsOf(response: Response): AsyncGenerator<Event> {
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString()
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) {
      const [, name = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(part) ?? []
      if (name !== '') yield { name, data: JSON.parse(data) }
    }
  }
}

async function all(events: AsyncIterable<Event>): Promise<Event[]> {
  const found: Event[] = []
  for await (const event of events) found.push(event)
  return found
}

confined('output is sent while the command runs, and the last event is its answer', async () => {
  const account = await gateway().account(100)
  const session = await open(account)
  const command = 'echo ä; echo careful >&2; while ! [ -e go ]; do sleep 0.1; done; echo done'
  const response = await session.stream({ command, timeout: 100 })
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const seen = { stdout: '', stderr: '' }
  let result: object | undefined
  let isReleased = false
  for await (const { name, data } of eventsOf(response)) {
    if (name === 'result') result = data
    else seen[name as 'stdout' | 'stderr'] += data.text
    // The command ends only when its first output was read here.
    if (seen.stdout === 'ä\n' && seen.stderr === 'careful\n' && !isReleased) {
      isReleased = true
      await session.run({ command: 'touch go' })
    }
  }
  expect(seen).toEqual({ stdout: 'ä\ndone\n', stderr: 'careful\n' })
  expect(result).toEqual({ ...seen, exit_code: 0, timed_out: false })
})

confined('code of an interpreter is streamed too, and each piece gets its own output', async () => {
  const account = await gateway().account(100)
  const session = await open(account, 'sess_b')
  for (const n of [1, 2]) {
    const events = await all(eventsOf(await session.stream({ code: `print(${n})` })))
    expect(events.filter(({ name }) => name === 'stdout')).toEqual([
      { name: 'stdout', data: { text: `${n}\n` } },
    ])
    expect(events.at(-1)).toMatchObject({ name: 'result', data: { stdout: `${n}\n` } })
  }
  expect((await session.run({ code: 'print(3)' })).body.stdout).toBe('3\n')
})

confined(
  'a stream that is refused is an ordinary error, a repeated one only has its answer',
  async () => {
    const account = await gateway().account(100)
    const session = await open(account)
    const headers = { 'idempotency-key': 'stream-1' }
    const first = await all(eventsOf(await session.stream({ command: 'echo once' }, headers)))
    const again = await all(eventsOf(await session.stream({ command: 'echo once' }, headers)))
    expect(first.map(({ name }) => name)).toEqual(['stdout', 'result'])
    expect(again).toEqual(first.slice(-1))
    const wrong = await session.stream({})
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { error: 'bad_request' }])
    await session.close()
    const late = await session.stream({ command: 'true' })
    expect([late.status, await late.json()]).toMatchObject([409, { error: 'session_closed' }])
  },
)

confined('a client that leaves its stream does not end the command', async () => {
  const account = await gateway().account(100)
  const session = await open(account)
  const command = 'echo started; while ! [ -e go ]; do sleep 0.1; done; echo done > end'
  const response = await session.stream({ command, timeout: 100 })
  for await (const { name } of eventsOf(response)) {
    expect(name).toBe('stdout')
    break
  }
  await session.run({ command: 'touch go; while ! [ -e end ]; do sleep 0.1; done', timeout: 50 })
  expect((await session.run({ command: 'cat end' })).body.stdout).toBe('done\n')
})
