// Answers the requests of `git clone`, `fetch` and `push` by `git http-backend`. Bodies flow through in both
// directions.
import { Readable, type Writable } from 'node:stream'
import { CallError, fail } from '#core/errors.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { RunningProgram, StreamedCommand } from '#platform/sandbox/bubblewrap.ts'
import type { Sandbox } from '#platform/sandbox/sandbox.ts'
import { createTurnstile } from '#platform/turnstile.ts'
import type { Scope } from './access-tokens.ts'
import { type CgiHead, readCgiHead } from './cgi-head.ts'
import { type Folders, gitEnvironment, inTurn, turnTakenCode } from './folders.ts'
import {
  accountAtOnceMax,
  accountWaitingMax,
  commandBytesMax,
  fetchBytesMax,
  gitAtOnceMax,
  gitLimits,
  gitWaitingMax,
  pushesWaitingMax,
  silenceMsMax,
} from './limits.ts'
import { createLines } from './lines.ts'
import { createPatience, type Patience } from './patience.ts'
import { createCommandLimit } from './push-commands.ts'
import type { RepositoryRow, RepositoryRows } from './repository-rows.ts'

export type GitService = 'git-upload-pack' | 'git-receive-pack'

export interface GitRequest {
  readonly repository: RepositoryRow
  readonly scope: Scope
  readonly service: GitService
  /** Undefined for the list of branches and tags that comes first. */
  readonly body: Readable | undefined
  readonly contentType: string | undefined
  readonly contentEncoding: string | undefined
  readonly protocol: string | undefined
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
}

export interface GitReply extends CgiHead {
  readonly body: Readable
}

export interface Quotas {
  readonly repositoryBytes: number
  readonly accountBytes: number
}

interface Dependencies {
  readonly sandbox: Sandbox
  readonly folders: Folders
  readonly rows: RepositoryRows
  readonly clock: Clock
  readonly log: Log
  readonly quotas: Quotas
}

/** Answers a request. Throws CallError before the answer has begun. */
export type AnswerGit = (request: GitRequest) => Promise<GitReply>

const busyMessage = 'The gateway works on too many requests of Git. Try again in a minute.'

export function createGitRequests(dependencies: Dependencies): {
  answer: AnswerGit
  /** Measures what a push has left. Resolves to whether it was this gateway's turn. */
  measure: (id: string) => Promise<boolean>
} {
  const { sandbox, folders, rows, clock, log } = dependencies
  const places = createTurnstile({ insideMax: gitAtOnceMax, waitingMax: gitWaitingMax })
  const accounts = createLines({ insideMax: accountAtOnceMax, waitingMax: accountWaitingMax })
  const pushes = createLines({ insideMax: 1, waitingMax: pushesWaitingMax })

  async function measure(id: string): Promise<boolean> {
    const bytes = await folders.tidy(id)
    if (bytes === undefined) return false
    await rows.endPush(id, bytes, new Date(clock.now()))
    return true
  }

  async function begin(request: GitRequest, isPush: boolean): Promise<Begun> {
    const leaves: (() => void)[] = []
    const leave = () => {
      for (const each of leaves.splice(0)) each()
    }
    const { signal, repository } = request
    try {
      if (isPush) leaves.push(await enter(pushes.enter(repository.accountId, signal)))
      leaves.push(await enter(accounts.enter(repository.accountId, signal)))
      leaves.push(await enter(places.enter(signal)))
      const running = await sandbox.start(await commandFor(dependencies, request, isPush))
      return { running, leave }
    } catch (thrown) {
      leave()
      throw thrown
    }
  }

  /** Gives the places back when the program has ended, after measuring what a push has left. */
  async function settle({ running, leave }: Begun, id: string | undefined) {
    await running.ended.catch(() => {})
    if (id !== undefined)
      await measure(id).catch((error) =>
        log.warn({ err: error }, 'A repository will be measured later.'),
      )
    leave()
  }

  return {
    measure,
    async answer(request) {
      const isPush = request.service === 'git-receive-pack' && request.body !== undefined
      const patience = createPatience(silenceMsMax)
      const stop = AbortSignal.any([
        ...[request.signal, patience.signal],
        AbortSignal.timeout(gitLimits.wallMs),
      ])
      const begun = await begin({ ...request, signal: stop }, isPush)
      const { output } = begun.running
      // A program ends only when its output was read, and a client that has gone reads nothing.
      stop.addEventListener('abort', () => output.destroy(), { once: true })
      const fed = feed(begun.running, request, patience)
      const settled = settle(begun, isPush ? request.repository.id : undefined)
      const { head, chunks } = await readReply(begun.running, { fed, settled })
      const body = Readable.from(patience.sending(chunks), { objectMode: false })
      stop.addEventListener('abort', () => body.destroy(), { once: true })
      if (stop.aborted) body.destroy()
      return { ...head, body }
    },
  }
}

interface Begun {
  readonly running: RunningProgram
  readonly leave: () => void
}

async function commandFor(
  { folders, rows, quotas }: Dependencies,
  request: GitRequest,
  isPush: boolean,
): Promise<StreamedCommand> {
  const { repository, signal } = request
  const room = isPush ? await roomFor({ rows, quotas }, repository) : undefined
  return {
    ...(room === undefined
      ? { program: '/usr/bin/git', args: ['http-backend'] }
      : { program: '/usr/bin/flock', args: inTurn('exec git http-backend') }),
    folder: folders.place(repository.id),
    mayWrite: isPush,
    environment: environmentOf(request, room ?? 1),
    limits: { ...gitLimits, fileBytes: quotas.repositoryBytes },
    signal,
  }
}

