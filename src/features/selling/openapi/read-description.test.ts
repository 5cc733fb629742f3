import { expect, test } from 'vitest'
import { schemaCompilerOf } from '#platform/json-schema/json-schema.ts'
import { propertiesOf, readOne, readParts, readText } from './description.fixture.ts'

const ok = { responses: { 200: { description: 'Done.' } } }

test('parameters of path and operation, and the body, are one input with their texts, examples and limits', async () => {
  const api = await readParts({
    servers: [{ url: 'https://pets.example.com/v2/' }],
    paths: {
      '/pets/{id}': {
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
          { name: 'lang', in: 'query', schema: { type: 'string' }, description: 'Of the path.' },
        ],
        patch: {
          operationId: 'updatePet_v2',
          summary: 'Change a pet. And more.',
          tags: ['pets'],
          deprecated: true,
          parameters: [
            { name: 'lang', in: 'query', schema: { type: 'string', maxLength: 2 }, example: 'de' },
          ],
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['id'],
                  properties: { id: { type: 'string' }, age: { type: 'integer', minimum: 0 } },
                },
              },
            },
          },
          ...ok,
        },
      },
    },
  })
  expect(api.leftOut).toEqual([])
  const [operation] = api.operations
  expect(operation).toMatchObject({
    name: 'update-pet-v2',
    key: 'PATCH /pets/{id}',
    title: 'Change a pet.',
    tags: ['pets'],
    deprecated: true,
    server: 'https://pets.example.com/v2',
    path: '/pets/{id}',
    bodyType: 'json',
    fields: [
      { name: 'id', in: 'path', wireName: 'id', required: true },
      { name: 'lang', in: 'query', wireName: 'lang', required: false },
      { name: 'body_id', in: 'body', wireName: 'id', required: true },
      { name: 'age', in: 'body', wireName: 'age', required: false },
    ],
    input: {
      type: 'object',
      required: ['id', 'body_id'],
      properties: { lang: { type: 'string', maxLength: 2, examples: ['de'] }, age: { minimum: 0 } },
      additionalProperties: false,
    },
    example: { id: 1, lang: 'de', body_id: 'example' },
  })
})

test('circles through properties, lists, maps, allOf and oneOf stay references', async () => {
  const api = await readParts({
    paths: {
      '/trees': {
        post: {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Tree' } } },
          },
          responses: {
            200: {
              description: 'Done.',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Tree' } } },
            },
          },
        },
      },
    },
    components: {
      schemas: {
        Tree: {
          type: 'object',
          properties: {
            parent: { $ref: '#/components/schemas/Tree' },
            children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
            byName: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Tree' } },
            either: { oneOf: [{ type: 'string' }, { $ref: '#/components/schemas/Twig' }] },
          },
        },
        Twig: {
          allOf: [
            { $ref: '#/components/schemas/Tree' },
            { properties: { leaves: { type: 'integer' } } },
          ],
        },
      },
    },
  })
  expect(api.leftOut).toEqual([])
  expect(Object.keys(api.definitions).sort()).toEqual(['Tree', 'TreeInput', 'Twig', 'TwigInput'])
  expect(api.definitions.TreeInput).toMatchObject({
    properties: {
      parent: { $ref: '#/$defs/TreeInput' },
      children: { items: { $ref: '#/$defs/TreeInput' } },
    },
  })
  expect(api.definitions.Twig).toMatchObject({ allOf: [{ $ref: '#/$defs/Tree' }, {}] })
})

