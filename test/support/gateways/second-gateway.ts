// A second gateway of a database, behind the public address of the first, as replicas behind a load balancer are.
import type { AtEnd } from '../database.ts'
import { type Gateway, startGateway } from '../harness.ts'
import { findFreePort } from './free-port.ts'

/** `url` is where it listens. It takes `publicUrl` for its own address. */
export async function startSecondGateway(
  { url: firstUrl, databaseUrl }: Gateway,
  publicUrl = firstUrl,
  atEnd?: AtEnd,
): Promise<Pick<Gateway, 'url' | 'request' | 'call'>> {
  const port = await findFreePort()
  const env = { PORT: String(port), PUBLIC_BASE_URL: publicUrl }
  const { request } = await startGateway({ databaseUrl, env }, atEnd)
  const url = `http://127.0.0.1:${port}`
  const here: Gateway['request'] = (method, path, options) => request(method, url + path, options)
  return {
    url,
    request: here,
    call: (action, body, options = {}) => here('POST', `/api/run/${action}`, { ...options, body }),
  }
}
