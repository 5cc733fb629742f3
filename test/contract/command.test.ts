// Every action can be called by the command with its fields as options.
import { callerVerbs, globalOptions } from '@tollway/command'
import { expect, test } from 'vitest'
import { providers } from '#catalog/providers.ts'
import { inputSchemaOf } from '#core/catalog.ts'
import { openOwnActions, ownNamespace } from '#test/own-actions.ts'

const canonical = (name: string) => name.replaceAll(/[-_]/g, '').toLowerCase()

test('no field of an action has the name of an option of the verbs that run actions', async () => {
  const own = openOwnActions()
  const services = [{ id: ownNamespace, actions: own.actions }, ...own.services, ...providers]
  const options = callerVerbs
    .filter(({ takesFields }) => takesFields)
    .flatMap((verb) => Object.keys({ ...verb.options, ...globalOptions }))
  const taken = new Set(options.filter((name) => name !== 'max-cost').map(canonical))
  const hidden = services.flatMap(({ id, actions }) =>
    actions.flatMap((action) => {
      const { properties = {} } = inputSchemaOf(action) as { properties?: object }
      const names = Object.keys(properties).filter((name) => taken.has(canonical(name)))
      return names.map((name) => `${id}/${action.name}: ${name}`)
    }),
  )
  await own.close()
  expect(hidden).toEqual([])
})
