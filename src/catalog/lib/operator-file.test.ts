import { expect, test } from 'vitest'
import { parseOperatorFile } from './operator-file.ts'

const endpoint = {
  summary: 'Exchange rates of the day.',
  price_cents: 1,
  source: 'A bank',
  parameters: { base: { type: 'string', description: 'A currency.', required: true } },
  request: { url: 'https://bank.example/rates/{base}', headers: { 'x-key': '{BANK_API_KEY}' } },
  example: { base: 'EUR' },
}
const withEndpoint = (changes: object, name = 'rates') =>
  JSON.stringify({ primary_endpoints: { [name]: { ...endpoint, ...changes } } })

const model = {
  type: 'text_to_video',
  title: 'Ours',
  endpoint: 'us/ours',
  mode: 'job',
  parameters: {
    type: 'object',
    properties: { prompt: { type: 'string' }, duration: { type: 'integer', default: 5 } },
    required: ['prompt'],
  },
  price: { per: 'second', cents: 3, seconds: { parameter: 'duration' } },
  example: { prompt: 'x' },
  source: 'Our price list',
  date: '2026-11-22',
}
const withModel = (changes: object, key = 'ours') =>
  JSON.stringify({ media_models: { [key]: { ...model, ...changes } } })

test('models of media are added, and removed with null', () => {
  const text = JSON.stringify({ media_models: { ours: model, 'flux/dev': null } })
  expect(parseOperatorFile(text, 'c.json').media_models).toMatchObject({
    ours: { title: 'Ours', parameters: { additionalProperties: false } },
    'flux/dev': null,
  })
})

test('a file with comments and an extra comma is read, and its required keys are known', () => {
  const text = withEndpoint({}).replace(/}$/, ', // no more\n}')
  expect(parseOperatorFile(text, 'c.json').primary_endpoints.rates).toMatchObject({
    price_cents: 1,
    keys: ['BANK_API_KEY'],
  })
})

test.each<[string, RegExp]>([
  [
    '{\n  "primary_endpoints": {\n  "rates" {} } }',
    /line 3 of c\.json: the JSON is not valid \(colon expected\)\.$/,
  ],
  ['', /line 1 of c\.json: the JSON is not valid/],
  ['{\n"endpoints": {}\n}', /line 2 of c\.json: endpoints is not known here\.$/],
  [
    JSON.stringify({ primary_endpoints: { rates: { ...endpoint, summary: 'x' } } }, null, 1),
    /line 4 of .* primary_endpoints\.rates\.summary is not right/,
  ],
  [
    JSON.stringify({ primary_endpoints: { rates: { ...endpoint, price_cents: 'one' } } }, null, 1),
    /line 5 of .* primary_endpoints\.rates\.price_cents is not right \(invalid input: expected number, received string\)\.$/,
  ],
  [withEndpoint({}, 'weather'), /primary_endpoints\.weather is an endpoint of the gateway already/],
  [withEndpoint({}, 'My Rates'), /must be lower-case letters/],
  [
    withEndpoint({ request: { url: 'https://{base}.example/' } }),
    /request\.url must not take its host/,
  ],
  [
    withEndpoint({ request: { url: 'ftp://a.example/' } }),
    /request\.url must be an http or https address/,
  ],
  [
    withEndpoint({ request: { url: 'https://a.example/{b}' } }),
    /request\.url uses \{b\}, which is not a parameter/,
  ],
  [
    withEndpoint({ request: { url: 'https://a.example/', query: { q: '{b}' } } }),
    /request\.query uses/,
  ],
  [withEndpoint({ example: {} }), /example must show base, which is required/],
  [withEndpoint({ example: { base: 'EUR', to: 'USD' } }), /example\.to is not a parameter/],
  [
    withEndpoint({ parameters: { base: { description: 'A currency.' } } }),
    /parameters\.base\.type is needed/,
  ],
  [
    withEndpoint({
      parameters: { ...endpoint.parameters, url: { type: 'string', description: 'Page.' } },
    }),
    /parameters\.url\.type must be left out/,
  ],
  [
    '{"platform_actors": {"tiktok": "a/b"}}',
    /platform_actors\.tiktok must be written platform\/kind/,
  ],
  ['{"platform_actors": {"tiktok/comments": "ab"}}', /must be an actor, written user\/actor/],
  [
    '{"platform_actors": {"tiktok/comments": {"actor": "a/b", "summary": "Something new."}}}',
    /is set by the gateway/,
  ],
  [
    '{"platform_actors": {"myspace/posts": "a/b"}}',
    /summary is needed: the gateway has no myspace\/posts/,
  ],
  [withModel({}, 'Our Model'), /must be lower-case letters/],
  [withModel({ type: 'hologram' }), /media_models\.ours\.type is not right/],
  [withModel({ price: { per: 'smile', cents: 1 } }), /media_models\.ours\.price/],
  [
    withModel({ price: { per: 'call', cents: -1 } }),
    /media_models\.ours\.price\.cents is not right/,
  ],
  [
    withModel({ price: { per: 'call', cents: 1, times: 'copies' } }),
    /media_models\.ours\.price needs copies, which is not a parameter/,
  ],
  [
    withModel({
      parameters: {
        ...model.parameters,
        properties: { prompt: {}, duration: { type: 'integer' } },
      },
    }),
    /media_models\.ours\.parameters\.properties\.duration needs a default/,
  ],
  [
    withModel({
      parameters: {
        ...model.parameters,
        properties: { store: {}, ...model.parameters.properties },
      },
    }),
    /parameters\.properties\.store is the name of a field of the gateway/,
  ],
  [
    withModel({ parameters: { ...model.parameters, required: ['prompt', 'sound'] } }),
    /parameters\.required names sound, which is not a parameter/,
  ],
  [withModel({ example: {} }), /media_models\.ours\.example does not fit/],
  [
    withModel({ endpoint: 'https://a.example/b' }),
    /endpoint must be an endpoint, written owner\/app/,
  ],
  [withModel({ date: 'yesterday' }), /media_models\.ours\.date is not right/],
  ['{"platform_actors": {"ns_fax/send": "a/b"}}', /ns_fax is a namespace of the gateway/],
])('%s is refused with its line and field', (text, message) => {
  expect(() => parseOperatorFile(text, 'c.json')).toThrow(message)
  expect(() => parseOperatorFile(text, 'c.json')).toThrow(
    /^CATALOG_FILE: line \d+ of c\.json: [^\n]*\.$/,
  )
})
