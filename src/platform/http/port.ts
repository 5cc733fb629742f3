import type { AddressInfo } from 'node:net'

/** The port of a server that listens on TCP. */
export function portOf(server: { address(): AddressInfo | string | null }): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('It has no port.')
  return address.port
}
