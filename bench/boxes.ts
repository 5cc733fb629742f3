// Measures how long a standing box takes to open and to run a command, and the same for a bare bubblewrap; then the
// memory of idle boxes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock as clock } from '#platform/clock.ts'
import type { StandingBox } from '#platform/sandbox/standing-box.ts'
import { createStandingBoxes } from '#platform/sandbox/standing-boxes.ts'
import { memoryBelow } from './lib/memory-of.ts'

const rounds = Number(process.argv[2] ?? 40)
const idleBoxes = 20
const { signal } = new AbortController()
const timeoutMs = 10_000
/** A spare box is ready after this time. */
const spareMs = 500
const program = ['/bin/sh', '-c', 'echo hello']

const boxes = createStandingBoxes({ clock })
const missing = await boxes.missing()
if (missing !== undefined) throw new Error(missing)

/** The same namespaces and mounts, without limits, filter and agent. */
async function runBare(): Promise<void> {
  const options = [
    ...['--unshare-all', '--die-with-parent', '--ro-bind', '/usr', '/usr'],
    ...['bin', 'lib', 'lib64'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--tmpfs', '/home/user'],
  ]
  const child = spawn('/usr/bin/bwrap', [...options, ...program], { stdio: 'pipe', env: {} })
  child.stdout.resume()
  await once(child, 'close')
}

const figures = new Map<string, number[]>()
async function measure(what: string, work: () => Promise<unknown>, round: number) {
  const startedMs = performance.now()
  await work()
  // The first round warms everything up.
  if (round > 0) figures.set(what, [...(figures.get(what) ?? []), performance.now() - startedMs])
}

const open = async (what: string, round: number) => {
  const opening = Promise.withResolvers<StandingBox>()
  await measure(what, async () => opening.resolve(await boxes.open(signal)), round)
  return await opening.promise
}

for (let round = 0; round <= rounds; round += 1) {
  await measure('bare bubblewrap, one command', runBare, round)
  const box = await open('open a box, the spare one', round)
  // The next spare box has only just begun to start.
  await (await open('open another one at once', round)).close()
  const run = () => box.run({ argv: program, timeoutMs, signal })
  await run()
  await measure('run a command in it', run, round)
  await measure('close it', box.close, round)
  await sleep(spareMs)
}

const median = (numbers: readonly number[]) =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0
const baseline = median(figures.get('bare bubblewrap, one command') ?? [])
console.log('| | median ms | × bare |\n| --- | --- | --- |')
for (const [what, all] of figures)
  console.log(`| ${what} | ${median(all).toFixed(1)} | ${(median(all) / baseline).toFixed(2)} |`)

const idle = await Promise.all(Array.from({ length: idleBoxes }, () => boxes.open(signal)))
await Promise.all(idle.map((box) => box.run({ argv: program, timeoutMs, signal })))
const megabytes = (await memoryBelow(process.pid)) / 1_000_000
console.log(`\n${idleBoxes} idle boxes: ${megabytes.toFixed(0)} MB.`)
await boxes.close()
