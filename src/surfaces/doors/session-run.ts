// POST /api/v1/sessions/{id}/run: a command or code. It is answered when it has ended, or at once with a job, or while
// it runs with events.
import type { FastifyReply } from 'fastify'
import { z } from '#core/action.ts'
import { type Caller, ownerOf } from '#core/caller.ts'
import { toCallError } from '#core/errors.ts'
import { carriedFile, fileFields, inlineBytesMax, orderOf } from '#core/file-transfer/order.ts'
import type { OpenCallerFiles } from '#core/files.ts'
import type { OnOutput } from '#core/session.ts'
import { readIdempotencyKey } from '#runner/idempotency.ts'
import type { SessionRegistry } from '#runner/sessions/registry.ts'
import type { Sessions } from '#runner/sessions/sessions.ts'
import { showTaskResult } from '#runner/sessions/task.ts'
import { errorBody } from './error-body.ts'
import { openEventStream } from './event-stream.ts'
import { readInput } from './input.ts'
import { list, object, objectWith, text } from './shapes.ts'

const commandCharactersMax = 1_000_000
const timeoutSecondsMax = 600
const timeoutSecondsDefault = 60
/** Clients and proxies close connections on which nothing comes for about a minute. */
const keepAliveMs = 15_000
const readerMs = 60_000

export const sessionRunBody = z
  .strictObject({
    command: z.string().min(1).max(commandCharactersMax).optional().describe('A shell command.'),
    code: z.string().min(1).max(commandCharactersMax).optional(),
    language: z
      .enum(['python', 'javascript', 'bash'])
      .optional()
      .describe('Of code. Default: that of the session’s template, python for most.'),
    timeout: z
      .int()
      .min(1)
      .max(timeoutSecondsMax)
      .default(timeoutSecondsDefault)
      .describe('Seconds.'),
    job: z
      .boolean()
      .default(false)
      .describe('Answer at once with a job_id. The action result reads what became of it.'),
    ...fileFields(inlineBytesMax),
  })
  .refine(({ command, code }) => (command === undefined) !== (code === undefined), {
    message: 'Send either command or code',
  })
  .refine(({ command, language }) => command === undefined || language === undefined, {
    message: 'language belongs to code; a command is run by the shell',
  })
  .refine(({ job, collect }) => !job || collect === undefined, {
    message: 'The result of a job holds no files; use save instead of collect',
  })

const { $schema: _, ...carried } = z.toJSONSchema(carriedFile)
export const commandAnswer = objectWith(
  {
    stdout: text,
    stderr: text,
    timed_out: { type: 'boolean' },
    exit_code: { type: ['integer', 'null'] },
  },
  { truncated: { const: true, description: 'The output was cut.' }, files: list(carried) },
)
/** With `job`. */
export const jobAnswer = object({
  job_id: text,
  status: { const: 'running' },
  async: { const: true },
})

export interface SessionRunRequest {
  readonly id: string
  readonly body: unknown
  readonly idempotencyKey: string | undefined
  /** Receives the output while the command runs. */
  readonly onOutput?: OnOutput
}

/** Runs a command or code in a session of the caller. Throws `bad_request`, `not_found`, `session_closed`. */
export type RunInSession = (
  caller: Caller,
  request: SessionRunRequest,
) => Promise<{ readonly answer: object; readonly replayed: boolean }>

export function createSessionRun({
  sessions,
  registry,
  filesOf,
}: {
  sessions: Pick<Sessions, 'run' | 'begin'>
  registry: Pick<SessionRegistry, 'requireCommands'>
  filesOf: OpenCallerFiles
}): RunInSession {
  return async (caller, { id, body, idempotencyKey, onOutput }) => {
    const owner = ownerOf(caller)
    const input = readInput(sessionRunBody, body)
    await registry.requireCommands(owner, id)
    const { command, code, language, timeout, job } = input
    const order = orderOf(input)
    const timeoutMs = timeout * 1_000
    const program = command === undefined ? { code: code ?? '', language } : { command }
    const store = filesOf(caller, undefined)
    const transfer = order && { order, caller, store, bytesMax: inlineBytesMax }
    const task = { ...program, timeoutMs, ...(transfer && { transfer }) }
    const key = readIdempotencyKey(idempotencyKey)
    if (job) {
      const { jobId, isRepeated } = await sessions.begin(owner, id, task, key)
      return { answer: { job_id: jobId, status: 'running', async: true }, replayed: isRepeated }
    }
    const { replayed, ...result } = await sessions.run(owner, id, { ...task, onOutput }, key)
    return { answer: showTaskResult(result), replayed: replayed === true }
  }
}

/**
 * Sends `stdout` and `stderr` while the command runs, and at its end `result` with the answer, or `error` with the
 * error body. What fails before the first event is an ordinary error. A client that leaves does not end the command.
 */
export async function streamSessionRun(
  reply: FastifyReply,
  run: (onOutput: OnOutput) => ReturnType<RunInSession>,
): Promise<void> {
  let stream: ReturnType<typeof openEventStream> | undefined
  const send = (text: string) => {
    stream ??= openEventStream(reply, { readerMs })
    if (!stream.destroyed) stream.write(text)
  }
  const event = (name: string, data: object) =>
    send(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() }
  const keepAlive = setInterval(() => send(': the command runs\n\n'), keepAliveMs)
  try {
    const { answer } = await run((name, part) => {
      const text = decoders[name].decode(part, { stream: true })
      if (text !== '') event(name, { text })
    })
    event('result', answer)
  } catch (thrown) {
    if (stream === undefined) throw thrown
    event('error', errorBody(toCallError(thrown)))
  } finally {
    clearInterval(keepAlive)
  }
  stream?.end()
}
