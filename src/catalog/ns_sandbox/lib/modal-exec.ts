// A command in a sandbox of Modal: it is started, its outputs are read as streams, and its end is waited for.
import { CallError, fail } from '#core/errors.ts'
import type { Clock, ProviderHttp } from '#core/ports.ts'
import { askRouter, type Router, reasonOf, unreadable } from './modal-api.ts'

/** Of stdout and of stderr. */
const outputBytesMaxDefault = 1_000_000
/** Of a stream: a last message that goes beyond the output. */
const messageBytesMax = 4_500_000
/** Values of the vendor's enumerations. */
const pipe = 1
const descriptors = { stdout: 0, stderr: 1 }
/** The vendor ends a command at its timeout. Its answer may come so much later. */
const answerMarginMs = 8_000
/** One request waits so long for the end of a command. */
const waitMsMax = 60_000
/** Reading and waiting can be repeated. */
const triesMax = 3
/** Of a program that a signal or the timeout ended. */
const killedReturncode = -1

export interface ModalCommand {
  readonly argv: readonly string[]
  readonly seconds: number
  /** Of stdout and of stderr. */
  readonly outputBytesMax?: number
}

interface Place {
  readonly router: Router
  readonly taskId: string
}

interface Execution extends Place {
  readonly http: ProviderHttp
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly execId: string
  readonly endsAtMs: number
}

export interface SandboxResult {
  readonly stdout: string
  readonly stderr: string
  readonly returncode: number
  readonly timed_out: boolean
  readonly truncated?: true
}

export async function runInSandbox(
  { http, clock, signal }: Pick<Execution, 'http' | 'clock' | 'signal'>,
  place: Place,
  { argv, seconds, outputBytesMax = outputBytesMaxDefault }: ModalCommand,
): Promise<SandboxResult> {
  const { router, taskId } = place
  const execId = crypto.randomUUID()
  const startedAtMs = clock.now()
  await askRouter(http, router, 'TaskExecStart', {
    taskId,
    execId,
    commandArgs: argv,
    timeoutSecs: seconds,
    stdoutConfig: pipe,
    stderrConfig: pipe,
  })
  // What still waits when one of them has failed is ended.
  const failing = new AbortController()
  const execution: Execution = {
    ...place,
    http,
    clock,
    execId,
    signal: AbortSignal.any([signal, failing.signal]),
    endsAtMs: startedAtMs + seconds * 1_000 + answerMarginMs,
  }
  try {
    const [stdout, stderr, end] = await Promise.all([
      readOutput(execution, descriptors.stdout, outputBytesMax),
      readOutput(execution, descriptors.stderr, outputBytesMax),
      waitForEnd(execution),
    ])
    const wasKilled = end.signal !== undefined || end.code === undefined
    return {
      stdout: stdout.text,
      stderr: stderr.text,
      returncode: wasKilled ? killedReturncode : (end.code ?? killedReturncode),
      timed_out: wasKilled && clock.now() - startedAtMs >= seconds * 1_000,
      ...((stdout.isCut || stderr.isCut) && { truncated: true }),
    }
  } finally {
    failing.abort(new Error('The command is over.'))
  }
}

async function readOutput(execution: Execution, fileDescriptor: number, bytesMax: number) {
  const { http, router, taskId, execId, signal } = execution
  return await repeat(execution, async () => {
    const { messages, truncated } = await askRouter(
      http,
      router,
      'TaskExecStdioRead',
      { taskId, execId, offset: 0, fileDescriptor },
      { signal, timeoutMs: leftOf(execution), firstBytes: bytesMax + messageBytesMax },
    )
    const bytes = Buffer.concat(messages.map(({ data }) => data ?? Buffer.alloc(0)))
    return {
      text: bytes.subarray(0, bytesMax).toString('utf8'),
      isCut: truncated || bytes.length > bytesMax,
    }
  })
}

async function waitForEnd(execution: Execution) {
  const { http, router, taskId, execId, signal, clock, endsAtMs } = execution
  while (clock.now() < endsAtMs) {
    const timeoutMs = Math.min(waitMsMax, leftOf(execution))
    const options = { signal, timeoutMs }
    const ask = () => askRouter(http, router, 'TaskExecWait', { taskId, execId }, options)
    try {
      const [end] = (await repeat(execution, ask)).messages
      if (end !== undefined) return readEnd(end)
      throw unreadable(new Error('The command has no end.'))
    } catch (thrown) {
      if (!isTimeout(thrown)) throw thrown
    }
  }
  throw fail('upstream_error', {
    message: 'The provider did not end the command in time. Nothing was charged; try again.',
    data: { reason: 'timeout' },
  })
}

/** The vendor leaves out a code of 0. */
const readEnd = ({ code, signal }: { code?: number | undefined; signal?: number | undefined }) =>
  signal === undefined ? { code: code ?? 0, signal } : { code, signal }

const leftOf = ({ clock, endsAtMs }: Execution) => Math.max(1, endsAtMs - clock.now())

const isTimeout = (thrown: unknown) => reasonOf(thrown) === 'timeout'

/** An exchange that broke off is made again: it reads, and changes nothing. */
async function repeat<Value>({ signal }: Execution, read: () => Promise<Value>): Promise<Value> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await read()
    } catch (thrown) {
      const isBroken = thrown instanceof CallError && thrown.code === 'upstream_error'
      if (!isBroken || isTimeout(thrown) || tries === triesMax || signal.aborted) throw thrown
    }
  }
}
