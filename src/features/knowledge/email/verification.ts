// Checks an e-mail address without a vendor. It asks name servers and lists but never a mailbox, so it can show that an
// address does not work, but not that it does.
import { isDisposableEmailDomain } from 'disposable-email-domains-js'
import roleNames from 'role-based-email-addresses'
import type { RunContext } from '#core/action.ts'
import type { StandIns } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { createMailServerLookup, type LookUpMailServers } from './mail-servers.ts'

/** The source that answers of this machine name. */
export const localProvider = 'embedded'

interface Findings {
  readonly disposable: boolean
  readonly role: boolean
  /** Whether the domain accepts mail. */
  readonly receives: boolean
  readonly servers: readonly string[]
}

const roles = new Set(roleNames)

type Context = RunContext<{ readonly email: string }>

async function examine(email: string, lookUp: LookUpMailServers): Promise<Findings> {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1).toLowerCase()
  const role = roles.has(email.slice(0, at).toLowerCase())
  const disposable = isDisposableEmailDomain(domain)
  if (disposable) return { disposable, role, receives: true, servers: [] }
  const found = await lookUp(domain)
  if (found.verdict === 'accepts') {
    return { disposable, role, receives: true, servers: found.servers }
  }
  if (found.verdict === 'refuses') return { disposable, role, receives: false, servers: [] }
  throw fail('upstream_error', {
    message: 'The name servers did not answer for this domain. Nothing was charged; try again.',
  })
}

function statusOf({ disposable, receives }: Findings) {
  if (disposable) return 'disposable'
  return receives ? 'unknown' : 'invalid'
}

/** Stand-ins for vendors' actions without a key, by `service/action`. */
export function createEmailVerification(
  lookUp: LookUpMailServers = createMailServerLookup(),
): StandIns {
  const plain = async ({ input }: Context) => ({
    status: statusOf(await examine(input.email, lookUp)),
    provider: localProvider,
  })
  const detailed = async ({ input }: Context) => {
    const findings = await examine(input.email, lookUp)
    return {
      email: {
        email: input.email,
        result: findings.receives ? 'risky' : 'undeliverable',
        status: statusOf(findings),
        score: null,
        regex: true,
        mx: { records: findings.servers },
        smtp_check: null,
        accept_all: null,
        disposable: findings.disposable,
        role: findings.role,
        webmail: null,
      },
      provider: localProvider,
    }
  }
  return new Map([
    ['ns_contact/email-verify', { run: plain, check: () => {} }],
    ['ns_email_a/email-verifier', { run: detailed, check: () => {} }],
  ])
}