test('a schema that leads back to itself for the same value is open there, and can be checked', async () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  const content = { 'application/json': { schema: ref('Base') } }
  const api = await readParts({
    paths: {
      '/circles': {
        post: {
          requestBody: { required: true, content },
          responses: { 200: { description: 'x', content } },
        },
      },
    },
    components: {
      schemas: {
        Base: { oneOf: [ref('Cat'), ref('Own')] },
        Cat: { allOf: [ref('Base'), { required: ['purrs'] }] },
        Own: { allOf: [ref('Own'), { required: ['barks'] }], not: ref('Own') },
      },
    },
  })
  expect(api.leftOut).toEqual([])
  const compiler = schemaCompilerOf(api.definitions, { formats: true })
  const fits = compiler.compile({ $ref: '#/$defs/Base' })
  expect([fits({ purrs: 1 }), fits({})]).toEqual([true, false])
})

test('a file of JSON or YAML that is too deep is refused with a sentence', async () => {
  const deep = `${'{"a":['.repeat(20_000)}${']}'.repeat(20_000)}`
  await expect(readText(deep)).rejects.toMatchObject({ name: 'DescriptionProblem', line: 1 })
  await expect(readText(`a: ${deep}`)).rejects.toMatchObject({ name: 'DescriptionProblem' })
})

test('a reference that leads nowhere or in a circle leaves out its operation only, with the line', async () => {
  const text = `openapi: 3.0.0
info: { title: Pets, version: 1 }
paths:
  /good:
    get: { responses: { 200: { description: x, content: { application/json: { schema: { $ref: '#/components/schemas/Gone' } } } } } }
  /bad:
    post:
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties:
                pet:
                  $ref: '#/components/schemas/Gone'
      responses: { 200: { description: x } }
  /round:
    get:
      parameters:
        - $ref: '#/components/parameters/A'
      responses: { 200: { description: x } }
components:
  parameters:
    A: { $ref: '#/components/parameters/B' }
    B: { $ref: '#/components/parameters/A' }
`
  const api = await readText(text)
  expect(api.operations.map(({ key, output }) => [key, output])).toEqual([['GET /good', {}]])
  expect(api.leftOut).toEqual([
    {
      where: 'POST /bad',
      line: 15,
      why: 'The reference "#/components/schemas/Gone" leads nowhere.',
    },
    { where: 'GET /round', line: 20, why: 'The reference leads in a circle.' },
  ])
})

test('names are of the operation’s own id where it is unique, else of method and path', async () => {
  const api = await readParts({
    paths: {
      '/a/{x}': { get: { operationId: 'same', ...ok }, post: { operationId: 'same', ...ok } },
      '/größe': { get: { operationId: 'größe ändern()', ...ok }, put: { ...ok } },
      '/a/x': { get: { ...ok } },
      [`/${'long'.repeat(40)}`]: { get: { ...ok }, delete: { operationId: 'a'.repeat(90), ...ok } },
    },
  })
  const names = api.operations.map(({ name }) => name)
  expect(names.slice(0, 6)).toEqual([
    ...['get-a-x', 'post-a-x', 'gro-e-andern', 'put-gro-e', 'get-a-x-2'],
    `get-${'long'.repeat(15)}`,
  ])
  expect(names.every((name) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) && name.length <= 64)).toBe(
    true,
  )
  expect(new Set(names).size).toBe(names.length)
})

test('an operation without words of its own has its id as a sentence', async () => {
  const api = await readParts({
    paths: {
      '/a': {
        get: { ...ok, operationId: 'getHTTPStatus' },
        put: { ...ok, operationId: 'add_note' },
      },
      '/b': { get: { ...ok, operationId: 'addNote', summary: 'Keeps a note.' }, put: { ...ok } },
    },
  })
  expect(api.operations.map(({ title }) => title)).toEqual([
    ...['Get HTTP status', 'Add note', 'Keeps a note.', 'PUT /b'],
  ])
})

