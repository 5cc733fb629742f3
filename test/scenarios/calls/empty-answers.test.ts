// An empty reply with status 200 is not an answer: the call fails and is free. A purchase keeps its hold, because the
// vendor may have made it.
import { expect, test } from 'vitest'
import { providers } from '#catalog/providers.ts'
import { baseUrlName, credentialNames } from '#core/provider.ts'
import { startGateway, verify } from '#test/harness.ts'
import { shareVendorStub } from '#test/vendor-stub.ts'

const stub = shareVendorStub()
/** Pages and files may be any text, the news and the captures of a page none, and what is free costs nothing. */
const takesAnything =
  /^ns_(resi\/(scrape|markdown)|archive\/(fetch|snapshots)|filings\/(document|entities)|press)/

test('no action charges for an empty object', async () => {
  const asked = providers.filter(({ upstream }) => upstream !== undefined)
  const env = asked.flatMap((provider) => [
    [baseUrlName(provider), `${stub().url}/${provider.upstream?.baseUrl.match(/\{\w+\}/) ?? ''}`],
    ...credentialNames(provider)
      .slice(0, 1)
      .map((name) => [name, 'a-key:a-secret']),
  ])
  const gateway = await startGateway({ env: Object.fromEntries(env) })
  const account = await gateway.account(10_000)
  stub().say({ body: {} })
  const charged: string[] = []
  let reached = 0
  let heldCents = 0
  for (const { id, actions } of asked) {
    for (const { name, mode, example, irrevocable } of actions) {
      const action = `${id}/${name}`
      if (mode === 'job' || takesAnything.test(action)) continue
      const before = stub().asked.length
      const { body } = await account.call(action, example.input)
      if (stub().asked.length > before) reached += 1
      if (body.ok && body.charged_cents > 0) charged.push(action)
      if (irrevocable && body.error === 'outcome_unknown') heldCents += example.cents
    }
  }
  expect(charged).toEqual([])
  expect(reached).toBeGreaterThan(120)
  const availableCents = 10_000 - heldCents
  expect(await account.state()).toMatchObject({ availableCents, heldCents })
  expect(await verify(gateway)).toMatchObject({ ok: true })
})
