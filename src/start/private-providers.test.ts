import path from 'node:path'
import { expect, test } from 'vitest'
import { loadPrivateProviders } from './private-providers.ts'

const root = path.join(import.meta.dirname, '../..')

test('every provider that a module exports is loaded', async () => {
  const example = path.join(root, 'examples/private-provider.ts')
  expect(await loadPrivateProviders([example])).toMatchObject([
    { id: 'my', actions: [{ name: 'greet' }] },
  ])
  expect(await loadPrivateProviders([])).toEqual([])
})

test.each([
  ['./not-there.ts', /^TOLLWAY_PROVIDERS: \.\/not-there\.ts cannot be loaded: /],
  ['not-a-package', /^TOLLWAY_PROVIDERS: not-a-package cannot be loaded: /],
  ['zod', /^TOLLWAY_PROVIDERS: zod exports no provider\.$/],
])('%s is refused in a sentence', async (name, sentence) => {
  await expect(loadPrivateProviders([name])).rejects.toThrow(sentence)
})
