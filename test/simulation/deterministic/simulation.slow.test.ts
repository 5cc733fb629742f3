import { spawn } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#test/database.ts'

const root = path.join(import.meta.dirname, '../../..')
const start = path.join(root, 'scripts/start.js')
const script = path.relative(root, path.join(import.meta.dirname, 'run.ts'))
/** How long the first test runs. A longer run finds more. */
const seconds = process.env.SIMULATION_SECONDS ?? '20'

/** In a process of its own: a simulation takes over timers, time and chance. */
async function run(...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [start, script, ...args], { cwd: root })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => {
      printed += part
    })
  await new Promise((resolve) => child.once('close', resolve))
  return printed
}

test('callers get what they were told, although anything may fail', async () => {
  const seed = String(1 + (Math.floor(Date.now() / 1_000) % 1_000_000_000))
  const printed = await run('--seconds', seconds, '--seed', seed)
  expect(printed).toMatch(/^seeds [1-9]/)
  expect(printed).toContain('first failing seed none')
})

test('the model of the ledger answers what PostgreSQL answers', async () => {
  const printed = await run('--database', await createTestDatabase(), '--seeds', '8')
  expect(printed).toContain('first failing seed none')
})

test('a planted bug is found, made smaller, and shown again by what is printed', async () => {
  const plant = ['--plant', 'a lease reserves again what a call was charged']
  const printed = await run(...plant, '--seconds', '120')
  const replay = /npm run simulate -- (.+)$/m.exec(printed)?.[1] ?? ''
  // Which of the two notices first depends on the order of events in the first seed that finds the bug.
  const found = /the database refused: .+/.exec(printed)?.[0] ?? ''
  expect(found).toMatch(/violates check constraint "(balance|lease)_held_check"/)
  const [once, again] = [
    await run(...plant, ...replay.split(' ')),
    await run(...plant, ...replay.split(' ')),
  ]
  expect(once).toContain(`VIOLATION ${found}`)
  expect(again).toBe(once)
})
