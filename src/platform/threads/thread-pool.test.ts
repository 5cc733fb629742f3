import { afterEach, expect, test } from 'vitest'
import { createThreadPool, ThreadsBusy } from './thread-pool.ts'

/** Answers a task with itself, when it is told that others may go on. */
const script = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    parentPort.postMessage('ready')
    parentPort.on('message', ({ name, gate }) => {
      Atomics.wait(new Int32Array(gate), 0, 0)
      parentPort.postMessage(name)
    })`)}`,
)

const pools: { close(): Promise<void> }[] = []
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())))

/** One thread, whose first task waits until the gate is opened. */
function onePool(queueMax: number) {
  const gate = new SharedArrayBuffer(4)
  const pool = createThreadPool<{ name: string; gate: SharedArrayBuffer }, string>({
    script,
    threads: 1,
    limits: { cpuMs: 60_000, wallMs: 500_000 },
    queueMax,
  })
  pools.push(pool)
  const done: string[] = []
  const run = async (name: string, signal?: AbortSignal) => {
    done.push(await pool.run({ name, gate }, { owner: name[0], signal }))
  }
  const open = () => {
    Atomics.store(new Int32Array(gate), 0, 1)
    Atomics.notify(new Int32Array(gate), 0)
  }
  return { run, open, done }
}

test('an owner with one task waits for one task of another at most', async () => {
  const { run, open, done } = onePool(100)
  const running = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) => run(name))
  open()
  await Promise.all(running)
  expect(done.indexOf('b1')).toBeLessThanOrEqual(2)
})

test('a task whose call has ended is not done, and the next one is', async () => {
  const { run, open, done } = onePool(100)
  const ended = new AbortController()
  const running = [run('a1'), run('a2', ended.signal), run('b1')]
  ended.abort(new Error('The caller has left.'))
  await expect(running[1]).rejects.toThrow('The caller has left.')
  open()
  await Promise.all([running[0], running[2]])
  expect(done).toEqual(['a1', 'b1'])
  await expect(run('a3', ended.signal)).rejects.toThrow('The caller has left.')
})

test('a full queue takes the task of an owner who has less in it', async () => {
  const { run, open, done } = onePool(3)
  const running = ['a1', 'a2', 'a3'].map((name) => run(name))
  const settled = Promise.allSettled(running)
  await expect(run('a4')).rejects.toThrow(ThreadsBusy)
  const other = run('b1')
  open()
  await other
  expect((await settled).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
  ])
  expect(done).toContain('b1')
})
