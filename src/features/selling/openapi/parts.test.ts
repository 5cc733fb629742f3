// Servers, keys, content types and pages.
import { expect, test } from 'vitest'
import { propertiesOf, readOne, readParts } from './description.fixture.ts'

const ok = { responses: { 200: { description: 'Done.' } } }

test('servers: variables take their defaults, relative ones begin at the address, https comes first', async () => {
  const serversOf = async (servers: unknown, address?: string) =>
    (await readParts({ servers, paths: {} }, address === undefined ? {} : { address })).servers
  const variables = { region: { default: 'eu' }, version: { enum: ['v2'], default: 'v2' } }
  expect(await serversOf([{ url: 'https://{region}.example.com/{version}/', variables }])).toEqual([
    'https://eu.example.com/v2',
  ])
  expect(await serversOf([{ url: '/base' }])).toEqual(['https://api.example.com/base'])
  expect(await serversOf([{ url: '../v9' }])).toEqual(['https://api.example.com/v9'])
  expect(await serversOf(undefined)).toEqual(['https://api.example.com'])
  expect(
    await serversOf([
      { url: 'http://a.example' },
      { url: 'wss://b.example' },
      { url: 'https://c.example' },
    ]),
  ).toEqual(['https://c.example', 'http://a.example'])
  expect(await serversOf([{ url: '/base' }], '')).toEqual([])
})

test('an operation without a whole address says what to do', async () => {
  const api = await readParts({
    servers: [{ url: 'https://{host}' }],
    paths: { '/a': { get: ok } },
  })
  expect(api.leftOut).toEqual([
    {
      where: 'GET /a',
      line: expect.any(Number),
      why: 'The description has no whole address of a server. Name one by `"server"`.',
    },
  ])
})

test('security schemes become the place of the key, and callers are not asked for it', async () => {
  const schemes = {
    oauth: { type: 'oauth2', flows: {} },
    digest: { type: 'http', scheme: 'digest' },
    query: { type: 'apiKey', in: 'query', name: 'key' },
    token: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description: 'Send `Token <token>`.',
    },
    id: { type: 'apiKey', in: 'header', name: 'X-Id' },
    secret: { type: 'apiKey', in: 'header', name: 'X-Secret' },
  }
  const parts = { components: { securitySchemes: schemes }, security: [{ oauth: ['read'] }] }
  const securityOf = async (security?: unknown) => {
    const parameters = ['key', 'X-Id', 'free'].map((name) => ({
      name,
      in: name === 'X-Id' ? 'header' : 'query',
      schema: {},
    }))
    const operation = await readOne({ parameters, ...(security ? { security } : {}) }, parts)
    expect(operation.fields.map(({ name }) => name)).toEqual(['free'])
    return operation.security
  }
  expect(await securityOf()).toEqual({ kind: 'bearer' })
  expect(await securityOf([])).toEqual('none')
  expect(await securityOf([{ digest: [] }, { query: [] }])).toEqual({ kind: 'query', name: 'key' })
  expect(await securityOf([{}, { token: [] }])).toEqual({
    kind: 'header',
    name: 'Authorization',
    prefix: 'Token ',
  })
  expect(await securityOf([{ id: [], secret: [] }])).toEqual({
    kind: 'header',
    name: 'X-Id',
    and: [{ kind: 'header', name: 'X-Secret' }],
  })
  expect(await securityOf([{ digest: [] }, {}])).toEqual('none')
  const api = await readParts({
    ...parts,
    paths: { '/a': { get: { ...ok, security: [{ digest: [] }] } } },
  })
  expect(api.leftOut[0]?.why).toBe('The operation needs digest, which a gateway cannot send.')
})

test('bodies that are not JSON: forms, files, texts and bytes', async () => {
  const bodyOf = async (type: string, media: object = {}) => {
    const { bodyType, bodyContentType, fields } = await readOne({
      requestBody: { required: true, content: { [type]: media } },
    })
    return { bodyType, bodyContentType, fields: fields.map(({ required: _, ...field }) => field) }
  }
  const schema = {
    type: 'object',
    properties: {
      photos: { type: 'array', items: { type: 'string', format: 'binary' } },
      note: { type: 'object' },
    },
  }
  expect(
    await bodyOf('multipart/form-data', {
      schema,
      encoding: { photos: { contentType: 'image/png, image/jpeg' } },
    }),
  ).toEqual({
    bodyType: 'multipart',
    fields: [
      { name: 'photos', in: 'file', wireName: 'photos', contentType: 'image/png' },
      { name: 'note', in: 'form', wireName: 'note' },
    ],
  })
  const encoding = { note: { style: 'deepObject', explode: true } }
  expect(
    (await bodyOf('application/x-www-form-urlencoded', { schema, encoding })).fields[1],
  ).toMatchObject({ style: 'deepObject' })
  expect(await bodyOf('text/plain')).toMatchObject({
    bodyType: 'raw',
    bodyContentType: 'text/plain',
    fields: [{ name: 'body', in: 'body', wireName: '' }],
  })
  expect(await bodyOf('image/*', { schema: { type: 'string', format: 'binary' } })).toMatchObject({
    bodyType: 'raw',
    bodyContentType: 'application/octet-stream',
    fields: [{ in: 'file' }],
  })
  expect(await bodyOf('application/vnd.api+json; charset=utf-8')).toMatchObject({
    bodyType: 'json',
    bodyContentType: 'application/vnd.api+json; charset=utf-8',
  })
})

