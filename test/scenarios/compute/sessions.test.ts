// Sessions on this machine, over HTTP, with the policies of the five providers.
import { expect, test } from 'vitest'
import { shareGateway, type TestAccount } from '#test/harness.ts'
import { missingForBoxes } from '#test/sessions/boxes.ts'
import { until } from '#test/until.ts'

const gateway = shareGateway()
const confined = test.skipIf((await missingForBoxes()) !== undefined)
const providers = ['sess_a', 'sess_b', 'sess_c', 'sess_d', 'sess_e'] as const

async function open(account: TestAccount, provider: string, body: object = {}) {
  const created = await account.call(`${provider}/create_session`, body)
  expect(created.status, JSON.stringify(created.body)).toBe(200)
  const at = `/api/v1/sessions/${created.body.data.session_id}`
  const { key } = account
  return {
    run: async (command: object) =>
      (await gateway().request('POST', `${at}/run`, { key, body: command })).body,
    close: async () => (await gateway().request('DELETE', at, { key })).body,
    look: async () => (await gateway().request('GET', at, { key })).body,
  }
}

confined.each(providers)('%s: files survive, variables only in sess_b', async (provider) => {
  const account = await gateway().account(100)
  const session = await open(account, provider)
  await session.run({ command: 'echo kept > file; export LOST=1' })
  expect(await session.run({ command: 'cat file; echo "[$LOST]"' })).toMatchObject({
    stdout: 'kept\n[]\n',
    stderr: '',
    exit_code: 0,
    timed_out: false,
  })
  await session.run({ code: 'tea = 41' })
  await session.run({ code: 'let tea = 41', language: 'javascript' })
  const expected = provider === 'sess_b' ? '42\n' : ''
  expect((await session.run({ code: 'print(tea + 1)' })).stdout).toBe(expected)
  const javascript = { code: 'console.log(tea + 1)', language: 'javascript' }
  expect((await session.run(javascript)).stdout).toBe(expected)
  expect((await session.run({ code: 'echo $0; exit 4', language: 'bash' })).exit_code).toBe(4)
  expect(await session.run({ code: 'while True: pass', timeout: 1 })).toMatchObject({
    exit_code: null,
    timed_out: true,
  })
  expect(await session.close()).toMatchObject({ status: 'closed', close_reason: 'closed' })
  expect(await session.close()).toMatchObject({ status: 'closed', close_reason: 'closed' })
  expect(await session.run({ command: 'true' })).toMatchObject({ error: 'session_closed' })
  expect(await account.state()).toMatchObject({ heldCents: 0 })
})

confined('variables of create_session are set in every command, but not by sess_e', async () => {
  const account = await gateway().account(100)
  const envs = { TEA: "it's green" }
  const [first, last] = [
    await open(account, 'sess_a', { envs }),
    await open(account, 'sess_e', { envs }),
  ]
  expect((await first.run({ command: 'echo "$TEA"' })).stdout).toBe("it's green\n")
  expect((await first.run({ code: 'import os; print(os.environ["TEA"])' })).stdout).toBe(
    "it's green\n",
  )
  expect((await last.run({ command: 'echo "[$TEA]"' })).stdout).toBe('[]\n')
  await Promise.all([first.close(), last.close()])
})

confined('templates choose the interpreter of sess_b, and unknown ones are refused', async () => {
  const account = await gateway().account(100)
  const session = await open(account, 'sess_b', { template: 'typescript' })
  await session.run({ code: 'const tea: number = 41', language: 'javascript' })
  const typed = { code: 'console.log((tea as number) + 1)', language: 'javascript' }
  expect(await session.run(typed)).toMatchObject({ stdout: '42\n', stderr: '' })
  await session.close()
  for (const provider of providers)
    expect(await account.call(`${provider}/create_session`, { template: 'cobol' })).toMatchObject({
      status: 400,
      body: { error: 'bad_request' },
    })
})

confined.each([
  ['python', 'print(6 * 7)'],
  ['javascript', 'console.log([6, 7].reduce((a, b) => a * b))'],
  ['typescript', 'console.log((6 as number) * 7)'],
])('code that names no language is of the template: %s', async (template, code) => {
  const account = await gateway().account(100)
  const session = await open(account, 'sess_b', { template })
  expect(await session.run({ code })).toMatchObject({ stdout: '42\n', stderr: '' })
  await session.close()
})

confined('ten calls at once on one session do not mix', async () => {
  const account = await gateway().account(100)
  const session = await open(account, 'sess_b')
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      n % 2 === 0
        ? session.run({ command: `for i in $(seq 50); do echo ${n}; done` })
        : session.run({ code: `for i in range(50): print(${n})` }),
    ),
  )
  for (const [n, { stdout }] of answers.entries()) expect(stdout).toBe(`${n}\n`.repeat(50))
  await session.close()
})

confined('a session is charged by its seconds', async () => {
  const account = await gateway().account(100)
  const session = await open(account, 'sess_a')
  await session.run({ command: 'sleep 1.1' })
  const closed = await session.close()
  expect(closed.used_seconds.vcpu).toBeGreaterThanOrEqual(1)
  expect(Number(closed.charged_usd)).toBeGreaterThan(0)
})

confined('an idle session of sess_e costs nothing', async () => {
  const account = await gateway().account(100)
  const session = await open(account, 'sess_e')
  await session.run({ command: 'true' })
  expect(await session.close()).toMatchObject({ charged_cents: 0 })
})

const burn = (seconds: number) =>
  `import time; end = time.process_time() + ${seconds}\nwhile time.process_time() < end: pass`

confined(
  'what sess_e does in the background is charged, and its memory by the setting',
  async () => {
    const startedAt = performance.now()
    const account = await gateway().account(100)
    const session = await open(account, 'sess_e')
    await session.run({ command: `(python3 -c '${burn(1.2)}'; touch done) > /dev/null 2>&1 &` })
    const hasEnded = async () => (await session.run({ command: 'ls' })).stdout.includes('done')
    await until(hasEnded, { everyMs: 1_000 })
    await session.run({ command: 'sleep 2' })
    const closed = await session.close()
    const openSeconds = (performance.now() - startedAt) / 1_000
    expect(closed.used_seconds.cpu).toBeGreaterThanOrEqual(1)
    expect(closed.used_seconds.gigabyte).toBeGreaterThanOrEqual(1)
    // A box has half a gigabyte, so this meter is far behind the clock.
    expect(closed.used_seconds.gigabyte).toBeLessThan(0.6 * openSeconds)
    expect(Number(closed.charged_usd)).toBeGreaterThan(0)
  },
)
