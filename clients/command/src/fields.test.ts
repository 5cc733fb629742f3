import { describe, expect, test } from 'vitest'
import { readFields, type Schema } from './fields.ts'
import { asOptions, inOwnWords } from './own-words.ts'
import { parseWords, withVerbFirst } from './parse.ts'
import { progressLine } from './progress.ts'
import { render } from './render.ts'
import { defineVerb, type Verb } from './verb.ts'
import { quote, run } from './verbs/running.ts'

const properties: Record<string, Schema> = {
  query: { type: 'string' },
  limit: { type: 'integer' },
  ratio: { type: 'number' },
  links: { type: 'boolean' },
  urls: { type: 'array', items: { type: 'string' } },
  years: { type: 'array', items: { type: 'integer' } },
  filter: { type: 'object' },
  maxItems: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
  either: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
  anything: {},
}

const verb = defineVerb({
  name: 'call',
  summary: 'Calls.',
  operands: { action: { about: 'The action.' } },
  options: { 'max-cost': { about: 'The ceiling.', value: 'CENTS' } },
  takesFields: true,
  async run() {},
})

const read = (...words: string[]) =>
  readFields(parseWords(verb, ['a/b', ...words]), { properties }, 'a/b')

describe('a field', () => {
  test.for([
    [['--query', 'a b'], { query: 'a b' }],
    [['--query=--a'], { query: '--a' }],
    [['--query', '007'], { query: '007' }],
    [['--limit', '5'], { limit: 5 }],
    [['--ratio', '5'], { ratio: 5 }],
    [['--ratio', '-0.5'], { ratio: -0.5 }],
    [['--links'], { links: true }],
    [['--links', 'false'], { links: false }],
    [['--no-links'], { links: false }],
    [['--urls', 'a', 'b'], { urls: ['a', 'b'] }],
    [['--urls', 'a', '--urls', 'b'], { urls: ['a', 'b'] }],
    [['--urls', '["a","b"]'], { urls: ['a', 'b'] }],
    [['--years', '1', '2'], { years: [1, 2] }],
    [['--filter', '{"a":1}'], { filter: { a: 1 } }],
    [['--max-items', '3'], { maxItems: 3 }],
    [['--max_items', 'null'], { maxItems: null }],
    [['--either', 'a'], { either: 'a' }],
    [['--either', 'a', 'b'], { either: ['a', 'b'] }],
    [['--anything', '{"a":1}'], { anything: { a: 1 } }],
    [['--anything', 'a'], { anything: 'a' }],
  ] as const)('%j becomes %j', ([words, body]) => {
    expect(read(...words)).toEqual(body)
  })

  test.for([
    [['--limit', 'many'], 'a whole number'],
    [['--limit', '1.5'], 'a whole number'],
    [['--query', 'a', 'b'], 'Quote text that has spaces'],
    [['--query'], '--query needs a value'],
    [['--colour', 'red'], 'a/b has no field colour. It takes --query, --limit'],
  ] as const)('%j is refused: %s', ([words, sentence]) => {
    expect(() => read(...words)).toThrow(sentence)
  })
})

test('the ceiling is called by its option, where the fields of an action are listed', () => {
  const ceiling = { ...properties, max_cost_cents: { type: 'integer' } }
  const parsed = parseWords(verb, ['a/b', '--colour', 'red'])
  const refused = () => readFields(parsed, { properties: ceiling }, 'a/b')
  expect(refused).toThrow(/--anything, --max-cost\.$/)
  expect(inOwnWords('Send --max_cost_cents or max_cost_cents.', 'http://a')).toBe(
    'Send --max-cost or --max-cost.',
  )
})

test('an option of the verb is not a field, wherever it is', () => {
  const words = ['--max-cost', '5', 'a/b', '--query', 'a', '--json']
  const { options, operands, fieldWords } = parseWords(verb, words)
  expect(options).toMatchObject({ 'max-cost': '5', json: true })
  expect({ operands, fieldWords }).toEqual({
    operands: { action: 'a/b' },
    fieldWords: [{ name: 'query', values: ['a'] }],
  })
})

test('a field that an action does not have may be an option of the verb, as the verb declares it', () => {
  const told = (declared: Verb, ...words: string[]) => {
    try {
      return readFields(parseWords(declared, ['a/b', ...words]), { properties }, 'a/b')
    } catch (error) {
      return (error as Error).message
    }
  }
  for (const [typed, option] of [
    ['--background', '--no-wait'],
    ['--out=x', '--save-to'],
    ['--budget=5', '--max-cost'],
  ] as const) {
    expect(told(run, typed)).toContain(`Did you mean ${option}?`)
    const also = Object.keys(quote.options ?? {}).includes(option.slice(2))
    expect(String(told(quote, typed)).includes('Did you mean'), `quote ${typed}`).toBe(also)
  }
})

test('what may be given once is not given again, and a list and a switch may be', () => {
  const create = defineVerb({
    name: 'keys create',
    summary: '',
    options: {
      name: { about: '', value: 'TEXT' },
      action: { about: '', value: 'ACTION', many: true },
      yes: { about: '' },
    },
    run: async () => {},
  })
  const optionsIn = (...words: string[]) => parseWords(create, words).options
  for (const words of [
    ['--name', 'a', '--name', 'a'],
    ['--name=a', '--action', 'x/y', '--name', 'b'],
  ])
    expect(() => optionsIn(...words)).toThrow('--name may be given once, and was given twice.')
  // One may come from before the verb, as an alias of a shell has it.
  const gateways = withVerbFirst(['--gateway', 'a', 'keys', 'create', '--gateway', 'b']).slice(2)
  expect(() => optionsIn(...gateways)).toThrow('--gateway may be given once')
  expect(optionsIn('--action', 'a/b', '--action', 'c/d', '--yes', '--yes')).toMatchObject({
    action: ['a/b', 'c/d'],
    yes: true,
  })
  expect(read('--urls', 'a', '--urls', 'b')).toEqual({ urls: ['a', 'b'] })
  expect(() => read('--query', 'a', '--query', 'b', '--query', 'c')).toThrow(
    '--query may be given once, and was given 3 times.',
  )
})

test('an answer is shown by names and indentation, without control characters', () => {
  const answer = { title: 'A\u001B[31m', rows: [{ a: 1, b: null }], empty: [], text: 'x\ny' }
  expect(render(answer)).toBe(
    'title: A[31m\nrows:\n  - a: 1\n    b: –\nempty: none\ntext:\n  x\n  y',
  )
})

test('progress is a line with a bar', () => {
  const line = progressLine({ phase: 'reading', percent: 25, done: 5, total: 20 })
  expect(line).toBe('reading  [######------------------]  25%  5 of 20')
})

test('a field may be called as what each object inherits', () => {
  const inherited = { properties: { constructor: { type: 'string' } } }
  const parsed = parseWords(verb, ['a/b', '--constructor', 'Map'])
  expect(readFields(parsed, inherited, 'a/b')).toEqual({ constructor: 'Map' })
})

test.for([
  [
    '"urls" is missing. Send it as an array.',
    '--urls is missing. Give it as one value or several.',
  ],
  ['"id" is missing. Send it as a string.', '--id is missing. Give it as a string.'],
  ['"any" is missing. Send it.', '--any is missing.'],
] as const)('%s is said of an option', ([message, said]) => {
  expect(asOptions(message)).toBe(said)
})
