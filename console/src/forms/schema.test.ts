import { expect, test } from 'vitest'
import { fieldsOf, readForm, textsOf } from './schema.ts'

const schema = {
  type: 'object',
  required: ['urls', 'depth'],
  properties: {
    format: { type: 'string', enum: ['markdown', 'html'], default: 'markdown' },
    urls: { type: 'array', items: { type: 'string' }, description: 'Web addresses.' },
    depth: { type: 'integer', minimum: 1 },
    ratio: { type: 'number' },
    formats: { type: 'array', items: { type: 'string', enum: ['links', 'images'] } },
    wait_for: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
    headers: { type: 'object', properties: {} },
    cached: { type: 'boolean', default: true },
    note: { type: ['string', 'null'], maxLength: 5_000 },
  },
}

test('each property becomes the field that fits, required ones first', () => {
  expect(fieldsOf(schema).map(({ name, kind }) => `${name}: ${kind}`)).toEqual([
    'urls: list',
    'depth: integer',
    'format: choice',
    'ratio: number',
    'formats: choices',
    'wait_for: value',
    'headers: value',
    'cached: boolean',
    'note: long text',
  ])
})

test('a filled form becomes the input, and empty fields are left out', () => {
  const { input, problems } = readForm(fieldsOf(schema), {
    urls: 'https://one.example\n\n https://two.example ',
    depth: '3',
    ratio: '0.5',
    formats: 'links\nimages',
    wait_for: '#ready',
    headers: '{"accept": "text/html"}',
    cached: 'false',
    note: ' ',
  })
  expect(problems).toEqual({})
  expect(input).toEqual({
    urls: ['https://one.example', 'https://two.example'],
    depth: 3,
    ratio: 0.5,
    formats: ['links', 'images'],
    wait_for: '#ready',
    headers: { accept: 'text/html' },
    cached: false,
  })
})

test('what cannot be read is named at its field', () => {
  const { problems } = readForm(fieldsOf(schema), {
    depth: 'three',
    headers: '{',
    ratio: 'half',
  })
  expect(Object.keys(problems)).toEqual(['urls', 'depth', 'ratio', 'headers'])
})

test('an example survives being shown in the form', () => {
  const fields = fieldsOf(schema)
  const example = {
    urls: ['https://one.example'],
    depth: 2,
    wait_for: 500,
    headers: { accept: 'text/html' },
    cached: true,
    formats: ['links'],
  }
  expect(readForm(fields, textsOf(fields, example)).input).toEqual(example)
})
