// The way to a source that the operator has named: a provider's client whose connections the egress guard opens.
import type { Clock, Log, ServiceHttp } from '#core/ports.ts'
import { createAddressCheck } from '../egress/admit-address.ts'
import { createDial, createEgressAgent } from '../egress/dial.ts'
import type { EgressGuard } from '../egress/guard.ts'
import { createProviderHttp } from './provider-http.ts'

/** A source of which nothing is known is asked no more often. */
const courtesy = [{ requests: 10, windowMs: 1_000 }]

export function createSourceOpener(parts: {
  readonly guard: EgressGuard
  readonly userAgent: string
  readonly clock: Clock
  readonly log: Log
}) {
  const { guard, ...machine } = parts
  const agent = createEgressAgent(createDial(guard))
  const admitAddress = createAddressCheck(guard)
  return {
    open({ endpoint, origin }: { readonly endpoint: string; readonly origin: string }): {
      readonly http: ServiceHttp
      readonly admitAddress: (address: string) => Promise<void>
    } {
      const upstream = { baseUrl: origin, courtesy }
      const http = createProviderHttp({ providerId: endpoint, upstream, agent, ...machine })
      return { http, admitAddress }
    },
    close: () => agent.destroy(),
  }
}
