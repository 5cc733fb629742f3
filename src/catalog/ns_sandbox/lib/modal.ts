// Sandboxes of Modal.
import { fail } from '#core/errors.ts'
import type { Clock, ProviderHttp } from '#core/ports.ts'
import { createVendorFiles } from '../../lib/boxes/vendor-files.ts'
import { resultStatus } from './messages.ts'
import { createModalApi, unreadable } from './modal-api.ts'
import { type ModalCommand, runInSandbox, type SandboxResult } from './modal-exec.ts'

/** The app in the operator's account that holds all sandboxes. */
const appName = 'tollway'
/** A slim Debian, with Python. */
export const imageDefault = 'python:3.13-slim-bookworm'
/** Values of the vendor's enumerations. */
const createIfMissing = 1
const openNetwork = 1
/** How long one request waits for a sandbox to start, and for an image to be built. */
const pollSeconds = 20
const pollTimeoutMs = 30_000
/** Of a script that carries a part of a file, and prints it in base64. */
const scriptSeconds = 30
const scriptBytesMax = 1_100_000
/** How long a sandbox may wait for a machine before it is ended. */
const startMsMax = 150_000

export interface SandboxContext {
  readonly http: ProviderHttp
  readonly clock: Clock
  readonly signal: AbortSignal
}

export interface SandboxTerms {
  /** Finds the sandbox if its creation is not answered. */
  readonly name: string
  readonly image: string
  /** The sandbox ends with it. Empty: it waits for its time to be over. */
  readonly argv: readonly string[]
  readonly seconds: number
  readonly gpu?: string | undefined
}

export interface SandboxState {
  readonly status: 'running' | 'finished' | 'failed'
  readonly returncode: number | null
}

export type Modal = ReturnType<typeof createModal>

export function createModal() {
  const api = createModalApi()

  /** Repeating it changes nothing. */
  async function end({ http, clock }: Omit<SandboxContext, 'signal'>, sandboxId: string) {
    await api.all({ http, clock }, 'SandboxTerminate', { sandboxId }, closing)
  }

  /** Ends the sandbox of this name, if there is one. Repeating it changes nothing. */
  async function discard(context: Omit<SandboxContext, 'signal'>, name: string): Promise<void> {
    const request = { sandboxName: name, environmentName: '', appName }
    const found = await api.all(context, 'SandboxGetFromName', request, closing)
    const sandboxId = found?.[0]?.sandboxId
    if (sandboxId) await end(context, sandboxId)
  }

  return {
    discard,
    end,
    /** Resolves to the id of a sandbox that has started. A failure leaves none behind. */
    async create(context: SandboxContext, terms: SandboxTerms): Promise<string> {
      const { name, image, argv, seconds, gpu } = terms
      const app = { appName, environmentName: '', objectCreationType: createIfMissing }
      const { appId = '' } = await api.one(context, 'AppGetOrCreate', app)
      const imageId = await buildImage(api, context, appId, image)
      try {
        const { sandboxId } = await api.one(context, 'SandboxCreate', {
          appId,
          definition: {
            entrypointArgs: argv,
            imageId,
            timeoutSecs: seconds,
            name,
            networkAccess: { type: openNetwork },
            resources: gpu === undefined ? {} : { gpu: { count: 1, gpuType: gpu } },
          },
        })
        if (!sandboxId) throw unreadable(new Error('The sandbox has no id.'))
        await waitForStart(api, context, sandboxId)
        return sandboxId
      } catch (thrown) {
        await discard(context, name).catch(() => {})
        throw thrown
      }
    },
    /** A sandbox in which commands run. Throws `not_found`, `session_closed`. */
    async connect(context: SandboxContext, sandboxId: string) {
      const request = { sandboxId, timeout: pollSeconds }
      const options = { timeoutMs: pollTimeoutMs }
      const { taskId, taskResult } = await api.one(context, 'SandboxGetTaskId', request, options)
      if (taskResult) throw sandboxOver()
      if (!taskId)
        throw fail('upstream_busy', { message: 'The sandbox has not started yet. Try again.' })
      const { jwt = '', url = '' } = await api.one(context, 'TaskGetCommandRouterAccess', {
        taskId,
      })
      const run = (command: ModalCommand, signal = context.signal) =>
        runInSandbox({ ...context, signal }, { router: { jwt, url }, taskId }, command)
      return { run, files: createVendorFiles({ run: (...script) => runScript(run, ...script) }) }
    },
    async status(context: SandboxContext, sandboxId: string): Promise<SandboxState> {
      const { result } = await api.one(context, 'SandboxWait', { sandboxId, timeout: 0 })
      return readState(result?.status ?? resultStatus.none, result?.exitcode ?? 0)
    },
  }
}

