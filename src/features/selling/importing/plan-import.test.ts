// What the operator reads before something is sold.
import { expect, test } from 'vitest'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { readStoredApi } from '../sold-api.ts'
import { type PlanParts, planImport, type SellPlan } from './plan-import.ts'

const book = { type: 'object', properties: { id: { type: 'string' }, title: { type: 'string' } } }
const rows = {
  type: 'object',
  required: ['rows'],
  properties: {
    rows: { type: 'array', items: { $ref: '#/components/schemas/Book' } },
    total: { type: 'integer' },
    more: { type: 'object', additionalProperties: true, properties: { known: {} } },
    free: { type: 'object' },
    either: { anyOf: [{ $ref: '#/components/schemas/Book' }, { type: 'null' }] },
    both: { allOf: [{ $ref: '#/components/schemas/Book' }, { properties: { isbn: {} } }] },
  },
}
const answers = (schema: object) => ({
  200: { description: 'Done.', content: { 'application/json': { schema } } },
})
const inQuery = (name: string, schema: object, more: object = {}) => ({
  name,
  in: 'query',
  schema,
  ...more,
})
const limitOf = (schema: object) => [inQuery('limit', { type: 'integer', ...schema })]

const booksApi = (parameters: object[] = limitOf({ default: 20, maximum: 100 })) => ({
  openapi: '3.1.0',
  info: { title: 'Books', version: '1' },
  servers: [{ url: 'https://books.example' }],
  components: { schemas: { Book: book } },
  paths: {
    '/books': {
      get: { operationId: 'listBooks', parameters, responses: answers(rows) },
      post: { operationId: 'addBook', responses: answers({ type: 'array', items: book }) },
    },
  },
})

/** What would be sold by these rules, after what has been sold before. */
async function plan(
  rules: readonly object[],
  { api = booksApi() as object, before }: { api?: object; before?: SellPlan } = {},
): Promise<SellPlan> {
  const unused = () => expect.fail('Nothing is asked.')
  const stored = before && {
    sold: readStoredApi(JSON.parse(JSON.stringify(before.sold))),
    revision: 1,
    savedAt: new Date(0),
  }
  const parts: PlanParts = {
    fetchText: unused,
    connectTools: unused,
    packageOf: unused,
    find: async () => stored,
    soldNow: () => [],
    keyOf: () => undefined,
    declaredFor: () => undefined,
    now: () => new Date(0),
    admits: () => true,
    isTaken: () => false,
    overrides: new Map(),
    rails: [],
  }
  const request = { description: JSON.stringify(api), name: 'shop', rules: [...rules] }
  return await planImport(request, parts)
}

const rest = { match: '*', price: 1 }
const perLimit = { field: 'limit', unit: 'row', at_most: 100 }

test.each([
  [
    { per: { ...perLimit, field: 'limmit' } },
    'listBooks',
    'list-books: its price counts limmit, which is not one of its fields. It has limit. Did you mean limit?',
  ],
  [
    { per: { answer: '/rowz', at_most: 9 } },
    'listBooks',
    'list-books: its answer has no /rowz. It has /rows, /total, /more, /free, /either and /both. Did you mean /rows?',
  ],
  [
    { per: { answer: '/rows/title', at_most: 9 } },
    'listBooks',
    'its answer has no /rows/title. It has /rows/0.',
  ],
  [
    { when: { answer: '/rows/0/idd' } },
    'listBooks',
    'its answer has no /rows/0/idd. It has /rows/0/id and /rows/0/title. Did you mean /rows/0/id?',
  ],
  [
    { when: { answer: '/total/count' } },
    'listBooks',
    'its answer has no /total/count. It has nothing there.',
  ],
  [{ when: { answer: '/either/isbn' } }, 'listBooks', 'It has /either/id and /either/title.'],
  [{ when: { answer: '/0/idd' } }, 'addBook', 'add-book: its answer has no /0/idd.'],
  [{ when: { answer: '/id' } }, 'addBook', 'add-book: its answer has no /id. It has /0.'],
])('a rule that names what is not there is refused: %j', async (terms, operation, why) => {
  const match = operation === 'listBooks' ? 'list-books' : 'add-book'
  await expect(plan([rest, { match, price: 1, ...terms }].toReversed())).rejects.toThrow(why)
})

test.each([
  '/rows/0/title',
  '/rows/12',
  '/more/other/name',
  '/free/any',
  '/either/id',
  '/both/isbn',
  '/both/title',
  '',
])('a rule may name %j, which the answer has or may have', async (answer) => {
  const { leftOut } = await plan(
    [{ match: '*', price: 1 }].map((rule) => ({ ...rule, match: 'list-books', when: { answer } })),
  )
  expect(leftOut.filter(({ where }) => where === 'GET /books')).toEqual([])
})

