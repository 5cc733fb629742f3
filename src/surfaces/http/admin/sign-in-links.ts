// A link by which a person signs in as the operator, once.
import type { FastifyInstance } from 'fastify'
import type { SignIns } from '#accounts/sign-in/sign-ins.ts'
import { addRoute } from '../../doors/add-route.ts'
import { defineRoute, operatorPrefix } from '../../doors/route.ts'
import { integer, object, text } from '../../doors/shapes.ts'
import type { Operations } from './operations.ts'

const linkLifetimeSeconds = 3_600

export const createSignInLink = defineRoute({
  method: 'post',
  path: `${operatorPrefix}/sign-in-links`,
  who: 'operator',
  role: 'owner',
  summary: 'A link that signs a browser in as the holder of ADMIN_TOKEN, once.',
  status: 201,
  answer: object({ url: text, expires_in_seconds: integer }),
})

export function addSignInLinkRoute(
  admin: FastifyInstance,
  {
    signIns,
    baseUrl,
    operations,
  }: { signIns: SignIns; baseUrl: () => string; operations: Operations },
) {
  addRoute(admin, createSignInLink, async ({ request }, reply) => {
    await operations.announce(request, { action: 'sign_in_link.create' })
    const link = await signIns.issueLink({ isOperator: true }, linkLifetimeSeconds)
    reply.header('cache-control', 'no-store')
    return {
      url: `${baseUrl()}/sign-in/${link}`,
      expires_in_seconds: linkLifetimeSeconds,
    }
  })
}
