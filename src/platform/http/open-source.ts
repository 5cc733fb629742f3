// A provider client for a source that the operator has named. The egress guard opens its connections.
import type { Clock, Log, ServiceHttp } from '#core/ports.ts'
import type { SharedState } from '#core/replicas/shared-state.ts'
import { createAddressCheck } from '../egress/admit-address.ts'
import { createDial, createEgressAgent } from '../egress/dial.ts'
import type { EgressGuard } from '../egress/guard.ts'
import { createProviderHttp } from './provider-http.ts'

/** For sources whose limits are unknown. */
const pacing = [{ requests: 10, windowMs: 1_000 }]

export function createSourceOpener(parts: {
  readonly guard: EgressGuard
  readonly userAgent: string
  readonly clock: Clock
  readonly log: Log
  readonly shared: Pick<SharedState, 'turns' | 'records'>
}) {
  const { guard, ...machine } = parts
  const agent = createEgressAgent(createDial(guard))
  const admitAddress = createAddressCheck(guard)
  return {
    open({ endpoint, origin }: { readonly endpoint: string; readonly origin: string }): {
      readonly http: ServiceHttp
      readonly admitAddress: (address: string) => Promise<void>
    } {
      const upstream = { baseUrl: origin, pacing }
      const http = createProviderHttp({ providerId: endpoint, upstream, agent, ...machine })
      return { http, admitAddress }
    },
    close: () => agent.destroy(),
  }
}
