// What the gateway's code reaches without being handed it: timers, the time, chance and files. In a process that
// simulates, all of these belong to the simulated machine.
import fs from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import type { Clock } from '#core/ports.ts'
import type { Disk } from './disk.ts'
import type { Random } from './random.ts'
import type { Process, Scheduler, Timer } from './scheduler.ts'

export interface Machine {
  readonly scheduler: Scheduler
  /** For what the code under test draws. */
  readonly random: Random
  readonly disk: Disk
}

const immediatelyMs = 0.01
const realImmediate = setImmediate
/** Set while a simulation runs; files and timers are the real ones otherwise. */
let machine: Machine | undefined

const running = (): Machine => {
  if (machine === undefined) throw new Error('No simulation runs.')
  return machine
}

/** Resolves when no promise is left that can go on: Node runs a tick only when it has run all microtasks. */
export const settlePromises = () => new Promise<void>((resolve) => process.nextTick(resolve))

/** Lets the real event loop take a turn. */
export const takeRealTurn = () => new Promise<void>((resolve) => realImmediate(resolve))

export function enterMachine(next: Machine | undefined): void {
  machine = next
}

export function createClock(scheduler: Scheduler, process: Process): Clock {
  return {
    now: () => Math.floor(scheduler.nowMs() + process.clockAheadMs),
    sleep: (delayMs, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const timer = scheduler.after(process, delayMs, resolve)
        signal?.addEventListener('abort', () => {
          timer.isCancelled = true
          reject(signal.reason)
        })
      }),
  }
}

/** For the rest of this process. */
export function takeOverGlobals(): void {
  const real = {
    setTimeout,
    setInterval,
    setImmediate,
    clearTimeout,
    clearInterval,
    clearImmediate,
  }
  const isReal = () => machine === undefined
  Object.assign(globalThis, {
    setTimeout: (run: () => void, delayMs = 0, ...rest: []) =>
      isReal() ? real.setTimeout(run, delayMs, ...rest) : start(run, delayMs, false),
    setInterval: (run: () => void, delayMs = 0, ...rest: []) =>
      isReal() ? real.setInterval(run, delayMs, ...rest) : start(run, Math.max(1, delayMs), true),
    setImmediate: (run: () => void, ...rest: []) =>
      isReal() ? real.setImmediate(run, ...rest) : start(run, immediatelyMs, false),
    clearTimeout: (timer: never) => (isHandle(timer) ? stop(timer) : real.clearTimeout(timer)),
    clearInterval: (timer: never) => (isHandle(timer) ? stop(timer) : real.clearInterval(timer)),
    clearImmediate: (timer: never) => (isHandle(timer) ? stop(timer) : real.clearImmediate(timer)),
  })
  const realNow = Date.now
  Date.now = () => (machine === undefined ? realNow() : Math.floor(machine.scheduler.nowMs()))
  const realRandom = Math.random
  Math.random = () => (machine === undefined ? realRandom() : machine.random.next())
  const realUuid = crypto.randomUUID.bind(crypto)
  crypto.randomUUID = () => (machine === undefined ? realUuid() : randomUuid())
  takeOverFiles()
}

type Handle = Timer & { unref(): Handle; ref(): Handle }

function start(run: () => void, delayMs: number, repeats: boolean): Handle {
  const { scheduler } = running()
  const process = scheduler.current()
  const handle: Handle = { isCancelled: false, unref: () => handle, ref: () => handle }
  const schedule = () => {
    scheduler.after(process, delayMs, () => {
      if (handle.isCancelled) return
      if (repeats) schedule()
      run()
    })
  }
  schedule()
  return handle
}

const isHandle = (timer: Handle | undefined): timer is Handle => timer?.isCancelled !== undefined

function stop(handle: Handle) {
  handle.isCancelled = true
}

function randomUuid(): ReturnType<typeof crypto.randomUUID> {
  const { random } = running()
  const hex = (digits: number) =>
    random
      .below(16 ** digits)
      .toString(16)
      .padStart(digits, '0')
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${'89ab'[random.below(4)]}${hex(3)}-${hex(6)}${hex(6)}`
}

function takeOverFiles() {
  const require = createRequire(import.meta.url)
  const promises = require('node:fs/promises')
  const here = (file: unknown) =>
    machine !== undefined && String(file).startsWith('/simulated/') ? machine.disk : undefined
  const opened = (descriptor: number) => (descriptor < 0 ? running().disk : undefined)
  const real = { ...fs }
  const realPromises = { ...promises }
  Object.assign(fs, {
    mkdirSync: (file: string, options?: object) =>
      here(file) === undefined ? real.mkdirSync(file, options) : undefined,
    openSync: (file: string, ...rest: [never, never]) =>
      here(file)?.open(file) ?? real.openSync(file, ...rest),
    closeSync: (descriptor: number) =>
      opened(descriptor) === undefined ? real.closeSync(descriptor) : undefined,
    writeSync: (descriptor: number, data: Buffer, from: number, ...rest: [never, never]) =>
      opened(descriptor)?.write(descriptor, data, from) ??
      real.writeSync(descriptor, data, from, ...rest),
    ftruncateSync: (descriptor: number, bytes = 0) => {
      const disk = opened(descriptor)
      if (disk === undefined) real.ftruncateSync(descriptor, bytes)
      else disk.truncate(descriptor, bytes)
    },
    fsyncSync: (descriptor: number) =>
      opened(descriptor) === undefined ? real.fsyncSync(descriptor) : undefined,
    fdatasyncSync: (descriptor: number) =>
      opened(descriptor) === undefined ? real.fdatasyncSync(descriptor) : undefined,
    rmSync: (file: string, options?: object) => {
      const disk = here(file)
      if (disk === undefined) real.rmSync(file, options)
      else disk.remove(file)
    },
  })
  Object.assign(promises, {
    readdir: async (folder: string, ...rest: never[]) =>
      here(folder)?.list(folder) ?? (await realPromises.readdir(folder, ...rest)),
    readFile: async (file: string, ...rest: never[]) =>
      here(file)?.read(file) ?? (await realPromises.readFile(file, ...rest)),
    unlink: async (file: string) => {
      const disk = here(file)
      if (disk === undefined) await realPromises.unlink(file)
      else disk.remove(file)
    },
  })
  syncBuiltinESMExports()
}