test('parameters: styles, content, names that tools do not allow, and values that would vanish', async () => {
  const operation = await readOne({
    parameters: [
      {
        name: 'filter[name]',
        in: 'query',
        style: 'deepObject',
        explode: true,
        schema: { type: 'object' },
      },
      {
        name: 'filter.name',
        in: 'query',
        style: 'spaceDelimited',
        schema: { type: 'array', items: {} },
        required: true,
      },
      {
        name: '$filter',
        in: 'query',
        content: { 'application/json': { schema: { type: 'object' } } },
      },
      { name: 'max_cost_cents', in: 'query', schema: { type: 'integer' } },
      { name: 'Content-Type', in: 'header', schema: { type: 'string' } },
    ],
  })
  expect(operation.fields).toEqual([
    {
      name: 'filter_name',
      in: 'query',
      wireName: 'filter[name]',
      required: false,
      style: 'deepObject',
      explode: true,
    },
    {
      name: 'filter.name',
      in: 'query',
      wireName: 'filter.name',
      required: true,
      style: 'spaceDelimited',
    },
    { name: 'filter', in: 'query', wireName: '$filter', required: false, style: 'json' },
    { name: 'query_max_cost_cents', in: 'query', wireName: 'max_cost_cents', required: false },
  ])
  expect(propertiesOf(operation)['filter.name']).toMatchObject({ minItems: 1 })
})

test('a path whose placeholders are not declared, or are written in other ways, is filled all the same', async () => {
  const api = await readParts({
    paths: {
      '/a/{id}.json': { get: ok },
      '/b/{+name}': {
        get: { ...ok, parameters: [{ name: 'name', in: 'path', schema: { type: 'string' } }] },
      },
      '/c/:id': {
        get: { ...ok, parameters: [{ name: 'id', in: 'path', schema: { type: 'string' } }] },
      },
      '/d#Action=List': {
        get: { ...ok, parameters: [{ name: 'unused', in: 'path', schema: {} }] },
      },
    },
  })
  expect(
    api.operations.map(({ path, fields }) => [path, fields.map(({ wireName }) => wireName)]),
  ).toEqual([
    ['/a/{id}.json', ['id']],
    ['/b/{name}', ['name']],
    ['/c/{id}', ['id']],
    ['/d', []],
  ])
})

test('pages are asked for by the usual names, a cursor only where the answer has the next one', async () => {
  const paginationOf = async (names: string[], schema: object, headers = {}) => {
    const content = { 'application/json': { schema } }
    const parameters = names.map((name) => ({ name, in: 'query', schema: { type: 'string' } }))
    return (
      await readOne({ parameters, responses: { 200: { description: 'x', content, headers } } })
    ).pagination
  }
  const answer = {
    type: 'object',
    properties: { meta: { properties: { next_cursor: { type: 'string' } } } },
  }
  expect(await paginationOf(['cursor', 'page'], answer)).toEqual({
    kind: 'cursor',
    field: 'cursor',
    next: '/meta/next_cursor',
  })
  expect(await paginationOf(['cursor', 'page'], {})).toEqual({ kind: 'page', field: 'page' })
  expect(await paginationOf(['$skip'], {})).toEqual({ kind: 'offset', field: 'skip' })
  expect(await paginationOf(['page'], {}, { Link: {} })).toEqual({ kind: 'link' })
  expect(await paginationOf(['q'], answer)).toBeUndefined()
})

test('schemas that validators would refuse are mended: types, limits and patterns of other languages', async () => {
  const schema = {
    type: 'object',
    properties: {
      a: { type: 'int', minimum: '5', pattern: 3 },
      b: { type: 'string', pattern: '(?i)^x$', enum: [1, 2] },
      c: { type: 'string', pattern: '^[\\w\\-]+\\@x$' },
      d: { type: 'array', items: [{ type: 'string' }, { type: 'integer' }] },
      e: { type: 'odd', required: true, example: 1 },
    },
  }
  const operation = await readOne({
    requestBody: { required: true, content: { 'application/json': { schema } } },
  })
  expect(propertiesOf(operation)).toEqual({
    a: { type: 'integer', minimum: 5 },
    b: { type: 'string', enum: ['1', '2'] },
    c: { type: 'string', pattern: '^[\\w-]+@x$' },
    d: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }] },
    e: { examples: [1] },
  })
})

test('a pattern that a text can keep busy for ever is left out', async () => {
  const patternOf = async (pattern: string) => {
    const parameters = [{ name: 'a', in: 'query', schema: { type: 'string', pattern } }]
    return propertiesOf(await readOne({ parameters })).a?.pattern
  }
  for (const pattern of ['(a+)+$', '([a-z ]|[^\\x00-\\x7F])+', '^(x(y*)z)*$', '(?:a|aa){2,}'])
    expect(await patternOf(pattern)).toBeUndefined()
  for (const pattern of ['^[a-z)+]+$', '^(a|b)$', '^\\(+$', '^(ab)+c{2,3}$'])
    expect(await patternOf(pattern)).toBe(pattern)
})
