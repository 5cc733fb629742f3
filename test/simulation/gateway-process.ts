// The gateway in a process of its own, on the embedded database.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { inject } from 'vitest'
import type { UntypedJson } from '#core/replies/untyped-json.ts'

export const adminToken = 'operator-token-of-the-simulation'
const startScript = path.join(import.meta.dirname, '../../scripts/start.js')

/** The words that start the gateway, after `node`: from its bundle, without the console. */
export const gatewayProgram = () => [startScript, path.join(inject('bundledGateway'), 'main.js')]

/** As `npm start` does, which builds the console too. */
export const sourcesProgram = [startScript]

export interface GatewayProcess {
  readonly child: ChildProcess
  /** The base URL. Rejects with its output if it ends before it listens. */
  readonly listening: Promise<string>
  /** Sends SIGKILL and waits for the end of the process. */
  kill(): Promise<void>
  /** Sends SIGTERM and waits for the end of the process. Resolves to the exit code. */
  stop(): Promise<number | null>
}

export function startGatewayProcess(
  dataDir: string,
  env: Record<string, string> = {},
  program: readonly string[] = gatewayProgram(),
): GatewayProcess {
  const child = spawn(process.execPath, program, {
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '/',
      PORT: '0',
      DATA_DIR: dataDir,
      ADMIN_TOKEN: adminToken,
      EGRESS_ALLOW: '127.0.0.1',
      RATE_LIMIT_PER_MINUTE: '10000000',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  let printed = ''
  const listening = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk.toString()
      const url = /listens at (http\S+)/.exec(printed)?.[1]
      if (url !== undefined) resolve(url)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    ended.then(() =>
      reject(new Error(`The gateway ended before it listened. It printed:\n${printed}`)),
    )
  })
  // A test that kills it during its start does not wait until it listens.
  listening.catch(() => {})
  return {
    child,
    listening,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
      return child.exitCode
    },
  }
}

/** A request to a gateway. Resolves to undefined when the connection broke: the call is not acknowledged. */
export async function send(
  url: string,
  request: { path: string; key: string; body?: unknown; idempotencyKey?: string },
): Promise<{ status: number; body: UntypedJson } | undefined> {
  try {
    const reply = await fetch(new URL(request.path, url), {
      method: request.body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${request.key}`,
        ...(request.idempotencyKey === undefined
          ? {}
          : { 'idempotency-key': request.idempotencyKey }),
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    })
    return { status: reply.status, body: await reply.json() }
  } catch {
    return undefined
  }
}
