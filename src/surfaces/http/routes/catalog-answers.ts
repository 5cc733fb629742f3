// How the gateway describes what it sells.
import {
  anyObject,
  integer,
  list,
  object,
  objectWith,
  text,
  textOrNull,
} from '../../doors/shapes.ts'

export const mode = { enum: ['live', 'keyless', 'embedded', 'unavailable'] }
const price = objectWith(
  {
    mode: { enum: ['fixed', 'dynamic'] },
    currency: { const: 'USD' },
    protocols: list(anyObject),
    text,
  },
  { amount: text, min: text, max: text },
)
/** The price of an action by the name of the action. */
export const listedPrice = {
  ...price,
  required: ['id', ...price.required, 'is_replaceable', 'override_kind'],
  properties: {
    id: text,
    ...price.properties,
    is_replaceable: {
      type: 'boolean',
      description: 'Whether the operator can set a price of their own.',
    },
    override_kind: {
      enum: ['call', 'unit', 'factor', null],
      description: 'What a price of their own sets.',
    },
  },
}
const summarized = {
  service: text,
  action: text,
  summary: text,
  mode,
  async: { type: 'boolean' },
  price,
  endpoint: text,
}

export const listedCatalog = object({
  services: list(objectWith({ service: text, title: text, mode }, { reason: text })),
  actions: list(object(summarized)),
  total: integer,
})

export const describedAction = objectWith(
  {
    ...summarized,
    input_schema: anyObject,
    output_schema: anyObject,
    example: object({ input: anyObject, cents: { type: 'number' } }),
    errors: list(object({ error: text, status: integer, message: text })),
    limits: objectWith({ timeout_ms: integer }, { cache_seconds: integer }),
    docs: textOrNull,
  },
  {
    reason: { type: 'string', description: 'Why it is unavailable.' },
    notes: text,
    endpoints: list(anyObject),
    open: { const: true },
    session: object({ run: text, show: text, close: text }),
    retiring: anyObject,
  },
)
