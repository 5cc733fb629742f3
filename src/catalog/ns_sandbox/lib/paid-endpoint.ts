// The vendor's paid endpoint, which takes our fields and answers with ours.
import { fail } from '#core/errors.ts'
import type { ProviderHttp } from '#core/ports.ts'

/** It answers a creation after about 14 seconds. */
const timeoutMsDefault = 120_000

/** Throws `not_found` for a sandbox that it does not know. */
export async function buy(
  http: ProviderHttp,
  action: 'create' | 'exec' | 'status' | 'terminate',
  input: object,
  timeoutMs = timeoutMsDefault,
) {
  const path = `/sandbox/${action}`
  const { status, body } = await http.send({
    method: 'POST',
    path,
    body: input,
    timeoutMs,
    accept: [404],
  })
  if (status === 404) throw fail('not_found')
  return body
}
