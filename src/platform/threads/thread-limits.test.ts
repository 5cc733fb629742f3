import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { limitThread } from './thread-limits.ts'

/**
 * Answers `waited` after it was blocked for so many milliseconds without CPU, as on a busy machine; or spins for ever.
 */
const program = `
const { parentPort } = require('node:worker_threads')
parentPort.on('message', (task) => {
  if (task === 'spin') for (;;);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, task)
  parentPort.postMessage('waited')
})
parentPort.postMessage('ready')`

async function startThread() {
  const worker = new Worker(program, { eval: true })
  onTestFinished(async () => void (await worker.terminate()))
  await once(worker, 'message')
  return worker
}

test('a task that waits longer than its CPU time is not ended', async () => {
  const worker = await startThread()
  const lift = limitThread(worker, { cpuMs: 100, wallMs: 60_000 })
  worker.postMessage(600)
  expect(await Promise.race([once(worker, 'message'), once(worker, 'exit')])).toEqual(['waited'])
  lift()
})

test('a task that uses up its CPU time is ended', async () => {
  const worker = await startThread()
  limitThread(worker, { cpuMs: 100, wallMs: 60_000 })
  worker.postMessage('spin')
  await once(worker, 'exit')
})

test('a task that waits for longer than the wall clock allows is ended', async () => {
  const worker = await startThread()
  limitThread(worker, { cpuMs: 60_000, wallMs: 200 })
  worker.postMessage(30_000)
  await once(worker, 'exit')
})

test('limits that are lifted do not reach the next task', async () => {
  const worker = await startThread()
  limitThread(worker, { cpuMs: 10, wallMs: 50 })()
  worker.postMessage(300)
  expect(await Promise.race([once(worker, 'message'), once(worker, 'exit')])).toEqual(['waited'])
})
