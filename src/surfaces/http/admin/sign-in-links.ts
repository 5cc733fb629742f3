// A link by which a person signs in as the operator, once.
import type { FastifyInstance } from 'fastify'
import type { SignIns } from '#accounts/sign-in/sign-ins.ts'
import type { Operations } from './operations.ts'

const linkLifetimeSeconds = 3_600

export function addSignInLinkRoute(
  admin: FastifyInstance,
  prefix: string,
  {
    signIns,
    baseUrl,
    operations,
  }: { signIns: SignIns; baseUrl: () => string; operations: Operations },
) {
  admin.post(`${prefix}/sign-in-links`, async (request, reply) => {
    await operations.announce(request, { action: 'sign_in_link.create' })
    const link = await signIns.issueLink({ isOperator: true }, linkLifetimeSeconds)
    reply.code(201).header('cache-control', 'no-store')
    return {
      url: `${baseUrl()}/sign-in/${link}`,
      expires_in_seconds: linkLifetimeSeconds,
    }
  })
}
