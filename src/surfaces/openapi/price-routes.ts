// The addresses at which the operator reads and changes prices.

import { newOverride, previewQuery } from '../http/admin/price-overrides.ts'
import { listedPrice } from './catalog-schemas.ts'
import {
  type Described,
  integer,
  list,
  type Method,
  object,
  text,
  textOrNull,
} from './described.ts'

const preview = object({
  action: text,
  price_usd: text,
  current_price_usd: text,
  catalog_price_usd: text,
  last_30_days: object({
    calls: integer,
    charged_calls: integer,
    calls_with_known_cost: integer,
    charged_usd: text,
    known_cost_usd: text,
    charged_less_known_cost_usd: text,
  }),
  at_this_price: object({ charged_usd: text, charged_less_known_cost_usd: text }),
  worst_cost_usd: {
    ...textOrNull,
    description:
      'The largest known cost of a charged call of these days. Null: no provider reports one.',
  },
  price_less_worst_cost_usd: textOrNull,
  is_below_worst_cost: { type: 'boolean' },
})

/** Below /api/v1/admin. */
export const priceRoutes: Record<string, Partial<Record<Method, Described>>> = {
  '/prices': {
    get: { summary: 'The price of each action.', answer: object({ prices: list(listedPrice) }) },
  },
  '/price-overrides': {
    get: {
      summary: 'The prices that the operator has set in place of those of the catalog.',
      answer: object({
        price_overrides: list(
          object({
            action: text,
            price_usd: text,
            catalog_price_usd: textOrNull,
            applies: { type: 'boolean' },
            set_at: text,
          }),
        ),
      }),
    },
  },
  '/price-overrides/{service}/{action}': {
    get: {
      summary: 'What the calls of the last 30 days would have earned at another price.',
      query: previewQuery,
      answer: preview,
    },
    put: {
      summary:
        'Set a flat price in place of that of the catalog. It holds at all gateways once it is answered.',
      body: newOverride,
      once: true,
      answer: preview,
    },
    delete: {
      summary: 'Restore the price of the catalog.',
      once: true,
      answer: object({ action: text, removed: { const: true } }),
    },
  },
}
