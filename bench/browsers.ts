// Measures the time from asking for a rented browser until Playwright is connected to it, and the same for a bare
// Chromium.
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { chromium } from 'playwright-core'
import { findConfinable } from '#platform/chromium/confined-chromium.ts'
import { makeDataDirectory } from '#test/data-directory.ts'

const rounds = Number(process.argv[2] ?? 15)
const unprivilegedUserId = 65_534

const program = await findConfinable()
if (program === undefined) throw new Error('Chromium is not installed.')
const dataDir = await makeDataDirectory()
const gateway = fork(path.join(import.meta.dirname, 'lib/gateway-server.ts'), ['gateway', '1'], {
  env: { ...process.env, DATA_DIR: dataDir },
})
const [{ url, keys }] = (await once(gateway, 'message')) as [{ url: string; keys: string[] }]

const figures = new Map<string, number[]>()
for (let round = 0; round <= rounds; round += 1) {
  for (const [what, connect] of [
    ['bare Chromium', connectBare],
    ['rented browser', connectRented],
  ] as const) {
    const startedMs = performance.now()
    const end = await connect(program)
    const ms = performance.now() - startedMs
    await end()
    // The first round warms both up.
    if (round > 0) figures.set(what, [...(figures.get(what) ?? []), ms])
  }
}
print()
gateway.kill('SIGTERM')
await once(gateway, 'exit')
await rm(dataDir, { recursive: true })

/** Without any box: only the user changes, because Chromium refuses its sandbox to root. */
async function connectBare(executable: string) {
  const profile = await mkdtemp(path.join(tmpdir(), 'tollway-bench-'))
  const isRoot = process.getuid?.() === 0
  const identity = isRoot ? { uid: unprivilegedUserId, gid: unprivilegedUserId } : {}
  if (isRoot) await chown(profile, unprivilegedUserId, unprivilegedUserId)
  const child = spawn(
    executable,
    [
      '--headless=new',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      '--no-first-run',
      'about:blank',
    ],
    {
      ...identity,
      env: { PATH: '/usr/bin:/bin', HOME: profile },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  const address = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      const found = /^DevTools listening on (ws:\S+)/.exec(line)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', () => reject(new Error('Chromium did not start.')))
  })
  const browser = await chromium.connectOverCDP(address)
  return async () => {
    await browser.close()
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

async function connectRented() {
  const { sessionId, connectUrl } = await call('create_session', {})
  const browser = await chromium.connectOverCDP(connectUrl ?? '')
  return async () => {
    await browser.close()
    await call('release_session', { session_id: sessionId })
  }
}

async function call(action: string, body: object) {
  const reply = await fetch(`${url}/api/run/ns_browser/${action}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys[0]}` },
    body: JSON.stringify(body),
  })
  return ((await reply.json()) as { data: Record<string, string> }).data
}

function print() {
  const medians = [...figures].map(([what, all]) => [what, median(all), Math.min(...all)] as const)
  const [, baseline = 1, fastest = 1] = medians[0] ?? []
  console.log('| | median ms | × bare | fastest ms | × bare |\n| --- | --- | --- | --- | --- |')
  for (const [what, ms, least] of medians) {
    const cells = [
      what,
      ms.toFixed(0),
      (ms / baseline).toFixed(2),
      least.toFixed(0),
      (least / fastest).toFixed(2),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0
}
