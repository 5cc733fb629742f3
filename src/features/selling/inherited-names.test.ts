// Parameters and properties that are called as what each object of JavaScript inherits.
import { expect, test } from 'vitest'
import { checkOperations } from './importing/check-operations.ts'
import { readParts } from './openapi/description.fixture.ts'
import { writeRequest } from './operations/write-request.ts'
import { providerOf } from './provider.ts'
import { readSoldApi, type SoldApi, soldApiFormat } from './sold-api.ts'

const names = ['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty']
const noFile = () => expect.fail('There are no files.')

async function sellWith(name: string): Promise<SoldApi> {
  const schema = { type: 'string', minLength: 2 }
  const body = { type: 'object', properties: Object.fromEntries([[name, schema]]) }
  const requestBody = { content: { 'application/json': { schema: body, example: { kind: 'x' } } } }
  const responses = { 200: { description: 'Done.' } }
  const parameters = (required: boolean) => [{ name, in: 'query', required, schema }]
  const api = await readParts({
    paths: {
      '/needed': { get: { parameters: parameters(true), responses } },
      '/optional': { get: { parameters: parameters(false), responses } },
      '/body': { post: { requestBody, responses } },
      '/typed': {
        get: { parameters: [{ name: 'a', in: 'query', schema: { type: name } }], responses },
      },
    },
  })
  const sold = { name: 'cars', kind: 'openapi', address: 'https://api.example.com', private: false }
  const rules = [{ match: '*', price: 1 }]
  const file = { format: soldApiFormat, ...sold, rules, api, retired: [] }
  return readSoldApi(JSON.parse(JSON.stringify(file)))
}

test.each(names)(
  'a parameter or property %s is sold, checked and sent like any other',
  async (name) => {
    const sold = await checkOperations(await sellWith(name))
    expect(sold.api.leftOut).toEqual([])
    const { actions } = providerOf(sold).provider
    const [needed, optional, posted] = sold.api.operations
    if (!needed || !optional || !posted) throw new Error('Operations are missing.')
    const field = needed.fields[0]?.name ?? ''
    const given = { [field]: 'Ferrari' }
    expect(writeRequest(needed, given, noFile).path).toBe(`/needed?${name}=Ferrari`)
    expect(writeRequest(optional, {}, noFile).path).toBe('/optional')
    expect(Buffer.from(writeRequest(posted, given, noFile).body ?? []).toString()).toBe(
      `{"${name}":"Ferrari"}`,
    )
    expect(Buffer.from(writeRequest(posted, {}, noFile).body ?? []).toString()).toBe('{}')
    const inputs = new Map(actions.map((action) => [action.name, action.input]))
    const fits = (operation: string, input: object) =>
      inputs.get(operation)?.safeParse(input).success
    expect([given, {}, { [field]: 'x' }].map((input) => fits('get-needed', input))).toEqual([
      true,
      false,
      false,
    ])
    expect([given, {}, { [field]: 'x' }].map((input) => fits('get-optional', input))).toEqual([
      true,
      true,
      false,
    ])
  },
)
