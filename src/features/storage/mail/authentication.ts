// Whether a mail comes from where it says: SPF, DKIM and DMARC.
import { Resolver } from 'node:dns/promises'
import type { DNSResolver } from 'mailauth'
import { authenticationTimeoutMs, questionTimeoutMs } from './limits.ts'
import type { Authentication } from './message.ts'

/** What a connection tells about the sender. */
export interface Envelope {
  /** Empty for a bounce. */
  readonly sender: string
  readonly ip: string
  readonly helo: string
}

export type CheckSender = (raw: Buffer, envelope: Envelope) => Promise<Authentication>

const undecided: Authentication = { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror' }

export function createAuthentication({
  hostname,
  resolve = askNameServers(),
}: {
  readonly hostname: string
  readonly resolve?: DNSResolver
}): CheckSender {
  return async (raw, { sender, ip, helo }) => {
    const isLate = AbortSignal.timeout(authenticationTimeoutMs)
    const resolver: DNSResolver = async (name, type) => {
      isLate.throwIfAborted()
      return await resolve(name, type)
    }
    // Imported with the first mail: it is a sixteenth of the work of a start.
    const { authenticate } = await import('mailauth')
    // A mail is kept when its sender cannot be checked: the verdict says so.
    const seen = await authenticate(raw, {
      sender,
      ip,
      helo,
      mta: hostname,
      resolver,
      disableArc: true,
      disableBimi: true,
      rejectRsaSha1: true,
    }).catch(() => undefined)
    if (seen === undefined) return undecided
    const signatures = seen.dkim.results.map(({ status }) => status.result)
    return {
      spf: verdictOf(seen.spf),
      dkim: signatures.find((result) => result === 'pass') ?? signatures[0] ?? 'none',
      dmarc: verdictOf(seen.dmarc),
    }
  }
}

const verdictOf = (check: false | { status: { result: string } } | undefined) =>
  check ? check.status.result : 'none'

function askNameServers(): DNSResolver {
  const resolver = new Resolver({ timeout: questionTimeoutMs, tries: 2 })
  return async (name, type) => (await resolver.resolve(name, type)) as string[] | string[][]
}
