// Two gateways of one database, with models, pages and accounts for the callers of both.
import type { AtEnd } from '#test/database.ts'
import { startMortalGateway } from '../mortal-gateway.ts'
import { openAccounts, serveCallees } from './callees.ts'

export async function startTwoGateways(database: Readonly<Record<string, string>>, atEnd: AtEnd) {
  const { siteUrl, worked, env: callees } = await serveCallees(atEnd)
  const env = { ...database, ...callees, STARTER_ACCOUNT: 'off' }
  const one = await startMortalGateway(env, atEnd)
  const two = await startMortalGateway(env, atEnd)
  const keys = await openAccounts(one)
  const placeAt = async (gateway: typeof one) => ({
    url: await gateway.url(),
    siteUrl,
    keys,
  })
  return {
    two,
    keys,
    worked,
    place: () => placeAt(one),
    places: async () => [await placeAt(one), await placeAt(two)] as const,
    expectBooksRight: one.expectBooksRight,
  }
}
