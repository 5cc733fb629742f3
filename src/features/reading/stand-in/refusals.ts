// What is refused before anything is held when this machine stands in for a vendor.
import { fail } from '#core/errors.ts'
import { refusalOf } from '#platform/egress/admit-address.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'

/** Throws CallError `bad_url` where an address is not of the public web. */
export function admitTo(guard: EgressGuard) {
  return ({ url }: { readonly url: string }) => {
    try {
      guard.admit(new URL(url))
    } catch (thrown) {
      throw refusalOf(url, thrown)
    }
  }
}

/** `foreign`: the parameters, or values of them, that the vendor alone can honour. */
export function refuseForeign(foreign: readonly string[], namespace: string) {
  if (foreign.length === 0) return
  throw fail('provider_not_configured', {
    message: `This gateway reads pages itself here, and cannot do ${foreign.join(', ')}: leave it out, or ask the operator to set ${namespace.toUpperCase()}_API_KEY. Nothing was charged.`,
  })
}
