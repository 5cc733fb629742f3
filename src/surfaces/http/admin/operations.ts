// What the operator changes: each change is recorded in its own transaction, and carried out once for its
// Idempotency-Key.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ClientBase } from 'pg'
import type { Keys } from '#accounts/keys/keys.ts'
import { z } from '#core/action.ts'
import { isUuid } from '#core/id.ts'
import type { OperatorActions } from '#runner/history/operator-actions.ts'
import type { Once } from '#runner/once.ts'
import { addRoute } from '../../doors/add-route.ts'
import { defineRoute, operatorPrefix } from '../../doors/route.ts'
import { anyObject, list, object, page, text, textOrNull } from '../../doors/shapes.ts'
import { bearerToken } from '../admission.ts'
import { answerOnce } from '../routes/once.ts'
import type { AccountNames } from './account-names.ts'

const actionsPerPageMax = 100

interface Operation {
  /** `account.credit` */
  readonly action: string
  /** The id of what is changed. */
  readonly subject?: string | undefined
  /** What is recorded of it. Default: the body of the request. For bodies with secrets, or large ones. */
  readonly details?: object
}

export interface Operations {
  /** Carries out a change and records it: both or neither. `subjectOf` names what the change has created. */
  perform<Answer extends object>(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: Operation,
    work: (client: ClientBase) => Promise<Answer>,
    subjectOf?: (answer: Answer) => string,
  ): Promise<Answer>
  /** Records what no transaction undoes, such as the end of a browser at its vendor. Called before it is done. */
  announce(request: FastifyRequest, operation: Operation): Promise<void>
}

export interface OperationsDependencies {
  once: Once
  operatorActions: OperatorActions
}

export function createOperations({ once, operatorActions }: OperationsDependencies): Operations {
  return {
    perform: (request, reply, operation, work, subjectOf) =>
      answerOnce({ once, sender: senderOf(request) }, request, reply, async (client) => {
        const answer = await work(client)
        const subject = operation.subject ?? subjectOf?.(answer)
        await operatorActions.record(recordOf(request, { ...operation, subject }), client)
        return answer
      }),
    announce: (request, operation) => operatorActions.record(recordOf(request, operation)),
  }
}

/** An Idempotency-Key belongs to the person who chose it. */
const senderOf = ({ operator }: FastifyRequest) =>
  operator?.person === undefined ? 'operator' : `operator ${operator.person.accountId}`

function recordOf(request: FastifyRequest, { action, subject, details }: Operation) {
  return {
    action,
    subject: subject ?? null,
    details: details ?? (request.body as object | null | undefined) ?? {},
    actor: bearerToken(request) === undefined ? ('sign-in' as const) : ('token' as const),
    person: request.operator?.person,
    address: request.ip,
    requestId: request.id,
  }
}

const auditQuery = z.strictObject({
  action: z.string().max(100).optional(),
  subject: z.string().max(100).optional(),
  operator: z.uuid().optional().describe('The account of a person who operates the gateway.'),
  cursor: z.uuid().optional(),
  limit: z.coerce.number().int().min(1).max(actionsPerPageMax).default(20),
})

export const listOperations = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/audit`,
  who: 'operator',
  summary: 'What operators have changed, newest first.',
  query: auditQuery,
  answer: page({
    actions: list(
      object({
        audit_id: text,
        action: text,
        subject: textOrNull,
        subject_name: {
          ...textOrNull,
          description: 'The present name of the account or key that was changed.',
        },
        subject_of: {
          anyOf: [object({ account_id: text, name: textOrNull }), { type: 'null' }],
          description: 'The account whose key was changed. Null: no key was.',
        },
        details: anyObject,
        actor: { enum: ['token', 'sign-in'] },
        operator: {
          anyOf: [object({ account_id: text, name: text }), { type: 'null' }],
          description: 'The person, under the name of that time. Null: the holder of ADMIN_TOKEN.',
        },
        address: textOrNull,
        request_id: textOrNull,
        created_at: text,
      }),
    ),
  }),
})

export function addAuditRoute(
  admin: FastifyInstance,
  {
    operatorActions,
    accounts,
    keys,
  }: Pick<OperationsDependencies, 'operatorActions'> & {
    accounts: AccountNames
    keys: Pick<Keys, 'names'>
  },
) {
  addRoute(admin, listOperations, async ({ query: { cursor, limit, ...filter } }) => {
    const found = await operatorActions.list({ ...filter, after: cursor, limit: limit + 1 })
    const page = found.slice(0, limit)
    const subjects = page.map(({ subject }) => subject ?? '').filter((each) => isUuid(each))
    const keysChanged = await keys.names(subjects)
    const owners = [...keysChanged.values()].map(({ accountId }) => accountId)
    const names = await accounts.names([...subjects, ...owners])
    const keyOf = (subject: string | null) => {
      const { name, accountId } = keysChanged.get(subject ?? '') ?? {}
      if (name === undefined || accountId === undefined) return { subject_of: null }
      const owner = { account_id: accountId, name: names.get(accountId) ?? null }
      return { subject_name: name, subject_of: owner }
    }
    return {
      actions: page.map(({ id, createdAt, requestId, person, ...action }) => ({
        audit_id: id,
        ...action,
        subject_name: names.get(action.subject ?? '') ?? null,
        ...keyOf(action.subject),
        operator: person === undefined ? null : { account_id: person.accountId, name: person.name },
        request_id: requestId,
        created_at: createdAt,
      })),
      next_cursor: found.length > limit ? (page.at(-1)?.id ?? null) : null,
    }
  })
}