test('files that a description refers to are read, and one that cannot be read leaves out what needs it', async () => {
  const pets = {
    '../parts/pet.yaml':
      'type: object\nrequired: [name]\nproperties:\n  name: { type: string }\n  owner: { $ref: "owner.yaml#/Owner" }\n',
    '../parts/owner.yaml': 'Owner:\n  type: object\n  properties: { pet: { $ref: pet.yaml } }\n',
  }
  const asked: string[] = []
  const load = async (address: string) => {
    asked.push(address)
    const [, text] = Object.entries(pets).find(([name]) => address.endsWith(name.slice(2))) ?? []
    if (text === undefined) throw new Error('not there')
    return text
  }
  const body = (reference: string) => ({
    post: {
      ...ok,
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: reference } } },
      },
    },
  })
  const api = await readParts(
    {
      paths: {
        '/pets': body('../parts/pet.yaml'),
        '/gone': body('gone.yaml#/A'),
        '/own': body('file:///etc/passwd'),
      },
    },
    { address: 'https://api.example.com/v1/openapi.json', load },
  )
  expect(asked.sort()).toEqual([
    'https://api.example.com/parts/owner.yaml',
    'https://api.example.com/parts/pet.yaml',
    'https://api.example.com/v1/gone.yaml',
  ])
  expect(api.operations.map(({ key }) => key)).toEqual(['POST /pets'])
  expect(propertiesOf(api.operations[0] ?? expect.fail()).owner).toEqual({
    $ref: '#/$defs/OwnerInput',
  })
  expect(api.leftOut.map(({ why }) => why)).toEqual([
    'The file of the reference "gone.yaml#/A" could not be read.',
    'The file of the reference "file:///etc/passwd" could not be read.',
  ])
})

test('Swagger 2.0: host, collection formats, forms, files and bodies', async () => {
  const api = await readParts({
    swagger: '2.0',
    host: 'pets.example.com',
    basePath: '/v1',
    schemes: ['http', 'https'],
    consumes: ['application/x-www-form-urlencoded', 'multipart/form-data'],
    produces: ['application/json'],
    securityDefinitions: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    security: [{ key: [] }],
    definitions: {
      Pet: { type: 'object', properties: { name: { type: 'string', 'x-nullable': true } } },
    },
    paths: {
      '/pets': {
        get: {
          parameters: [
            { name: 'a', in: 'query', type: 'array', items: { type: 'string' } },
            {
              name: 'b',
              in: 'query',
              type: 'array',
              items: { type: 'string' },
              collectionFormat: 'multi',
            },
            {
              name: 'c',
              in: 'query',
              type: 'array',
              items: { type: 'string' },
              collectionFormat: 'pipes',
            },
            { name: 'X-Key', in: 'header', type: 'string', required: true },
            { name: 'limit', in: 'query', type: 'integer', minimum: 0, exclusiveMinimum: true },
          ],
          responses: {
            200: {
              description: 'x',
              schema: { type: 'array', items: { $ref: '#/definitions/Pet' } },
            },
          },
        },
        post: {
          parameters: [
            { name: 'photo', in: 'formData', type: 'file', required: true },
            { name: 'tags', in: 'formData', type: 'array', items: { type: 'string' } },
          ],
          ...ok,
        },
        put: {
          parameters: [{ name: 'pet', in: 'body', schema: { $ref: '#/definitions/Pet' } }],
          consumes: ['application/json'],
          ...ok,
        },
      },
    },
  })
  expect(api.leftOut).toEqual([])
  expect(api.servers).toEqual(['https://pets.example.com/v1', 'http://pets.example.com/v1'])
  const [list, create, replace] = api.operations
  expect(list?.security).toEqual({ kind: 'header', name: 'X-Key' })
  expect(list?.fields).toEqual([
    { name: 'a', in: 'query', wireName: 'a', required: false, explode: false },
    { name: 'b', in: 'query', wireName: 'b', required: false },
    { name: 'c', in: 'query', wireName: 'c', required: false, style: 'pipeDelimited' },
    { name: 'limit', in: 'query', wireName: 'limit', required: false },
  ])
  expect(list?.input.properties).toMatchObject({ limit: { type: 'integer', exclusiveMinimum: 0 } })
  expect(list?.output).toEqual({ type: 'array', items: { $ref: '#/$defs/Pet' } })
  expect(api.definitions.Pet).toEqual({
    type: 'object',
    properties: { name: { type: ['string', 'null'] } },
  })
  expect(create).toMatchObject({
    bodyType: 'multipart',
    fields: [{ in: 'file' }, { in: 'form', explode: false }],
  })
  expect(replace).toMatchObject({ bodyType: 'json', fields: [{ name: 'name', in: 'body' }] })
})

