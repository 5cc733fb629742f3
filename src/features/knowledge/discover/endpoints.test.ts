import { expect, test } from 'vitest'
import { shareGatewayOfWorker } from '#test/harness.ts'

const shared = shareGatewayOfWorker()

test('of an action with many sources, the hit shows the one that the question is about', async () => {
  const gateway = shared()
  const asked: readonly (readonly [string, string])[] = [
    ['tide times in Boston', 'tides'],
    ['US national debt', 'us-debt'],
    ['unemployment rate in Germany', 'eu-statistics'],
    ['fed funds rate today', 'us-reference-rates'],
    ['who lobbies for Boeing', 'us-lobbying'],
    ['details of CVE-2021-44228', 'vulnerabilities'],
    ['public tenders for satellites in Europe', 'eu-tenders'],
    ['weather in Oslo tomorrow', 'weather'],
    ['euro dollar exchange rate', 'euro-exchange-rates'],
    ['flood warnings in England', 'uk-floods'],
  ]
  for (const [query, endpoint] of asked) {
    const { body } = await gateway.call('tollway/discover', { query, limit: 3 })
    const [hit] = body.data.hits
    expect([query, hit.service, hit.example.endpoint]).toEqual([query, 'ns_primary', endpoint])
  }
})
