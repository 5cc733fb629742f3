import { z } from '#core/action.ts'
import { carriedFile } from '#core/file-transfer/order.ts'
import { sessionRunBody } from '../http/routes/session-run.ts'
import { sessionsQuery } from '../http/routes/sessions.ts'
import {
  anyObject,
  type Described,
  integer,
  list,
  type Method,
  object,
  objectWith,
  text,
  textOrNull,
} from './described.ts'

export const sessionFields = {
  session_id: text,
  action: text,
  status: { enum: ['opening', 'open', 'suspended', 'closed'] },
  cost_cents: integer,
  cost_usd: text,
  charged_cents: integer,
  charged_usd: text,
  held_cents: integer,
  held_usd: text,
  used_seconds: anyObject,
  created_at: text,
  last_used_at: textOrNull,
  ended_at: textOrNull,
}
export const sessionExtras = {
  close_reason: { ...text, description: 'Why it was closed.' },
}
export const session = objectWith(sessionFields, sessionExtras)

const { $schema: _, ...carried } = z.toJSONSchema(carriedFile)
const commandAnswer = objectWith(
  {
    stdout: text,
    stderr: text,
    timed_out: { type: 'boolean' },
    exit_code: { type: ['integer', 'null'] },
  },
  { truncated: { const: true, description: 'The output was cut.' }, files: list(carried) },
)
/** With `job`. */
const jobAnswer = object({ job_id: text, status: { const: 'running' }, async: { const: true } })

export const sessionRoutes: Record<string, Partial<Record<Method, Described>>> = {
  '/api/v1/sessions': {
    get: {
      summary: 'The sessions and rented browsers of the account, newest first.',
      security: 'apiKey',
      query: sessionsQuery,
      answer: object({ sessions: list(session), next_cursor: textOrNull }),
      errors: ['bad_request'],
    },
  },
  '/api/v1/sessions/{id}': {
    get: {
      summary: 'One session with its use and its cost so far.',
      security: 'apiKey',
      answer: session,
      errors: ['not_found'],
    },
    delete: {
      summary:
        'Close a session: its use is charged, and the rest of its hold released. A browser is released. Repeating it changes nothing.',
      security: 'apiKey',
      answer: session,
      errors: ['not_found'],
    },
  },
  '/api/v1/sessions/{id}/run': {
    post: {
      summary: 'Run a shell command or code in a session, with files before and after it.',
      security: 'apiKey',
      body: sessionRunBody,
      once: true,
      answer: { anyOf: [commandAnswer, jobAnswer] },
      events:
        'stdout and stderr with {text} while the command runs, then result with the answer, or error with the error body.',
      errors: [
        'bad_request',
        'not_found',
        'payload_too_large',
        'file_pending',
        'session_closed',
        'idempotency_key_reused',
        'too_many_inflight',
        'session_elsewhere',
      ],
    },
  },
}