test('what only answers have is not asked for, and what only requests have is not promised', async () => {
  const schema = {
    type: 'object',
    required: ['id', 'secret', 'name'],
    properties: {
      id: { type: 'integer', readOnly: true },
      secret: { type: 'string', writeOnly: true },
      name: { type: 'string', nullable: true, enum: ['a', 'b'] },
    },
  }
  const content = { 'application/json': { schema } }
  const operation = await readOne({
    requestBody: { content, required: true },
    responses: { 201: { description: 'x', content } },
  })
  expect(operation.input.required).toEqual(['secret', 'name'])
  expect(operation.fields.map(({ name }) => name)).toEqual(['secret', 'name'])
  expect(operation.output).toMatchObject({ required: ['id', 'name'] })
  expect(operation.output?.properties).toEqual({
    id: { type: 'integer' },
    name: { type: ['string', 'null'], enum: ['a', 'b', null] },
  })
})

test('a body whose schema says more than its properties is one field', async () => {
  const bodyOf = async (schema: object) => {
    const content = { 'application/json': { schema } }
    return (await readOne({ requestBody: { content, required: true } })).fields
  }
  const whole = [{ name: 'body', in: 'body', wireName: '', required: true }]
  const properties = { a: { type: 'string' } }
  expect(await bodyOf({ type: 'array', items: {} })).toEqual(whole)
  expect(await bodyOf({ oneOf: [{ properties }] })).toEqual(whole)
  expect(await bodyOf({ properties, minProperties: 1 })).toEqual(whole)
  expect(await bodyOf({ properties, additionalProperties: { type: 'string' } })).toEqual(whole)
  expect(await bodyOf({ properties, required: ['b'] })).toEqual(whole)
  const [branches] = [
    await bodyOf({ allOf: [{ properties }, { properties: { b: {} }, required: ['b'] }] }),
  ]
  expect(branches.map(({ wireName, required }) => [wireName, required])).toEqual([
    ['a', false],
    ['b', true],
  ])
})

test('a file that is not a description is refused with its line', async () => {
  await expect(readText('{"swagger": "1.2"}')).rejects.toMatchObject({
    line: 1,
    message: expect.stringContaining('"1.2"'),
  })
  await expect(readText('a: 1\nb: [1, 2\nc: 3\n')).rejects.toMatchObject({
    name: 'DescriptionProblem',
    line: expect.any(Number),
  })
  await expect(readText('just text')).rejects.toMatchObject({
    message: expect.stringContaining('no fields'),
  })
  await expect(readText('{"info": {}}')).rejects.toMatchObject({
    message: expect.stringContaining('neither'),
  })
})

test('reading does not change what was parsed, and one operation not the schema of another', async () => {
  const shared = {
    type: 'object',
    properties: { a: { type: 'string', readOnly: true }, b: { type: 'string' } },
  }
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/S' } } }
  const operation = (required: boolean) => ({ ...ok, requestBody: { required, content } })
  const parts = {
    paths: {
      '/one': { post: operation(true) },
      '/two': {
        post: operation(false),
        get: { responses: { 200: { description: 'x', content } } },
      },
    },
    components: { schemas: { S: shared } },
  }
  const together = await readParts(parts)
  const alone = await readParts({ ...parts, paths: { '/two': parts.paths['/two'] } })
  expect(together.operations.slice(1)).toEqual(alone.operations)
  expect(together.definitions).toEqual(alone.definitions)
})
