// Tools for what a caller has: a balance, and sessions that stay open between calls.
import { z } from '#core/action.ts'
import { type Caller, ownerOf } from '#core/caller.ts'
import type { SessionRegistry } from '#runner/sessions/registry.ts'
import type { RunInSession } from '../../doors/session-run.ts'
import { showSession } from '../../doors/show-session.ts'
import { freeAnswer } from '../envelope.ts'
import { idempotencyKey } from './fields.ts'
import { acts, defineTool, readsOnly, type Tool } from './tool.ts'

const sessionId = z.string().describe('From create_session.')

interface Dependencies {
  registry: Pick<SessionRegistry, 'close'>
  runInSession: RunInSession
  /** What the caller has. */
  describeAccount: (caller: Caller) => Promise<object>
}

export function createOwningTools(dependencies: Dependencies): readonly Tool[] {
  const { registry, runInSession, describeAccount } = dependencies
  return [
    defineTool({
      name: 'session',
      title: 'Use a session',
      description:
        'Run a shell command or code in an open session, which run of a create_session action has opened. Charged by time while it is open: close it when done.',
      annotations: acts,
      input: z.strictObject({
        session_id: sessionId,
        command: z.string().optional().describe('Shell. Or send code.'),
        code: z.string().optional(),
        language: z
          .enum(['python', 'javascript', 'bash'])
          .optional()
          .describe('Default: that of the session’s template, python for most.'),
        timeout: z.int().optional().describe('Seconds, default 60.'),
        job: z.boolean().optional().describe('Answer at once with a job_id for result.'),
        idempotency_key: idempotencyKey,
      }),
      async run({ session_id, idempotency_key, ...program }, call) {
        const caller = await call.owner()
        const { answer } = await runInSession(caller, {
          id: session_id,
          body: program,
          idempotencyKey: idempotency_key,
        })
        return freeAnswer(answer)
      },
    }),
    defineTool({
      name: 'close',
      title: 'Close a session',
      description: 'Close a session and settle its price. Its files and processes are gone.',
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: true,
        openWorldHint: false,
      },
      input: z.strictObject({ session_id: sessionId }),
      async run({ session_id }, call) {
        const owner = ownerOf(await call.owner())
        return freeAnswer(showSession(await registry.close(owner, session_id)))
      },
    }),
    defineTool({
      name: 'account',
      title: 'Read the account',
      description:
        'Read balance, holds, limits and what is left of them, running jobs and open sessions, and where to top up. Free.',
      annotations: readsOnly,
      input: z.strictObject({}),
      data: { type: 'object', properties: { account_id: { type: 'string' } } },
      async run(_input, call) {
        const account = await describeAccount(await call.owner())
        return freeAnswer({ ...account, top_up: 'POST /api/v1/topups' })
      },
    }),
  ]
}
