// /api/v1/admin/operators: the people who operate the gateway.
import type { FastifyInstance } from 'fastify'
import type { ClientBase } from 'pg'
import { readApiKey } from '#accounts/keys/api-key.ts'
import { untilNoLongerTrusted } from '#accounts/keys/authentication.ts'
import type { ListedOperator, Operators } from '#accounts/operators/operators.ts'
import { operatorRoles } from '#accounts/operators/role.ts'
import type { SignIns } from '#accounts/sign-in/sign-ins.ts'
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { addRoute } from '../../doors/add-route.ts'
import { defineRoute, operatorPrefix } from '../../doors/route.ts'
import { integer, list, object, text, textOrNull } from '../../doors/shapes.ts'
import type { Operations } from './operations.ts'

/** An invited person may read their mail a day later. */
const invitationSeconds = 86_400

const noOperator = 'There is no such operator. GET /api/v1/admin/operators lists them.'

const role = z
  .enum(operatorRoles)
  .describe(
    'viewer reads. support also gives and takes credit up to CONFIRM_ABOVE_CENTS, freezes accounts, revokes keys and ends what runs. manager also changes all else. owner also decides who operates.',
  )
const newOperator = z.strictObject({ name: z.string().trim().min(1).max(100), role })
const newRole = z.strictObject({ role })

const operatorFields = {
  account_id: text,
  name: text,
  role: { enum: [...operatorRoles] },
  signs_in_by: list({ enum: ['passkey', 'email', 'token'] }),
  last_used_at: textOrNull,
  frozen_at: textOrNull,
  created_at: text,
}
const invitation = object({
  account_id: text,
  operator_token: text,
  sign_in_url: text,
  expires_in_seconds: integer,
})

export const listOperators = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/operators`,
  who: 'operator',
  summary: 'The people who operate this gateway.',
  answer: object({ operators: list(object(operatorFields)) }),
})
export const addOperator = defineRoute({
  method: 'post',
  path: `${operatorPrefix}/operators`,
  who: 'operator',
  role: 'owner',
  summary:
    'Let a person operate this gateway. Only this answer has their token, and the link by which they sign in once.',
  body: newOperator,
  once: true,
  status: 201,
  answer: invitation,
})
export const changeOperator = defineRoute({
  method: 'patch',
  path: `${operatorPrefix}/operators/{id}`,
  who: 'operator',
  role: 'owner',
  summary: 'Change what a person may do. It counts from their next request.',
  ids: { id: noOperator },
  body: newRole,
  once: true,
  answer: object(operatorFields),
  errors: ['not_found'],
})
export const renewOperatorToken = defineRoute({
  method: 'post',
  path: `${operatorPrefix}/operators/{id}/tokens`,
  who: 'operator',
  role: 'owner',
  summary:
    'Give a person another token and link, for example after a loss. Their earlier tokens end; passkeys and mail stay.',
  ids: { id: noOperator },
  once: true,
  status: 201,
  answer: invitation,
  errors: ['not_found'],
})
export const removeOperator = defineRoute({
  method: 'delete',
  path: `${operatorPrefix}/operators/{id}`,
  who: 'operator',
  role: 'owner',
  summary:
    'A person operates no longer, from their next request on. Their account stays, as that of a caller.',
  ids: { id: noOperator },
  answer: object({ account_id: text, removed: { const: true } }),
  errors: ['not_found'],
})

interface Dependencies {
  readonly operators: Operators
  readonly signIns: Pick<SignIns, 'issueLink'>
  readonly baseUrl: () => string
  readonly operations: Operations
}

export function addOperatorRoutes(admin: FastifyInstance, dependencies: Dependencies) {
  const { operators, operations } = dependencies
  const invite = createInvitation(dependencies)

  addRoute(admin, listOperators, async () => ({
    operators: (await operators.list()).map(showOperator),
  }))

  addRoute(admin, addOperator, async ({ request, body }, reply) =>
    operations.perform(
      request,
      reply,
      { action: 'operator.add' },
      async (client) => await invite(await operators.add(body, client), client),
      (made) => made.account_id,
    ),
  )

  addRoute(admin, changeOperator, async ({ request, params: { id }, body }, reply) =>
    operations.perform(
      request,
      reply,
      { action: 'operator.change', subject: id },
      async (client) => {
        if (!(await operators.changeRole(id, body.role, client))) throw noSuchOperator()
        const [changed] = await operators.list(id, client)
        if (changed === undefined) throw noSuchOperator()
        return showOperator(changed)
      },
    ),
  )

  addRoute(admin, renewOperatorToken, async ({ request, params: { id } }, reply) => {
    const operation = { action: 'operator.renew_token', subject: id }
    const answer = await operations.perform(request, reply, operation, async (client) => {
      const token = await operators.renewToken(id, client)
      if (token === undefined) throw noSuchOperator()
      return await invite({ accountId: id, token }, client)
    })
    await untilNoLongerTrusted()
    return answer
  })

  addRoute(admin, removeOperator, async ({ request, params: { id } }, reply) => {
    const operation = { action: 'operator.remove', subject: id }
    const answer = await operations.perform(request, reply, operation, async (client) => {
      if (!(await operators.remove(id, client))) throw noSuchOperator()
      return { account_id: id, removed: true as const }
    })
    await untilNoLongerTrusted()
    return answer
  })
}

function createInvitation({ signIns, baseUrl }: Pick<Dependencies, 'signIns' | 'baseUrl'>) {
  return async (
    { accountId, token }: { readonly accountId: string; readonly token: string },
    client: ClientBase,
  ) => {
    const rights = { isOperator: false, keyHash: readApiKey(token) }
    const link = await signIns.issueLink(rights, invitationSeconds, { client })
    return {
      account_id: accountId,
      operator_token: token,
      sign_in_url: `${baseUrl()}/sign-in/${link}?next=/console/operator`,
      expires_in_seconds: invitationSeconds,
    }
  }
}

const noSuchOperator = () => fail('not_found', { message: noOperator })

const showOperator = (operator: ListedOperator) => ({
  account_id: operator.accountId,
  name: operator.name,
  role: operator.role,
  signs_in_by: operator.signsInBy,
  last_used_at: operator.lastUsedAt,
  frozen_at: operator.frozenAt,
  created_at: operator.createdAt,
})
