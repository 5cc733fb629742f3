// A gateway with keys for the vendors of leads and companies. One strict loopback server stands in for all of them.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll } from 'vitest'
import { type Gateway, shareGateway } from '../harness.ts'
import {
  type Exchange,
  type Fixture,
  type ReplayServer,
  startReplayServer,
} from '../replay-server.ts'

const namespaces = [
  'akta',
  'company',
  'contact',
  'email_a',
  'email_b',
  'enrich',
  'funding',
  'jobs',
  'signals',
] as const

export interface LeadVendors {
  readonly vendor: ReplayServer
  readonly gateway: () => Gateway
}

export async function shareLeadVendors(): Promise<LeadVendors> {
  const vendor = await startReplayServer([])
  afterAll(vendor.close)
  const env = Object.fromEntries(
    namespaces.flatMap((name) => [
      [`NS_${name.toUpperCase()}_API_KEY`, `${name}:secret`],
      [`NS_${name.toUpperCase()}_BASE_URL`, vendor.baseUrlFor('')],
    ]),
  )
  return { vendor, gateway: shareGateway({ env }) }
}

/** The exchanges of an action's fixture, with another reply if the test gives one. */
export function exchangeOf(action: string, reply: Partial<Exchange['reply']> = {}): Exchange {
  const [service = '', name = ''] = action.split('/')
  const file = path.join(
    import.meta.dirname,
    '../../../src/catalog',
    service,
    'fixtures',
    `${name}.json`,
  )
  const { exchanges } = JSON.parse(readFileSync(file, 'utf8')) as Fixture
  const [first] = exchanges as [Exchange]
  const { headers: _headers, ...request } = first.request
  return { request, reply: { ...first.reply, ...reply } }
}