/** The largest pack that fits into the quotas. At least one byte, because Git takes none for no limit. */
async function roomFor(
  { rows, quotas }: Pick<Dependencies, 'rows' | 'quotas'>,
  { id, bytes }: RepositoryRow,
): Promise<number> {
  const { repositoryBytes, accountBytes } = quotas
  const used = await rows.beginPush(id)
  return Math.max(1, Math.min(repositoryBytes - bytes, accountBytes - used))
}

async function enter(entered: Promise<() => void>) {
  return await entered.catch((cause) => {
    throw fail('unavailable', { message: busyMessage, retryAfterSeconds: 60, cause })
  })
}

async function readReply(
  { output, ended }: RunningProgram,
  { fed, settled }: { fed: Promise<CallError | undefined>; settled: Promise<void> },
): Promise<{ head: CgiHead; chunks: AsyncGenerator<Buffer> }> {
  const chunks = output[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const answered = await readCgiHead(chunks)
  if (answered === undefined) {
    const { exitCode, errors } = await ended
    if (exitCode === turnTakenCode)
      throw fail('unavailable', {
        message: 'Another push to this repository is running. Push again when it has ended.',
        retryAfterSeconds: 5,
      })
    throw new Error(`git http-backend answered nothing: ${errors}`)
  }
  const { head, rest } = answered
  async function* body() {
    if (rest.length > 0) yield rest
    for (;;) {
      const { value, done } = await chunks.next()
      if (done) break
      yield value
    }
    const refusal = await fed
    if (refusal !== undefined) yield fatalPacket(refusal.message)
    // The client reads the end of a push only after the repository was measured.
    await settled
  }
  return { head, chunks: body() }
}

/** A message that `git push` shows before it fails. Source: gitprotocol-common, side-band 3. */
function fatalPacket(message: string): Buffer {
  const content = Buffer.from(`\u0003${message}\n`)
  const length = (content.length + 4).toString(16).padStart(4, '0')
  return Buffer.concat([Buffer.from(length), content])
}

/**
 * Sends the body to the program. Resolves to an error if the body was refused on its way. The rest of a body that Git
 * does not read is dropped: a client that is still sending does not read the answer.
 */
async function feed(
  { input }: RunningProgram,
  { body, service }: GitRequest,
  patience: Patience,
): Promise<CallError | undefined> {
  // Git may answer and end before it has read everything, which is not an error.
  input.on('error', () => {})
  const isWithin = service === 'git-receive-pack' ? createCommandLimit(commandBytesMax) : () => true
  let refusal: CallError | undefined
  try {
    for await (const chunk of body === undefined ? [] : patience.receiving(body)) {
      if (refusal !== undefined || input.destroyed) continue
      if (!isWithin(chunk)) {
        refusal = tooManyCommands()
        input.end()
      } else if (!input.write(chunk)) await untilWritable(input)
    }
  } catch (thrown) {
    refusal = thrown instanceof CallError ? thrown : undefined
  }
  input.end()
  return refusal
}

const tooManyCommands = () =>
  fail('payload_too_large', {
    message:
      'The push changes too many branches and tags at once. Push them in parts of a few thousand.',
  })

/** Resolves when the stream takes more, or has been closed. */
function untilWritable(input: Writable): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      input.off('drain', end)
      input.off('close', end)
      resolve()
    }
    input.once('drain', end)
    input.once('close', end)
  })
}

function environmentOf(request: GitRequest, packBytesMax: number): Record<string, string> {
  const { body, service, scope, contentType, contentEncoding, protocol } = request
  return {
    ...gitEnvironment({
      'http.getanyfile': 'false',
      'http.uploadpack': 'true',
      'http.receivepack': String(scope === 'write'),
      'receive.maxInputSize': String(packBytesMax),
      'receive.autogc': 'false',
      'receive.unpackLimit': '1',
      'receive.fsckObjects': 'true',
      ...toleratedFlaws,
      // The next branch then takes its place.
      'receive.denyDeleteCurrent': 'ignore',
      'uploadpack.allowFilter': 'true',
      // It reads a blob of the repository as a list of patterns, for every path.
      'uploadpackfilter.sparse:oid.allow': 'false',
    }),
    GIT_PROJECT_ROOT: '/',
    GIT_HTTP_EXPORT_ALL: '1',
    GIT_HTTP_MAX_REQUEST_BUFFER: String(fetchBytesMax),
    PATH_INFO: body === undefined ? '/work/info/refs' : `/work/${service}`,
    QUERY_STRING: body === undefined ? `service=${service}` : '',
    REQUEST_METHOD: body === undefined ? 'GET' : 'POST',
    REMOTE_USER: 'owner',
    REMOTE_ADDR: '127.0.0.1',
    SERVER_PROTOCOL: 'HTTP/1.1',
    ...(contentType === undefined ? {} : { CONTENT_TYPE: contentType }),
    ...(contentEncoding === undefined ? {} : { HTTP_CONTENT_ENCODING: contentEncoding }),
    ...(protocol === undefined ? {} : { GIT_PROTOCOL: protocol }),
  }
}

/** Old, harmless flaws of well-known repositories, which other hosts of Git take too. */
const toleratedFlaws = {
  'receive.fsck.badTimezone': 'ignore',
  'receive.fsck.missingSpaceBeforeDate': 'ignore',
  'receive.fsck.zeroPaddedFilemode': 'ignore',
} as const
