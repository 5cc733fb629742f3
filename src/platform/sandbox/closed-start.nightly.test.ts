// The program that starts a gateway may leave files open in it: a service manager, `flock`, an editor.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { findChromium } from '../chromium/chromium.ts'
import { findConfinable } from '../chromium/confined-chromium.ts'
import { systemClock as clock } from '../clock.ts'
import { closedCommand, foreignDescriptors, listDescriptors } from './closed-start.ts'
import { createSandbox } from './sandbox.ts'
import { createStandingBoxes } from './standing-boxes.ts'

const run = promisify(execFile)
const canConfine = (await createSandbox({ clock }).missing()) === undefined
const standing = createStandingBoxes({ clock })
const canStand = canConfine && (await standing.missing()) === undefined
await standing.close()

/**
 * A secret folder whose files are open in the process, below 10, in the tens and beyond what a small shell can name.
 */
async function openSecrets() {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-open-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(path.join(folder, 'secret'), 'of the host')
  const redirections = `9<${folder} 17<${folder} 60<${folder} 61<${folder}/secret 62>>${folder}/log 254<${folder}`
  return { folder, redirections }
}

const from = (place: string) => JSON.stringify(path.join(import.meta.dirname, place))

/** Runs a piece of the gateway in a process that has such descriptors open, and answers with what it printed. */
async function inLeakyProcess(script: string) {
  const { folder, redirections } = await openSecrets()
  const preamble = `
    import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
    import { systemClock as clock } from ${from('../clock.ts')}
    const signal = new AbortController().signal
    const limits = { memoryBytes: 1e9, cpuSeconds: 10, fileBytes: 1e6, processes: 32, wallMs: 60_000 }
    const attempt = (look) => { try { return look() } catch { return [] } }
    const statusOf = (pid) => attempt(() => readFileSync('/proc/' + pid + '/stat', 'utf8').split(') ')[1].split(' '))
    const openIn = (pid) => attempt(() => readdirSync('/proc/' + pid + '/fd')
      .flatMap((fd) => attempt(() => [readlinkSync('/proc/' + pid + '/fd/' + fd)])))
    // The processes below this one, and the files that they have open.
    function openBelow(pid = String(process.pid)) {
      const children = readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name) && statusOf(name)[1] === pid)
      return children.flatMap((child) => [...openIn(child), ...openBelow(child)])
    }
  `
  const command = `exec ${redirections}; exec "$@"`
  const node = [process.execPath, '--no-warnings', '--input-type=module-typescript', '-e']
  const { stdout } = await run('/bin/bash', ['-c', command, 'sh', ...node, preamble + script])
  const { found, ...rest } = JSON.parse(stdout) as { found: string[]; own?: string[] }
  return { leaked: found.filter((place) => place.startsWith(folder)), found, folder, ...rest }
}

test('a program has the descriptors that are meant for it, and no other', async () => {
  const { redirections } = await openSecrets()
  const { file, args } = closedCommand(listDescriptors, {})
  const command = `exec ${redirections}; exec "$@"`
  const { stdout } = await run('/bin/bash', ['-c', command, 'sh', file, ...args])
  expect(stdout.trim().split('\n')).toEqual(['0', '1', '2', '3'])
  const kept = closedCommand(listDescriptors, { kept: 18 })
  const { stdout: more } = await run('/bin/bash', ['-c', command, 'sh', kept.file, ...kept.args])
  expect(
    more
      .trim()
      .split('\n')
      .map(Number)
      .sort((a, b) => a - b),
  ).toEqual([0, 1, 2, 3, 9, 17])
})

test('a program has the environment that is meant for it, and no other', async () => {
  const environment = { GREETING: 'hello you', PATH: '/usr/bin' }
  for (const [variables, seen] of [
    [{}, ''],
    [environment, 'GREETING=hello you\nPATH=/usr/bin\n'],
  ] as const) {
    const { file, args } = closedCommand(['/usr/bin/env'], { environment: variables })
    expect((await run(file, args)).stdout).toBe(seen)
  }
})

test('a probe that finds another descriptor names it', () => {
  expect(foreignDescriptors('0\n1\n2\n3\n')).toEqual([])
  expect(foreignDescriptors('0\n1\n2\n3\n60\n7\n')).toEqual([60, 7])
})

test.skipIf(!canConfine)('a box for one program sees no open file of the gateway', async () => {
  const { found, leaked } = await inLeakyProcess(`
    import { createSandbox } from ${from('sandbox.ts')}
    const box = await createSandbox({ clock }).openBox()
    const { output } = await box.run({
      program: '/bin/sh', args: ['-c', 'for each in /proc/self/fd/*; do readlink $each; done'], limits, signal,
    })
    await box.close()
    console.log(JSON.stringify({ found: output.toString().trim().split('\\n') }))`)
  expect(found.length).toBeGreaterThan(2)
  expect(leaked).toEqual([])
})

