// An import as `tollway sell export` writes it, with operations that become source, and some that do not.
import { readDescription } from '#features/selling/openapi/read-description.ts'
import { readPriceRules } from '#features/selling/rules/price-rules.ts'
import { type SoldApi, soldApiFormat } from '#features/selling/sold-api.ts'

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const ok = (schema: object) => ({ 200: { description: 'Done.', ...json(schema) } })
const pet = { $ref: '#/components/schemas/Pet' }
const id = {
  name: 'pet-id',
  in: 'path',
  required: true,
  description: 'Which pet.',
  schema: { type: 'string' },
  example: 'rex/1',
}

const description = {
  openapi: '3.1.0',
  info: { title: 'Pets "and" their keepers', version: '1' },
  servers: [{ url: 'https://pets.example/v1' }],
  security: [{ key: [] }],
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'api_key' } },
    schemas: {
      Pet: {
        type: 'object',
        required: ['name', 'kind'],
        properties: {
          name: { type: 'string', description: 'What it is called' },
          kind: { enum: ['cat', 'dog'] },
          born: { type: ['integer', 'null'] },
          mother: { $ref: '#/components/schemas/Pet' },
          'odd name': { anyOf: [{ type: 'string' }, { type: 'number' }] },
        },
      },
    },
  },
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        summary: 'list the pets',
        parameters: [
          {
            name: 'kinds',
            in: 'query',
            description: 'Only these.',
            schema: { type: 'array', items: { type: 'string' }, maxItems: 3 },
            example: ['cat', 'dog'],
          },
          {
            name: 'page',
            in: 'query',
            description: 'The page.',
            schema: { type: 'integer', minimum: 1 },
          },
        ],
        responses: ok({ type: 'array', items: pet }),
      },
      post: {
        operationId: 'delete',
        summary: 'Add a pet.',
        requestBody: {
          required: true,
          ...json({
            type: 'object',
            required: ['name'],
            properties: {
              name: {
                type: 'string',
                minLength: 1,
                pattern: '^[a-z/]+$',
                description: 'Its "name".',
                example: 'rex',
              },
              keeper: {
                type: 'object',
                description: 'Who keeps it.',
                properties: { city: { type: 'string' } },
              },
            },
          }),
        },
        responses: ok(pet),
      },
    },
    '/pets/{pet-id}/notes': {
      get: {
        operationId: 'notes',
        deprecated: true,
        summary: 'Read what is noted of a pet.',
        parameters: [
          id,
          {
            name: 'X-Language',
            in: 'header',
            description: 'A language.',
            schema: { type: 'string' },
          },
        ],
        responses: ok({ type: 'object', properties: { notes: { type: 'array', items: {} } } }),
      },
    },
    '/photos': {
      post: {
        operationId: 'addPhoto',
        requestBody: {
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                properties: { file: { type: 'string', format: 'binary' } },
              },
            },
          },
        },
        responses: ok({ type: 'object' }),
      },
    },
    '/map': {
      get: {
        operationId: 'map',
        servers: [{ url: 'https://maps.example' }],
        responses: ok({ type: 'object' }),
      },
    },
  },
}

export async function exportPets(): Promise<SoldApi> {
  const address = 'https://pets.example/openapi.json'
  return {
    format: soldApiFormat,
    name: 'pets',
    kind: 'openapi',
    address,
    private: false,
    rules: readPriceRules([
      { match: 'notes', price: 'free' },
      { match: '*', price: 3 },
    ]),
    api: await readDescription({ text: JSON.stringify(description), address }),
    retired: [],
  }
}