async function runScript(
  run: (command: ModalCommand, signal: AbortSignal) => Promise<SandboxResult>,
  script: string,
  signal: AbortSignal,
): Promise<string> {
  const argv = ['/bin/sh', '-c', script]
  return (await run({ argv, seconds: scriptSeconds, outputBytesMax: scriptBytesMax }, signal))
    .stdout
}

type ModalApi = ReturnType<typeof createModalApi>

async function buildImage(api: ModalApi, context: SandboxContext, appId: string, image: string) {
  const { metadata } = await api.one(context, 'EnvironmentGetOrCreate', { deploymentName: '' })
  const { imageId = '', result } = await api.one(context, 'ImageGetOrCreate', {
    appId,
    image: { dockerfileCommands: [`FROM ${image}`] },
    builderVersion: metadata?.settings?.imageBuilderVersion,
  })
  let status = result?.status ?? resultStatus.none
  let lastEntryId = ''
  while (status === resultStatus.none) {
    context.signal.throwIfAborted()
    const request = { imageId, timeout: pollSeconds, lastEntryId }
    const options = { timeoutMs: pollTimeoutMs }
    const entries = (await api.all(context, 'ImageJoinStreaming', request, options)) ?? []
    for (const entry of entries) {
      lastEntryId = entry.entryId ?? lastEntryId
      status = entry.result?.status ?? status
    }
  }
  if (status === resultStatus.success) return imageId
  if (status === resultStatus.failure)
    throw fail('bad_request', {
      message: `The provider cannot make a sandbox of the image "${image}". Check its name and tag. Nothing was charged.`,
    })
  throw fail('upstream_error', { cause: new Error(`The image ended as ${status}.`) })
}

/** Resolves when programs run in it, or have ended. */
async function waitForStart(
  api: ModalApi,
  context: SandboxContext,
  sandboxId: string,
): Promise<void> {
  const lastMs = context.clock.now() + startMsMax
  while (context.clock.now() < lastMs) {
    context.signal.throwIfAborted()
    const request = { sandboxId, timeout: pollSeconds }
    const options = { timeoutMs: pollTimeoutMs }
    const { taskId, taskResult } = await api.one(context, 'SandboxGetTaskId', request, options)
    if (taskId || taskResult) return
  }
  throw fail('upstream_busy', {
    message:
      'The provider has no machine for this sandbox now. Nothing was charged; try again later, or with another GPU.',
  })
}

/** A box is ended although its call is over, and one that is gone was ended already. */
const closing = { accept: [404], outlivesCall: true } as const

const sandboxOver = () =>
  fail('session_closed', {
    message:
      'This sandbox was terminated, or its time is over. Create another one with ns_sandbox/sandbox-create.',
  })

function readState(status: number, exitcode: number): SandboxState {
  if (status === resultStatus.none) return { status: 'running', returncode: null }
  if (status === resultStatus.success) return { status: 'finished', returncode: 0 }
  if (status === resultStatus.failure) return { status: 'failed', returncode: exitcode }
  const ended: readonly number[] = [
    resultStatus.terminated,
    resultStatus.timeout,
    resultStatus.idleTimeout,
  ]
  return { status: ended.includes(status) ? 'finished' : 'failed', returncode: null }
}
