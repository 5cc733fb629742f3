// Every action can be called by the command with its fields as options, and every error ends it with the code of its
// kind.
import { TollwayError } from '@tollway/client'
import { callerVerbs, exitCodeOf, exitCodes, globalOptions } from '@tollway/command'
import { expect, test } from 'vitest'
import { providers } from '#catalog/providers.ts'
import { inputSchemaOf } from '#core/catalog.ts'
import { errorTable } from '#core/errors.ts'
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

test('each error of the gateway has an exit code of its kind', () => {
  const codeOf = (code: string, status?: number) =>
    exitCodeOf(new TollwayError(code, { message: '', status }))
  const unnamed = Object.entries(errorTable).filter(([code, { status }]) =>
    ([exitCodes.done, exitCodes.failed] as number[]).includes(codeOf(code, status)),
  )
  expect(unnamed).toEqual([])
  expect(codeOf('outcome_unknown', 503)).toBe(exitCodes.unknownOutcome)
  expect(codeOf('spend_limit_reached', errorTable.spend_limit_reached.status)).toBe(exitCodes.money)
  expect(codeOf('rate_limited', 429)).toBe(exitCodes.tryLater)
  // A job that failed has no status of HTTP.
  expect(codeOf('upstream_error')).toBe(exitCodes.workFailed)
  expect(codeOf('a_code_of_tomorrow', 422)).toBe(exitCodes.wrongRequest)
})
