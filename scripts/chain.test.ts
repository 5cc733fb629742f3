import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { shippedPrices } from '#catalog/lib/model-prices.ts'
import { createProviders } from '#catalog/providers.ts'

test('`npm run chain` prints a call that its action accepts', () => {
  const text = readFileSync(path.join(import.meta.dirname, 'chain.ts'), 'utf8')
  const [, service, name, body = ''] = /api\/run\/(\w+)\/(\w+) -J '([^']+)'/.exec(text) ?? []
  const providers = createProviders({ platformActors: {}, prices: shippedPrices })
  const action = providers
    .find(({ id }) => id === service)
    ?.actions.find((candidate) => candidate.name === name)
  expect(action?.input.safeParse(JSON.parse(body))).toMatchObject({ success: true })
})
