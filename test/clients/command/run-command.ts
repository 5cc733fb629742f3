// Runs the command inside the test: its words, what it prints and how it ends.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { callerVerbs, runProgram } from '@tollway/command'
import { onTestFinished } from 'vitest'
import type { UntypedJson } from '#core/replies/untyped-json.ts'

export interface CommandEnd {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  readonly json: UntypedJson
}

export interface CommandOptions {
  readonly environment?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** Whether standard error is a terminal. */
  readonly isTerminal?: boolean
  readonly folder?: string
  readonly signal?: AbortSignal
  /** Called with what is written to standard error. */
  readonly onNote?: (text: string) => void
}

/** A folder without a `data` folder of a gateway, and without stored keys. */
export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-command-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export async function runCommand(
  words: readonly string[],
  options: CommandOptions = {},
): Promise<CommandEnd> {
  const folder = options.folder ?? (await emptyFolder())
  const printed = { stdout: '', stderr: '' }
  const stream = (name: 'stdout' | 'stderr', isTTY: boolean) => ({
    isTTY,
    columns: 80,
    write(chunk: string | Uint8Array) {
      const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('latin1')
      printed[name] += text
      if (name === 'stderr') options.onNote?.(text)
    },
  })
  const code = await runProgram(words, {
    groups: [{ title: 'For callers', verbs: callerVerbs }],
    version: '0.0.0',
    environment: { HOME: folder, ...options.environment },
    stdin: Readable.from(options.stdin === undefined ? [] : [options.stdin]),
    stdout: stream('stdout', false),
    stderr: stream('stderr', options.isTerminal ?? false),
    folder,
    signal: options.signal ?? new AbortController().signal,
  })
  const { stdout, stderr } = printed
  return { code, stdout, stderr, json: words.includes('--json') ? JSON.parse(stdout) : undefined }
}
