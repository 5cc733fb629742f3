// The sandboxes of the stub of Modal. Their programs really run on this machine.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { GrpcFailure } from './grpc-server.ts'

interface StubSandbox {
  readonly id: string
  readonly taskId: string
  readonly definition: Definition
  readonly folder: string
  readonly programs: Map<string, Program>
  result: { status: number; exitcode?: number } | undefined
}

export interface Definition {
  readonly entrypointArgs?: readonly string[]
  readonly imageId: string
  readonly timeoutSecs: number
  readonly name: string
  readonly resources?: {
    readonly gpuConfig?: { readonly gpuType?: string; readonly count?: number }
  }
}

interface Program {
  readonly child: ChildProcess
  readonly outputs: readonly [Output, Output]
  readonly end: Promise<{ code?: number; signal?: number }>
}

interface Output {
  readonly chunks: Buffer[]
  readonly isOver: boolean
}

export const grpcStatus = { invalid: 3, notFound: 5, alreadyExists: 6, unauthenticated: 16 }
export const resultStatus = { success: 1, failure: 2, terminated: 3, timeout: 4 }
const killSignal = 9

export type StubSandboxes = ReturnType<typeof createStubSandboxes>

export function createStubSandboxes() {
  const all = new Map<string, StubSandbox>()

  const running = () => [...all.values()].filter(({ result }) => result === undefined)

  function end(sandbox: StubSandbox, result: NonNullable<StubSandbox['result']>) {
    if (sandbox.result !== undefined) return
    sandbox.result = result
    for (const { child } of sandbox.programs.values()) kill(child)
    rmSync(sandbox.folder, { recursive: true, force: true })
  }

  return {
    all,
    running,
    end,
    find(id: unknown): StubSandbox {
      const found = all.get(String(id))
      if (found === undefined)
        throw new GrpcFailure(grpcStatus.notFound, `Sandbox ${String(id)} not found`)
      return found
    },
    findTask: (taskId: unknown) => running().find((each) => each.taskId === taskId),
    create(definition: Definition): StubSandbox {
      if (running().some((each) => each.definition.name === definition.name))
        throw new GrpcFailure(grpcStatus.alreadyExists, `Sandbox ${definition.name} already exists`)
      const random = randomUUID().replaceAll('-', '').slice(0, 22)
      const folder = mkdtempSync(path.join(tmpdir(), 'stub-modal-'))
      const sandbox: StubSandbox = {
        id: `sb-${random}`,
        taskId: `ta-${random}`,
        definition,
        folder,
        programs: new Map(),
        result: undefined,
      }
      all.set(sandbox.id, sandbox)
      const { entrypointArgs = [] } = definition
      if (entrypointArgs.length > 0) {
        const entrypoint = startProgram(sandbox, 'entrypoint', entrypointArgs)
        entrypoint.end.then(({ code }) =>
          end(
            sandbox,
            code === 0
              ? { status: resultStatus.success }
              : { status: resultStatus.failure, exitcode: code ?? 137 },
          ),
        )
      }
      return sandbox
    },
  }
}

export function kill({ pid }: ChildProcess) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {}
}

export function startProgram(
  sandbox: StubSandbox,
  id: string,
  [file = 'false', ...args]: readonly string[],
): Program {
  const child = spawn(file, args, {
    cwd: sandbox.folder,
    env: { PATH: process.env.PATH, HOME: sandbox.folder },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const collect = (stream: NodeJS.ReadableStream | null) => {
    // Each reader waits for the next chunk anew.
    stream?.setMaxListeners(0)
    const output = { chunks: [] as Buffer[], isOver: false }
    stream?.on('data', (chunk) => output.chunks.push(chunk))
    stream?.on('close', () => {
      output.isOver = true
    })
    return output
  }
  const outputs = [collect(child.stdout), collect(child.stderr)] as const
  const { promise, resolve } = Promise.withResolvers<{ code?: number; signal?: number }>()
  child.on('error', () => resolve({ code: 127 }))
  child.on('exit', (code) => resolve(code === null ? { signal: killSignal } : { code }))
  const program: Program = { child, outputs, end: promise }
  sandbox.programs.set(id, program)
  return program
}

export async function* readOutput(
  { child, outputs }: Program,
  descriptor: 0 | 1,
  signal: AbortSignal,
) {
  const output = outputs[descriptor]
  for (let sent = 0; !signal.aborted; ) {
    for (; sent < output.chunks.length; sent += 1) yield { data: output.chunks[sent] }
    if (output.isOver) return
    const stream = [child.stdout, child.stderr][descriptor]
    if (stream == null) return
    await Promise.race([
      once(stream, 'data', { signal }).catch(() => {}),
      once(stream, 'close', { signal }).catch(() => {}),
    ])
  }
}