test('a rule that fits one of its operations leaves out those that are not on sale, and takes none off sale', async () => {
  const rule = { match: '*', price: 1, per: perLimit }
  const { leftOut, actions } = await plan([rule])
  expect(actions.map(({ action }) => action)).toEqual(['shop/list-books'])
  expect(leftOut).toMatchObject([
    { where: 'POST /books', why: expect.stringContaining('which is not one of its fields') },
  ])
  const before = await plan([rest])
  await expect(plan([rule], { before })).rejects.toThrow(
    /^The price rules cannot be used\. Rule 1, which is for add-book: .* Nothing was changed\.$/,
  )
})

test.each([
  [
    { default: 20, maximum: 100 },
    { input: {}, cents: 20 },
  ],
  [
    { default: 500, minimum: 2 },
    { input: { limit: 2 }, cents: 2 },
  ],
  [{ minimum: 3 }, { input: { limit: 3 }, cents: 3 }],
  [{}, { input: { limit: 1 }, cents: 1 }],
  [
    { default: 7, example: 4 },
    { input: { limit: 4 }, cents: 4 },
  ],
])('a field of %j that a price counts has an example with a price', async (schema, example) => {
  const { sold, leftOut, idleRules } = await plan(
    [{ match: 'list-books', price: 1, per: perLimit }],
    { api: booksApi(limitOf(schema)) },
  )
  expect([leftOut.filter(({ where }) => where === 'GET /books'), idleRules]).toEqual([[], []])
  const { providerOf } = await import('../provider.ts')
  expect(providerOf(sold).provider.actions[0]?.example).toEqual(example)
})

test('a field without a value that can be counted is told, and its rule has matched all the same', async () => {
  const rules = [{ match: 'list-books', price: 1, per: { ...perLimit, at_most: 5 } }, rest]
  const { leftOut, idleRules } = await plan(rules, { api: booksApi(limitOf({ minimum: 10 })) })
  expect(leftOut).toEqual([
    {
      where: 'GET /books',
      why: expect.stringMatching(/^Its example has no limit that its price can count\. Give limit/),
    },
  ])
  expect(idleRules).toEqual([])
})

const odd = [
  inQuery(
    'filter',
    { type: 'object', properties: { a: { type: 'string' } } },
    { style: 'deepObject', explode: true },
  ),
  inQuery(
    'tags',
    { type: 'array', items: { type: 'string' } },
    { style: 'pipeDelimited', explode: false },
  ),
  inQuery('path', { type: 'string' }, { allowReserved: true }),
]

test('what is described as before is the same, and what is not has changed', async () => {
  const before = await plan([rest], { api: booksApi(odd) })
  const changesOf = async (api: object) =>
    (await plan([rest], { api, before })).actions.map(({ change }) => change)
  expect(await changesOf(booksApi(odd))).toEqual(['same', 'same'])
  expect(await changesOf(booksApi(odd.slice(1)))).toEqual(['changed', 'same'])
})

const apiWith = (change: (api: ReturnType<typeof changeable>) => void) => {
  const api = changeable()
  change(api)
  return api
}
/** Each test changes a copy, in any part. */
const changeable = (): UntypedJson => structuredClone(booksApi())
const listed = (api: ReturnType<typeof changeable>) => api.paths['/books'].get
const answered = (api: ReturnType<typeof changeable>) =>
  listed(api).responses[200].content['application/json'].schema

test.each<[string, (api: ReturnType<typeof changeable>) => void, string]>([
  [
    'has other fields',
    (api) => {
      listed(api).parameters = ['a', 'b'].map((name) => ({ ...inQuery(name, {}), required: true }))
    },
    'takes a and b now; no longer takes limit; needs a and b now',
  ],
  [
    'has a field of another type',
    (api) => {
      listed(api).parameters = [inQuery('limit', { type: 'array', items: { type: 'string' } })]
    },
    'limit is array of string, was integer',
  ],
  [
    'has a field with another limit',
    (api) => {
      listed(api).parameters[0].schema.maximum = 50
    },
    'describes limit otherwise',
  ],
  [
    'answers otherwise',
    (api) => {
      delete answered(api).properties.free
      Object.assign(answered(api).properties, { total: { type: 'string' }, next: {} })
    },
    'answers with next now; no longer answers with free; in its answer total is string, was integer',
  ],
  [
    'answers with a definition that has changed',
    (api) => {
      delete api.components.schemas.Book.properties.title
    },
    'describes its answer otherwise',
  ],
  [
    'has other words and is deprecated',
    (api) =>
      Object.assign(listed(api), { summary: 'List.', description: 'All.', deprecated: true }),
    'has another title; has another description; is deprecated now',
  ],
  [
    'is found elsewhere',
    (api) => {
      api.servers = [{ url: 'https://books.example/v2' }]
    },
    'is at https://books.example/v2, was https://books.example',
  ],
  [
    'has other tags',
    (api) => {
      listed(api).tags = ['books']
    },
    'is described otherwise',
  ],
])('an operation that %s is told with what has changed', async (_, change, told) => {
  const before = await plan([rest])
  const { actions } = await plan([rest], { api: apiWith(change), before })
  expect(actions.find(({ action }) => action === 'shop/list-books')).toMatchObject({
    change: 'changed',
    whatChanged: told,
  })
})

