// The public contract of every action is a committed file. It may grow, but nothing that callers rely on may disappear.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { providers } from '#catalog/providers.ts'
import { type Action, z } from '#core/action.ts'
import { describePrice } from '#core/pricing/describe-price.ts'
import { type Contract, findLosses } from './contract-losses.ts'

const folder = path.join(import.meta.dirname, 'snapshots')
const updating = process.env.UPDATE_SNAPSHOTS === '1'
const howToUpdate = 'Run the tests with UPDATE_SNAPSHOTS=1 and commit the file.'

function publish(action: Action): Contract {
  const { protocols: _protocols, ...price } = describePrice(action)
  // Through JSON, to compare the stored form.
  return JSON.parse(
    JSON.stringify({
      input: z.toJSONSchema(action.input, { io: 'input', unrepresentable: 'any' }),
      output: z.toJSONSchema(action.output, { io: 'output', unrepresentable: 'any' }),
      price,
    }),
  )
}

const actions = providers.flatMap((provider) =>
  provider.actions.map((action) => ({ id: `${provider.id}.${action.name}`, action })),
)

test.each(actions)('$id keeps its contract', ({ id, action }) => {
  const file = path.join(folder, `${id}.json`)
  const after = publish(action)
  const write = () => writeFileSync(file, `${JSON.stringify(after, null, 2)}\n`)
  if (!existsSync(file)) {
    if (!updating) throw new Error(`${id} has no snapshot of its contract. ${howToUpdate}`)
    write()
    return
  }
  const before = JSON.parse(readFileSync(file, 'utf8')) as Contract
  const losses = findLosses(before, after)
  if (losses.length > 0) {
    throw new Error(
      `Callers of ${id} lose something. Keep it, or retire the action and sell another:\n${losses.map((loss) => `- ${loss}`).join('\n')}`,
    )
  }
  if (updating) write()
  else
    expect(
      after,
      `The contract of ${id} has grown or its words have changed. ${howToUpdate}`,
    ).toEqual(before)
})

test('no action disappears', () => {
  const known = readdirSync(folder).map((name) => path.basename(name, '.json'))
  const gone = known.filter((id) => !actions.some((action) => action.id === id))
  expect(gone, 'Callers lose whole actions. Retire an action before it goes').toEqual([])
})

const contract = (input: object, output: object = {}): Contract => ({
  input: { type: 'object', ...input },
  output: { type: 'object', ...output },
  price: {},
})
const string = { type: 'string' }

test.each<[string, Contract, Contract, string[]]>([
  [
    'a parameter that is gone',
    contract({ properties: { a: string } }),
    contract({ properties: {} }),
    ['"a" is no longer taken.'],
  ],
  [
    'a value that is gone',
    contract({ properties: { a: { type: 'string', enum: ['x', 'y'] } } }),
    contract({ properties: { a: { type: 'string', enum: ['x'] } } }),
    ['"a" no longer takes "y".'],
  ],
  [
    'a parameter that becomes required',
    contract({ properties: { a: string } }),
    contract({ properties: { a: string }, required: ['a'] }),
    ['"a" must be sent now.'],
  ],
  [
    'a type that is gone',
    contract({ properties: { a: { anyOf: [string, { type: 'integer' }] } } }),
    contract({ properties: { a: string } }),
    ['"a" no longer takes the type integer.'],
  ],
  [
    'a limit that is tighter',
    contract({
      properties: { a: { type: 'array', maxItems: 9, items: { type: 'string', minLength: 1 } } },
    }),
    contract({
      properties: { a: { type: 'array', maxItems: 5, items: { type: 'string', minLength: 2 } } },
    }),
    [
      '"a" has a tighter maxItems: 5 instead of 9.',
      '"a[]" has a tighter minLength: 2 instead of 1.',
    ],
  ],
  [
    'a field of the answer that is gone, deep inside',
    contract(
      {},
      { properties: { rows: { type: 'array', items: { properties: { url: string } } } } },
    ),
    contract({}, { properties: { rows: { type: 'array', items: { properties: {} } } } }),
    ['"rows[].url" is no longer promised.'],
  ],
  [
    'a field of the answer that may be absent, or null',
    contract({}, { properties: { a: string, b: string }, required: ['a', 'b'] }),
    contract(
      {},
      { properties: { a: string, b: { anyOf: [string, { type: 'null' }] } }, required: ['b'] },
    ),
    ['"a" may now be absent.', '"b" may now be of the type null.'],
  ],
  [
    'nothing when a contract grows',
    contract(
      {
        properties: { a: { type: 'string', enum: ['x'], maxLength: 5 }, n: { type: 'integer' } },
        required: ['a'],
      },
      { properties: { b: { anyOf: [string, { type: 'null' }] } } },
    ),
    contract(
      {
        properties: { a: { type: 'string', enum: ['x', 'y'] }, n: { type: 'number' }, new: string },
      },
      { properties: { b: string, c: string }, required: ['b'] },
    ),
    [],
  ],
])('the comparison names %s', (_name, before, after, losses) => {
  expect(findLosses(before, after)).toEqual(losses)
})
