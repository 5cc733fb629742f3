import { expect, test } from 'vitest'
import { defineRail } from '#money/rails/definition.ts'
import { systemClock } from '#platform/clock.ts'
import { definePlugin, railsOf } from './plugin.ts'

test('a rail of a plugin cannot ask for a secret of the gateway, or of another plugin', async () => {
  const asked: string[] = []
  const rail = defineRail({
    id: 'cash',
    title: 'Cash',
    settings: {},
    requires: [],
    payments: [],
    requestHeaders: [],
    responseHeaders: [],
    async open({ secret }) {
      await secret('status-url-key')
      return undefined
    },
  })
  const plugins = ['till', 'purse'].map((id) => definePlugin({ id, rails: [rail] }))
  const secret = async (name: string) => String(asked.push(name))
  for (const opened of plugins.flatMap(railsOf))
    await opened.open({ secret, clock: systemClock } as never)
  expect(asked).toEqual(['plugin till: status-url-key', 'plugin purse: status-url-key'])
})
