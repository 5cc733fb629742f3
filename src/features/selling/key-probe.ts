// One harmless call of an import that shows whether a key is accepted.

import { fail } from '#core/errors.ts'
import type { HttpRequest } from '#core/ports.ts'
import { buildRequest } from './operations/request.ts'
import type { SoldApi } from './sold-api.ts'

const noFiles = {
  find: () => Promise.reject(fail('not_found')),
  open: () => Promise.reject(fail('not_found')),
}

/** A GET that needs the key and, if there is one, no parameters. Undefined where no operation is a GET. */
export async function keyProbeOf(sold: SoldApi): Promise<HttpRequest | undefined> {
  if (sold.kind === 'endpoint') {
    const { pathname, search } = new URL(sold.address)
    return { method: 'GET', path: pathname + search, as: 'bytes' }
  }
  const candidates = sold.api.operations.filter(
    ({ method, security }) => method === 'GET' && security !== 'none',
  )
  const isBare = ({ input }: (typeof candidates)[number]) => (input.required ?? []).length === 0
  const chosen = candidates.find(isBare) ?? candidates[0]
  return chosen && (await buildRequest(chosen, chosen.example, noFiles))
}
