// Short words for JSON schemas of answers.

export const object = (properties: Record<string, object>) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
})
/** Properties that are always there, and those that may be. */
export const objectWith = (required: Record<string, object>, optional: Record<string, object>) => ({
  ...object(required),
  properties: { ...required, ...optional },
})
export const list = (items: object) => ({ type: 'array', items })
export const text = { type: 'string' }
export const textOrNull = { type: ['string', 'null'] }
export const integer = { type: 'integer' }
export const integerOrNull = { type: ['integer', 'null'] }
export const anyObject = { type: 'object' }
export const truth = { type: 'boolean' }
/** One page of rows, by the name of the rows. */
export const page = (rows: Record<string, object>) => object({ ...rows, next_cursor: textOrNull })
export const html = 'text/html'
