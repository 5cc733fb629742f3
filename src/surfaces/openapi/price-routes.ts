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
  kind: {
    enum: ['call', 'unit', 'factor'],
    description: 'What is set: the price of a call, that of a unit, or a factor for all amounts.',
  },
  unit: textOrNull,
  price_usd: textOrNull,
  factor: textOrNull,
  current_price_usd: textOrNull,
  current_factor: textOrNull,
  catalog_price_usd: textOrNull,
  price: text,
  current_price: text,
  catalog_price: text,
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
      'The largest known cost of a charged call of these days, or of a unit. Null: none is known, or a factor is set.',
  },
  worst_cost_factor: {
    ...textOrNull,
    description:
      'The factor at which the call with the largest share of cost would bring its cost.',
  },
  price_less_worst_cost_usd: textOrNull,
  is_below_worst_cost: { type: 'boolean' },
  inner_spend_max_usd: {
    ...textOrNull,
    description: 'What the calls inside one call can cost, where a flat price includes them.',
  },
  is_below_inner_spend: { type: 'boolean' },
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
            price_usd: textOrNull,
            factor: textOrNull,
            price: textOrNull,
            catalog_price_usd: textOrNull,
            catalog_price: textOrNull,
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
        'Set an amount, or a factor, in place of the price of the catalog. It holds at all gateways once it is answered.',
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
