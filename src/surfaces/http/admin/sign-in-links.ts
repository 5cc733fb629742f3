// A link by which a person signs in as the operator, once.
import type { FastifyInstance } from 'fastify'
import type { SignIns } from '#accounts/sign-in/sign-ins.ts'

const linkLifetimeSeconds = 3_600

export function addSignInLinkRoute(
  admin: FastifyInstance,
  prefix: string,
  { signIns, baseUrl }: { signIns: SignIns; baseUrl: () => string },
) {
  admin.post(`${prefix}/sign-in-links`, async (_request, reply) => {
    const link = await signIns.issueLink({ isOperator: true }, linkLifetimeSeconds)
    reply.code(201).header('cache-control', 'no-store')
    return {
      url: `${baseUrl()}/sign-in/${link}`,
      expires_in_seconds: linkLifetimeSeconds,
    }
  })
}
