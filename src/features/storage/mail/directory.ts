// Which inbox an address belongs to.
import { domainOf } from '#core/mail-address.ts'
import type { Inbox, MailRows } from './mail-rows.ts'

export interface Directory {
  /** Whether the address is on a domain of this gateway. Others are reached by the relay. */
  isLocal(address: string): boolean
  find(address: string): Promise<Inbox | undefined>
}

/** Every domain must have them. Sources: RFC 5321, section 4.5.1, and RFC 2142. */
const rolesOfOperator = new Set(['postmaster', 'abuse'])

export function createDirectory({
  rows,
  domains,
  postmaster,
}: {
  readonly rows: Pick<MailRows, 'at'>
  readonly domains: readonly string[]
  /** The inbox for mail to the operator. Undefined: such mail is refused. */
  readonly postmaster: string | undefined
}): Directory {
  return {
    isLocal: (address) => domains.includes(domainOf(address)),
    async find(address) {
      const [role = ''] = address.toLowerCase().split('@')
      const isForOperator = rolesOfOperator.has(role) && postmaster !== undefined
      return await rows.at(isForOperator ? postmaster : address)
    },
  }
}
