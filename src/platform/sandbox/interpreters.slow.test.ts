// Pieces of JavaScript that an interpreter takes one after the other: what one leaves behind does not end the next.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock as clock } from '../clock.ts'
import type { StandingBox } from './standing-box.ts'
import { createStandingBoxes } from './standing-boxes.ts'

const boxes = createStandingBoxes({ clock })
const isInstalled = (await boxes.missing()) === undefined
const confined = test.skipIf(!isInstalled)
const { signal } = new AbortController()
const argv = ['node', '/opt/box/interpreter.mjs']
const later = 'await new Promise((resolve) => setTimeout(resolve, 50)); console.log(kept)'

let box: StandingBox
beforeAll(async () => {
  if (isInstalled) box = await boxes.open(signal)
})
afterAll(() => boxes.close())

async function js(code: string, timeoutMs = 20_000) {
  const { stdout, stderr, exitCode, timedOut } = await box.runCode({
    argv,
    code,
    timeoutMs,
    signal,
  })
  return { stdout: stdout.toString(), stderr: stderr.toString(), exitCode, timedOut }
}

confined('an endless loop that was interrupted takes no time from the next code', async () => {
  await js('var kept = 41')
  expect(await js('for (;;);', 300)).toMatchObject({ exitCode: null, timedOut: true })
  expect(await js(later)).toMatchObject({ stdout: '41\n', stderr: '', exitCode: 0 })
  expect(await js('await new Promise(() => {})', 300)).toMatchObject({ timedOut: true })
  expect(await js(later)).toMatchObject({ stdout: '41\n', stderr: '', exitCode: 0 })
})

confined('an error that no code waits for is told, and the variables stay', async () => {
  await js('var kept = 42')
  await js(
    'Promise.reject(new Error("unawaited")); setTimeout(() => { throw new Error("in a timer") })',
  )
  const next = await js(later)
  expect(next).toMatchObject({ stdout: '42\n', exitCode: 0 })
  expect(next.stderr).toContain('in a timer')
})
