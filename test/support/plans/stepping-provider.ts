// A vendor for plans: a gateway process sells it, and the test answers its requests.
import { defineAction, z } from '#core/action.ts'
import { path } from '#core/path.ts'
import { defineProvider } from '#core/provider.ts'

const input = z.strictObject({ name: z.string(), previous: z.string().optional() })
const output = z.object({ name: z.string() })
const base = { summary: 'Repeat a name.', input, output } as const

export const steppingProvider = defineProvider({
  id: 'stepping',
  title: 'Vendor of the steps of plans',
  upstream: { baseUrl: 'http://127.0.0.1:1', timeoutMs: 60_000 },
  actions: [
    defineAction('exact', {
      ...base,
      price: { cents: 1.5 },
      example: { input: { name: 'a' }, cents: 1.5 },
      run: ({ input: { name }, http }) => http.get(path`/${name}`),
    }),
    defineAction('capped', {
      ...base,
      price: { upToCents: 5, settle: () => 2 },
      example: { input: { name: 'a' }, cents: 5 },
      run: ({ input: { name }, http }) => http.get(path`/${name}`),
    }),
  ],
})
