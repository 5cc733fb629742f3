import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openOwnActions, ownNamespace } from '#test/own-actions.ts'

test('`npm run chain` prints a call that its action accepts, and that needs no network', async () => {
  const text = readFileSync(path.join(import.meta.dirname, 'chain.ts'), 'utf8')
  const [, service, name, body = ''] = /api\/run\/(\w+)\/(\w+) -J '([^']+)'/.exec(text) ?? []
  expect(service).toBe(ownNamespace)
  const { actions, close } = openOwnActions()
  const action = actions.find((candidate) => candidate.name === name)
  const input = JSON.parse(body)
  expect(action?.input.safeParse(input)).toMatchObject({ success: true })
  const [, gateway = ''] = /mppx (\S+)\/api\/run/.exec(text) ?? []
  expect(input.urls).toEqual([`${gateway}/docs/use`])
  await close()
})