test.skipIf(!canConfine)('git and its like see no open file of the gateway', async () => {
  const { found, leaked } = await inLeakyProcess(`
    import { mkdtempSync, chmodSync, rmSync } from 'node:fs'
    import { createSandbox } from ${from('sandbox.ts')}
    const above = mkdtempSync('/tmp/tollway-open-files-')
    chmodSync(above, 0o711)
    const sandbox = createSandbox({ clock })
    await sandbox.makeFolder(above + '/work')
    const { input, output, ended } = await sandbox.start({
      program: '/bin/cat', args: [], folder: above + '/work', mayWrite: false, environment: {}, limits, signal,
    })
    input.write('started')
    for await (const chunk of output) {
      console.log(JSON.stringify({ found: openBelow() }))
      input.end()
    }
    await ended
    rmSync(above, { recursive: true })`)
  expect(found.length).toBeGreaterThan(2)
  expect(leaked).toEqual([])
})

test.skipIf(!canStand)('a standing box sees no open file of the gateway', async () => {
  const { found, leaked } = await inLeakyProcess(`
    import { createStandingBoxes } from ${from('standing-boxes.ts')}
    const boxes = createStandingBoxes({ clock })
    const box = await boxes.open(signal)
    const argv = ['/bin/sh', '-c', 'for each in /proc/*/fd/*; do readlink $each; done']
    const { stdout } = await box.run({ argv, timeoutMs: 20_000, signal })
    const found = [...stdout.toString().trim().split('\\n'), ...openBelow()]
    await boxes.close()
    console.log(JSON.stringify({ found }))`)
  expect(found.length).toBeGreaterThan(2)
  expect(leaked).toEqual([])
})

const confinable = canConfine ? await findConfinable() : undefined
test.skipIf(confinable === undefined)('a rented browser has no file of the gateway', async () => {
  const { found, leaked } = await inLeakyProcess(`
    import { openConfinedChromiums } from ${from('../chromium/confined-chromium.ts')}
    import { createEgressGuard } from ${from('../egress/guard.ts')}
    const browsers = await openConfinedChromiums()
    const browser = await browsers.launch({
      program: ${JSON.stringify(confinable)}, sandbox: true, memoryBytesMax: 2e9,
      guard: createEgressGuard({ allow: [] }), egress: { bytesMax: 1e6, idleTimeoutMs: 10_000 },
    }, signal)
    const found = openBelow()
    await browser.close()
    await browsers.close()
    console.log(JSON.stringify({ found }))`)
  expect(found.length).toBeGreaterThan(2)
  expect(leaked).toEqual([])
})

const chromium = await findChromium()
test.skipIf(chromium === undefined)(
  'the browser for pages has no file of the gateway',
  async () => {
    const { found, leaked } = await inLeakyProcess(`
    import { chromium } from 'playwright-core'
    import { launchChromium } from ${from('../chromium/chromium.ts')}
    const running = await launchChromium({
      executablePath: ${JSON.stringify(chromium)}, sandbox: true, hasPictures: false, driver: chromium,
      proxyUrl: 'http://127.0.0.1:9',
    })
    await (await running.browser.newPage()).goto('about:blank')
    const found = openBelow()
    await running.close()
    console.log(JSON.stringify({ found }))`)
    expect(found.length).toBeGreaterThan(2)
    expect(leaked).toEqual([])
  },
)

test('PostgreSQL and its lifeline have no file of the gateway', async () => {
  const { found, leaked } = await inLeakyProcess(`
    import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
    import { startEmbeddedPostgres } from ${from('../postgres/embedded.ts')}
    const root = mkdtempSync('/tmp/tollway-open-files-')
    chmodSync(root, 0o755)
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    const { stop } = await startEmbeddedPostgres({ dataDir: root + '/data', log, systemDirectory: root + '/system' })
    const commandOf = (pid) => attempt(() => [readFileSync('/proc/' + pid + '/cmdline', 'utf8')]).join()
    const servers = readdirSync('/proc').filter((name) => statusOf(name)[1] === String(process.pid))
    const lifelines = readdirSync('/proc').filter((name) =>
      servers.some((server) => commandOf(name).endsWith('tollway-lifeline\\0' + server + '\\0')))
    if (lifelines.length !== 1) throw new Error('The lifeline is missing.')
    const found = [...openBelow(), ...lifelines.flatMap(openIn)]
    await stop()
    rmSync(root, { recursive: true })
    console.log(JSON.stringify({ found }))`)
  expect(found.length).toBeGreaterThan(2)
  expect(leaked).toEqual([])
})
