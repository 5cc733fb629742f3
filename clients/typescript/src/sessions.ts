// Sessions: machines that stay open between calls, and are closed when the caller's block ends.

// Callers compile without this library.
/// <reference lib="esnext.disposable" preserve="true" />

import type { Routes } from './catalog/routes.ts'
import { newIdempotencyKey } from './idempotency.ts'
import type { Transport } from './transport.ts'

/** A shell command, or code. */
export type Program =
  | { readonly command: string }
  | { readonly code: string; readonly language?: 'python' | 'javascript' | 'bash' }

export interface CommandOptions {
  /** Default 60, at most 600. */
  readonly timeoutSeconds?: number
  /** Written before the command starts: base64 in `content`, or a file of the file store. */
  readonly files?: readonly ({ readonly path: string } & (
    | { readonly content: string }
    | { readonly file_id: string }
  ))[]
  /** Paths of files to return in base64. */
  readonly collect?: readonly string[]
  /** Paths of files to put into the file store. */
  readonly save?: readonly string[]
  /** Default: a random one for each command, so that a lost answer does not run it twice. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

/** `exit_code` is null when a signal or the timeout ended the command. */
export type CommandResult = Extract<
  Routes['POST /api/v1/sessions/{id}/run']['answer'],
  { stdout: string }
>
export type SessionState = Routes['GET /api/v1/sessions/{id}']['answer']

/** `await using session = …` closes it when the block ends. */
export interface Session extends AsyncDisposable {
  readonly id: string
  /** A command that fails is a result like any other: look at `exit_code`. Throws `session_closed`. */
  run(program: Program, options?: CommandOptions): Promise<CommandResult>
  read(): Promise<SessionState>
  /** Ends the session, and charges what it used. Repeating it changes nothing. */
  close(): Promise<SessionState>
}

export function openSession(transport: Transport, id: string): Session {
  const at = `/api/v1/sessions/${encodeURIComponent(id)}`
  const state = async (response: Response): Promise<SessionState> => await response.json()
  const close = () => transport.send({ method: 'DELETE', at }, state)
  return {
    id,
    run(program, { timeoutSeconds, idempotencyKey, signal, ...files } = {}) {
      const timeout = timeoutSeconds === undefined ? {} : { timeout: timeoutSeconds }
      return transport.send(
        {
          method: 'POST',
          at: `${at}/run`,
          json: { ...program, ...timeout, ...files },
          idempotencyKey: idempotencyKey ?? newIdempotencyKey(),
          signal,
        },
        async (response): Promise<CommandResult> => await response.json(),
      )
    },
    read: () => transport.send({ method: 'GET', at }, state),
    close,
    [Symbol.asyncDispose]: async () => void (await close()),
  }
}