test('other terms of a price rule are told too, and a price alone is not told twice', async () => {
  const before = await plan([rest])
  const toldOf = async (rule: object) => {
    const [first] = (await plan([{ match: '*', ...rule }], { before })).actions
    return [first?.change, first?.priceBefore, first?.whatChanged]
  }
  expect(await toldOf({ price: 2 })).toEqual(['price', '1¢', undefined])
  expect(await toldOf({ price: 1, cost: 0.5, timeout_seconds: 9 })).toEqual([
    'changed',
    undefined,
    'its price rule says another cost and timeout_seconds',
  ])
  expect(await toldOf({ price: 2, cost: 1 })).toEqual([
    'price',
    '1¢',
    'its price rule says another cost',
  ])
})

test.each([
  [
    { price: 3, cost: 4 },
    [
      'You would lose money with each call of shop/add-book: callers pay 3¢, and you have declared that it costs you 4¢. Raise the price, or correct the cost.',
    ],
  ],
  [
    { price: 1, per: { answer: '', at_most: 3 }, cost: 4 },
    [
      'You would lose money with each call of shop/add-book: callers pay 1¢ per item, at most 3¢, and you have declared that it costs you 4¢. Raise the price, or correct the cost.',
    ],
  ],
  [{ price: 4, cost: 4 }, []],
  [{ price: 1, per: { answer: '', at_most: 9 }, cost: 4 }, []],
  [{ price: 'free', cost: 4 }, []],
])('a price below its cost is told before it is sold: %j', async (rule, warnings) => {
  const planned = await plan([{ match: 'add-book', ...rule }, rest])
  expect(planned.warnings).toEqual(warnings)
})

test('characters that a reader does not see are left out of what is shown', async () => {
  const evil = 'evil\u202e\u001b[31m'
  const api = booksApi([inQuery('limit', { type: 'integer', description: evil, title: evil })])
  const info = { title: `${evil} Books`, version: evil }
  Object.assign(api.paths['/books'].get, {
    summary: evil,
    description: `${evil}\n${evil}`,
    tags: [evil],
  })
  const paths = { ...api.paths, '/\u202e': { head: {} } }
  const { sold } = await plan([rest], { api: { ...api, info, paths } })
  const shown = { title: 'evil[31m Books', version: 'evil[31m' }
  expect(sold.api).toMatchObject({ ...shown, leftOut: [{ where: 'HEAD /' }] })
  expect(sold.api.operations[0]).toMatchObject({ description: 'evil[31m\nevil[31m' })
  expect(JSON.stringify(sold)).not.toMatch(/\u202e|\\u001b/)
  const written = JSON.stringify(sold).replaceAll('evil', evil.replace('\u001b[31m', ''))
  expect(readStoredApi(JSON.parse(written)).api).toMatchObject(shown)
})

test('an operation that could not be read again is left out, and the others are sold', async () => {
  const api = booksApi()
  const long = `/${'a'.repeat(2_000)}`
  const { actions, leftOut, sold } = await plan([{ match: '*', price: 1 }], {
    api: {
      ...api,
      info: { title: 't'.repeat(10_000), version: 'v'.repeat(10_000) },
      paths: { ...api.paths, [long]: { get: { operationId: 'long', responses: answers(rows) } } },
    },
  })
  expect(actions.map(({ action }) => action)).toEqual(['shop/list-books', 'shop/add-book'])
  expect(leftOut).toMatchObject([
    { where: `GET ${long}`, why: expect.stringMatching(/^It cannot be stored: /) },
  ])
  expect(readStoredApi(JSON.parse(JSON.stringify(sold)))).toMatchObject({ name: 'shop' })
})

test('a rule that an earlier one hides is told, and a last rule for all others is not', async () => {
  const add = { match: 'add-book', price: 3 }
  const all = { match: '*', price: 1 }
  const hidden = await plan([all, add])
  expect(hidden.warnings).toEqual([
    'The price rule for add-book is never used, because an earlier rule is for all that it matches. Move it before that one.',
  ])
  expect(hidden.idleRules).toEqual([])
  const list = { match: 'list-books', price: 2 }
  expect((await plan([add, list, all])).warnings).toEqual([])
})
