// Whether mail is set up as it must be, for the operator.
import type { FastifyInstance } from 'fastify'
import type { CheckedDomain } from '#features/storage/mail/dns-check.ts'
import type { MailReport } from '#features/storage/mail/mail.ts'

export interface AdminMail {
  /** Asks the name servers. */
  inspect(): Promise<MailReport>
}

export function addAdminMailRoutes(
  admin: FastifyInstance,
  prefix: string,
  { mail }: { mail: AdminMail },
) {
  admin.get(`${prefix}/mail`, async () => {
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
