import { badUrl } from '#core/web-address.ts'
import { type EgressGuard, EgressRefusal, portOf } from './guard.ts'

/** The CallError `bad_url` for an address that the guard refuses; any other error unchanged. */
export function refusalOf(address: string, thrown: unknown): unknown {
  return thrown instanceof EgressRefusal
    ? badUrl(address, `${thrown.message} Send the address of a public web page.`)
    : thrown
}

/** Throws CallError `bad_url` for an address that the guard refuses without looking its name up. */
export function createPlainAddressCheck(guard: EgressGuard): (address: string) => void {
  return (address) => {
    const url = URL.parse(address)
    if (url === null) return
    try {
      guard.admit(url)
    } catch (thrown) {
      throw refusalOf(address, thrown)
    }
  }
}

/**
 * Checks addresses that another program opens from within the operator's network. Unknown names may pass, because they
 * lead nowhere from there either.
 */
export function createAddressCheck(guard: EgressGuard): (address: string) => Promise<void> {
  return async (address) => {
    const url = URL.parse(address)
    if (url === null) return
    try {
      guard.admit(url)
      await guard.resolve(url.hostname, portOf(url))
    } catch (thrown) {
      if (thrown instanceof EgressRefusal && thrown.reason === 'no_address') return
      throw refusalOf(address, thrown)
    }
  }
}
