// A provider whose calls cost the operator something, which only some of its replies tell.
import { defineAction, z } from '#core/action.ts'
import { defineProvider } from '#core/provider.ts'

const input = z.strictObject({ cost_usd: z.number().default(0.004) })
const output = z.looseObject({})
const rows = z.strictObject({ rows: z.int().min(1).max(50) })

/** A shop whose replies tell the cost of one action only. */
export const openShop = (id: string) =>
  defineProvider({
    id,
    title: 'A shop',
    actions: [
      defineAction('told', {
        summary: 'Sell what the vendor tells the cost of.',
        input,
        output,
        price: { cents: 2 },
        example: { input: {}, cents: 2 },
        costUsd: (_output, { cost_usd }) => cost_usd,
        run: () => ({}),
      }),
      defineAction('untold', {
        summary: 'Sell what the vendor bills by the month.',
        input: z.strictObject({}),
        output,
        price: { cents: 2 },
        example: { input: {}, cents: 2 },
        run: () => ({}),
      }),
      defineAction('rows', {
        summary: 'Sell rows that the vendor bills by the month.',
        input: rows,
        output: z.looseObject({ rows: z.int() }),
        price: {
          cents: 1,
          unit: 'row',
          atMost: 50,
          per: (asked: z.output<typeof rows>) => asked.rows,
          used: (found: { rows: number }) => found.rows,
        },
        example: { input: { rows: 2 }, cents: 2 },
        run: ({ input: { rows: asked } }) => ({ rows: asked }),
      }),
    ],
  })
