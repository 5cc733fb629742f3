// Whether mail is set up as it must be, for the operator.
import type { FastifyInstance } from 'fastify'
import type { CheckedDomain } from '#features/storage/mail/dns-check.ts'
import type { MailReport } from '#features/storage/mail/mail.ts'
import { addRoute } from '../../doors/add-route.ts'
import { defineRoute, operatorPrefix } from '../../doors/route.ts'
import { anyObject } from '../../doors/shapes.ts'

export interface AdminMail {
  /** Asks the name servers. */
  inspect(): Promise<MailReport>
}

export const readMailState = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/mail`,
  who: 'operator',
  summary: 'Whether mail is set up as it must be.',
  answer: anyObject,
})

export function addAdminMailRoutes(admin: FastifyInstance, { mail }: { mail: AdminMail }) {
  addRoute(admin, readMailState, async () => {
    const { domains, postmaster = null, ...rest } = await mail.inspect()
    return {
      ok: domains.length > 0 && domains.every(isRight),
      ...rest,
      postmaster,
      domains: domains.map((each) => ({ ...each, ok: isRight(each) })),
    }
  })
}

const isRight = ({ records }: CheckedDomain) => records.every(({ status }) => status === 'ok')
