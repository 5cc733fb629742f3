// A real redis-server (or valkey-server) on a free port. It keeps nothing on disk.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { AtEnd } from '../database.ts'
import { findFreePort } from '../gateways/free-port.ts'
import type { LogCapture } from '../log-capture.ts'
import { until } from '../until.ts'

const programs = ['redis-server', 'valkey-server']
const lookEveryMs = 20
const startMsMax = 20_000
const roundsMax = 20

const program = programs.find((name) => spawnSync(name, ['--version']).status === 0)

/** Why tests with Redis are left out on this machine. */
export const redisMissing =
  program === undefined ? `None of ${programs.join(', ')} is installed.` : undefined

export interface RedisServer {
  readonly url: string
  /** Ends the process at once. What it held is lost, and connections are refused. */
  kill(): Promise<void>
  /** Starts it again at the same address, empty. */
  start(): Promise<void>
  /** It keeps its connections and answers nothing. */
  hang(): void
  goOn(): void
}

export async function startRedis(atEnd: AtEnd = onTestFinished): Promise<RedisServer> {
  if (program === undefined) throw new Error(redisMissing)
  const port = await findFreePort()
  let running: ChildProcess | undefined
  async function start() {
    const options = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--daemonize',
      'no',
    ]
    running = spawn(program ?? '', options, { stdio: 'ignore' })
    await answers(port)
  }
  async function kill() {
    const ending = running
    running = undefined
    if (ending === undefined) return
    const ended = once(ending, 'exit')
    ending.kill('SIGKILL')
    await ended
  }
  await start()
  atEnd(kill)
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    start,
    hang: () => running?.kill('SIGSTOP'),
    goOn: () => running?.kill('SIGCONT'),
  }
}

/**
 * Repeats `run` if Redis was late in it, as it may be for a moment on a busy machine: then each gateway counts alone.
 * `log` is that of all gateways in it.
 */
export async function whileRedisAnswers<Result>(
  log: Pick<LogCapture, 'text'>,
  run: () => Promise<Result>,
): Promise<Result> {
  const told = (words: string) => log.text().split(words).length - 1
  for (let round = 1; ; round += 1) {
    await until(async () => told('answers again') >= told('is away'))
    const losses = told('is away')
    const [outcome] = await Promise.allSettled([run()])
    if (told('is away') > losses && round < roundsMax) continue
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  }
}

async function answers(port: number): Promise<void> {
  for (const until = Date.now() + startMsMax; Date.now() < until; await delay(lookEveryMs)) {
    const socket = connect(port, '127.0.0.1')
    const opened = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (opened) return
  }
  throw new Error('redis-server did not start.')
}
