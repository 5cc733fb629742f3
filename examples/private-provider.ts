// A provider of your own, in a clone: TOLLWAY_PROVIDERS=./examples/private-provider.ts npm start, then call my/greet.
// Outside a clone it imports both functions from 'tollway'; docs/extend.md shows how.
import { defineAction, z } from '#core/action.ts'
import { defineProvider } from '#core/provider.ts'

const greet = defineAction('greet', {
  summary: 'Greet a person by name.',
  input: z.strictObject({ name: z.string().min(1).max(100) }),
  output: z.looseObject({ greeting: z.string(), provider: z.string() }),
  price: { cents: 0.5 },
  example: { input: { name: 'Ada' }, cents: 0.5 },
  run: ({ input }) => ({ greeting: `Hello, ${input.name}.`, provider: 'my' }),
})

export const my = defineProvider({ id: 'my', title: 'My own service', actions: [greet] })
