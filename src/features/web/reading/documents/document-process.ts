// Documents are hostile: each is read by a process of its own, whose memory and time the kernel limits. It may read the
// gateway's code and nothing else of the disk, and is given no settings.
import type { ChildProcessByStdio } from 'node:child_process'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { startClosed } from '#platform/sandbox/closed-start.ts'
import type { DocumentBegun, DocumentMessage, DocumentTask } from './messages.ts'

export interface DocumentLimits {
  readonly memoryBytesMax: number
  readonly cpuSecondsMax: number
  readonly wallMs: number
}

/**
 * Processor time ends a long document, so that a busy machine reads as many pages of it as an idle one. The wall ends
 * what waits, and a machine on which a process gets less than a quarter of a core.
 */
export const documentLimits: DocumentLimits = {
  memoryBytesMax: 1_500_000_000,
  cpuSecondsMax: 40,
  wallMs: 160_000,
}

/** A page of an answer is far shorter. */
const lineBytesMax = 16_000_000
const answerBytesMax = 60_000_000
const heapMb = 768

export interface DocumentReading {
  readonly bytes: Buffer
  readonly task: DocumentTask
  readonly signal: AbortSignal
  readonly limits?: DocumentLimits
}

/** The process ended, or could not be started, before it looked at the document. */
export class NotBegun extends Error {
  override readonly name = 'NotBegun'
}

/**
 * The messages of the process after `begun`. Throws NotBegun. Without `end` or `failure` at its end, the document took
 * more than its limits.
 */
export async function* readInProcess(reading: DocumentReading): AsyncGenerator<DocumentMessage> {
  const { bytes, task, signal, limits = documentLimits } = reading
  const child = start(task, limits)
  const ended = new Promise<string>((resolve) => {
    child.once('error', ({ message }) => resolve(message))
    child.once('close', (code, by) => resolve(`It ended with ${by ?? `code ${code}`}.`))
  })
  const kill = () => {
    // Its group, since it may have started Tesseract.
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGKILL')
  }
  const stop = AbortSignal.any([signal, AbortSignal.timeout(limits.wallMs)])
  stop.addEventListener('abort', kill, { once: true })
  if (stop.aborted) kill()
  // It may end before it has read everything.
  child.stdin.on('error', () => {})
  child.stdin.end(bytes)
  try {
    let hasBegun = false
    for await (const line of linesOf(child.stdout)) {
      const message: DocumentMessage | DocumentBegun = JSON.parse(line)
      if (message.kind === 'begun') hasBegun = true
      else yield message
    }
    signal.throwIfAborted()
    if (!hasBegun) throw new NotBegun(await ended)
  } finally {
    stop.removeEventListener('abort', kill)
    kill()
  }
}

const { resolve } = createRequire(import.meta.url)
const codeFolder = fileURLToPath(new URL('../../../../', import.meta.url))
const readable = [
  codeFolder,
  path.join(codeFolder, '../reader/'),
  path.join(codeFolder, '../package.json'),
  // Where the packed gateway has the packages that it contains. A clone has no such folder.
  path.join(codeFolder, '../packages/'),
  // The folders of packages. The packed gateway contains pdf.js, and its other packages lie beside it.
  ...['pdfjs-dist', 'yauzl'].map((name) => path.join(resolve(`${name}/package.json`), '../..')),
]

/** A shell sets the limits, of kilobytes and seconds, and becomes the process. */
const script = 'ulimit -d "$1"; ulimit -t "$2"; shift 2; exec "$@"'

function start(task: DocumentTask, { memoryBytesMax, cpuSecondsMax }: DocumentLimits) {
  const node = [
    process.execPath,
    '--permission',
    ...readable.map((place) => `--allow-fs-read=${place}`),
    ...(task.tesseract === undefined ? [] : ['--allow-child-process']),
    '--disallow-code-generation-from-strings',
    '--no-warnings',
    `--max-old-space-size=${heapMb}`,
    fileURLToPath(new URL('./document-worker.ts', import.meta.url)),
    JSON.stringify(task),
  ]
  const limits = [String(Math.floor(memoryBytesMax / 1_024)), String(cpuSecondsMax)]
  const command = ['/bin/sh', '-c', script, 'sh', ...limits, ...node]
  const child = startClosed(command, ['pipe', 'pipe', 'ignore'])
  return child as ChildProcessByStdio<Writable, Readable, null>
}

async function* linesOf(output: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let chunks: Buffer[] = []
  let lineBytes = 0
  let bytes = 0
  for await (const chunk of output) {
    bytes += chunk.length
    let rest = chunk
    for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n')) {
      yield Buffer.concat([...chunks, rest.subarray(0, end)]).toString()
      chunks = []
      lineBytes = 0
      rest = rest.subarray(end + 1)
    }
    chunks.push(rest)
    lineBytes += rest.length
    if (lineBytes > lineBytesMax || bytes > answerBytesMax) return
  }
}
