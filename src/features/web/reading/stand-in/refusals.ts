// What the stand-ins of this machine say alike: who answers, and what they refuse.
import { fail } from '#core/errors.ts'
import { refusalOf } from '#platform/egress/admit-address.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'

/** The name of this machine in the answers of its stand-ins. */
export const provider = 'embedded'

/** Throws CallError `bad_url` for an address outside the public web. */
export function admitTo(guard: EgressGuard) {
  return ({ url }: { readonly url: string }) => {
    try {
      guard.admit(new URL(url))
    } catch (thrown) {
      throw refusalOf(url, thrown)
    }
  }
}

/** `foreign`: the parameters, or their values, that only the vendor can honour. */
export function refuseForeign(foreign: readonly string[], namespace: string) {
  if (foreign.length === 0) return
  throw fail('provider_not_configured', {
    message: `This gateway reads pages itself here, and cannot do ${foreign.join(', ')}: leave it out, or ask the operator to set ${namespace.toUpperCase()}_API_KEY. Nothing was charged.`,
  })
}

export const unanswered = (url: string) =>
  fail('all_blocked', { message: `No page of ${url} could be read. Nothing was charged.` })
