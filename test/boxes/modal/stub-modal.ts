// Modal as its .proto files describe it: an app, images, and sandboxes in which programs of this machine really run.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type GrpcCall, GrpcFailure, startGrpcServer } from './grpc-server.ts'

export const modalKey = 'ak-token-id:as-token-secret'

interface StubSandbox {
  readonly id: string
  readonly taskId: string
  readonly definition: Definition
  readonly folder: string
  readonly programs: Map<string, Program>
  result: { status: number; exitcode?: number } | undefined
}

interface Definition {
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

const invalid = 3
const notFound = 5
const alreadyExists = 6
const unauthenticated = 16
const status = { success: 1, failure: 2, terminated: 3, timeout: 4 }
const killSignal = 9

export async function startStubModal() {
  const images = new Map<string, string>()
  const sandboxes = new Map<string, StubSandbox>()
  let isScheduling = true

  const running = () => [...sandboxes.values()].filter(({ result }) => result === undefined)

  function find(id: unknown): StubSandbox {
    const found = sandboxes.get(String(id))
    if (found === undefined) throw new GrpcFailure(notFound, `Sandbox ${String(id)} not found`)
    return found
  }

  function end(sandbox: StubSandbox, result: NonNullable<StubSandbox['result']>) {
    if (sandbox.result !== undefined) return
    sandbox.result = result
    for (const { child } of sandbox.programs.values()) kill(child)
    rmSync(sandbox.folder, { recursive: true, force: true })
  }

  function create(definition: Definition): StubSandbox {
    if (!images.has(definition.imageId)) throw new GrpcFailure(invalid, 'unknown image')
    if (running().some((each) => each.definition.name === definition.name))
      throw new GrpcFailure(alreadyExists, `Sandbox ${definition.name} already exists`)
    const random = randomUUID().replaceAll('-', '').slice(0, 22)
    const folder = mkdtempSync(path.join(tmpdir(), 'stub-modal-'))
    const sandbox: StubSandbox = {
      ...{ id: `sb-${random}`, taskId: `ta-${random}`, definition, folder },
      ...{ programs: new Map(), result: undefined },
    }
    sandboxes.set(sandbox.id, sandbox)
    const { entrypointArgs = [] } = definition
    if (entrypointArgs.length > 0) {
      const { end: ended } = start(sandbox, 'entrypoint', entrypointArgs)
      ended.then(({ code }) =>
        end(
          sandbox,
          code === 0
            ? { status: status.success }
            : { status: status.failure, exitcode: code ?? 137 },
        ),
      )
    }
    return sandbox
  }

  const api: Record<string, (message: GrpcCall['message']) => object | Promise<object>> = {
    AuthTokenGet: () => ({ token: stubToken }),
    AppGetOrCreate: ({ appName }) => ({ appId: `ap-${String(appName)}` }),
    EnvironmentGetOrCreate: () => ({
      environmentId: 'en-1',
      metadata: { name: 'main', settings: { imageBuilderVersion: '2025.06' } },
    }),
    ImageGetOrCreate({ image, appId, builderVersion }) {
      if (appId !== 'ap-tollway' || builderVersion !== '2025.06')
        throw new GrpcFailure(invalid, 'no app')
      const [from = ''] = (image as { dockerfileCommands: string[] }).dockerfileCommands
      const imageId = `im-${Buffer.from(from).toString('hex').slice(0, 20)}`
      images.set(imageId, from)
      if (from.includes('not-there'))
        return { imageId, result: { status: status.failure, exception: 'no such image' } }
      return from.includes('slow') ? { imageId } : { imageId, result: { status: status.success } }
    },
    SandboxCreate: ({ definition }) => ({ sandboxId: create(definition as Definition).id }),
    SandboxGetTaskId({ sandboxId }) {
      const { result, taskId } = find(sandboxId)
      if (result !== undefined) return { taskResult: result }
      return isScheduling ? { taskId } : {}
    },
    SandboxWait: ({ sandboxId }) => ({ result: find(sandboxId).result }),
    SandboxTerminate({ sandboxId }) {
      const sandbox = find(sandboxId)
      const existingResult = sandbox.result
      end(sandbox, { status: status.terminated })
      return { existingResult }
    },
    SandboxGetFromName({ sandboxName, appName }) {
      const found = running().find(({ definition }) => definition.name === sandboxName)
      if (found === undefined || appName !== 'tollway')
        throw new GrpcFailure(notFound, 'no sandbox')
      return { sandboxId: found.id }
    },
    TaskGetCommandRouterAccess({ taskId }) {
      const sandbox = running().find((each) => each.taskId === taskId)
      if (sandbox === undefined) throw new GrpcFailure(notFound, 'no task')
      return { jwt: `jwt-${sandbox.taskId}`, url: routerUrl }
    },
  }

  function program({ taskId, execId }: GrpcCall['message']): Program {
    const sandbox = running().find((each) => each.taskId === taskId)
    const found = sandbox?.programs.get(String(execId))
    if (found === undefined) throw new GrpcFailure(notFound, 'no exec')
    return found
  }

  const router: Record<
    string,
    (call: GrpcCall) => Promise<object> | AsyncIterable<object> | object
  > = {
    TaskExecStart({ message }) {
      const sandbox = running().find(({ taskId }) => taskId === message.taskId)
      if (sandbox === undefined) throw new GrpcFailure(notFound, 'no task')
      const { child } = start(sandbox, String(message.execId), message.commandArgs as string[])
      const seconds = Number(message.timeoutSecs ?? 0)
      if (seconds > 0) {
        const timer = setTimeout(() => kill(child), seconds * 1_000)
        child.on('close', () => clearTimeout(timer))
      }
      return {}
    },
    TaskExecStdioRead: ({ message, signal }) =>
      readOutput(program(message), Number(message.fileDescriptor ?? 0) as 0 | 1, signal),
    TaskExecWait: ({ message }) => program(message).end,
  }

  function handle(call: GrpcCall) {
    const { method, service, message, metadata } = call
    if (service.endsWith('TaskCommandRouter')) {
      if ('x-modal-token-secret' in metadata) throw new Error('The router must not see the key.')
      if (metadata.authorization !== `Bearer jwt-${String(message.taskId)}`)
        throw new GrpcFailure(unauthenticated, 'another task')
      return (router[method] as (typeof router)[string])(call)
    }
    const [id, secret] = modalKey.split(':')
    const isKnown =
      metadata['x-modal-token-id'] === id &&
      metadata['x-modal-token-secret'] === secret &&
      metadata['x-modal-client-type'] === '8' &&
      (method === 'AuthTokenGet' || metadata['x-modal-auth-token'] === stubToken)
    if (!isKnown) throw new GrpcFailure(unauthenticated, `bad token ${secret}`)
    if (method === 'ImageJoinStreaming') return buildSlowly()
    return (api[method] as (typeof api)[string])(message)
  }

  const files = ['modal.proto', 'router.proto'].map((name) => path.join(import.meta.dirname, name))
  const server = await startGrpcServer(files, handle)
  /** The vendor's client wants https here, and leaves the encryption out on this machine. */
  let routerUrl = server.url

  return {
    ...server,
    sandboxes,
    running,
    find,
    /** The vendor ends it when its time is over. */
    expire: (id: string) => end(find(id), { status: status.timeout }),
    scheduling(isOn: boolean) {
      isScheduling = isOn
    },
    setRouterUrl(url: string) {
      routerUrl = url
    },
    async close() {
      for (const sandbox of running()) end(sandbox, { status: status.terminated })
      await server.close()
    },
  }
}

/** A token without a signature, which expires in the year 2100. */
const stubToken = ['{}', '{"exp":4102444800}', '{}']
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.')

async function* buildSlowly() {
  yield { entryId: '1' }
  yield { entryId: '2', result: { status: status.success } }
}

function kill({ pid }: ChildProcess) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {}
}

function start(
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

async function* readOutput({ child, outputs }: Program, descriptor: 0 | 1, signal: AbortSignal) {
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
