import { expect, test } from 'vitest'
import { describeTools } from '../mcp/described-tools.ts'
import { readSoldApi, readStoredApi, type SoldApi, soldApiFormat } from '../sold-api.ts'
import { keepOperations } from './revise.ts'

const now = new Date('2026-11-29T00:00:00Z')
const address = 'https://mcp.example.com/mcp'

/** Sold by operations of these keys and names. */
function soldWith(...operations: readonly (readonly [key: string, name: string])[]): SoldApi {
  const tools = operations.map((_, at) => ({ name: `tool-${at}`, inputSchema: { type: 'object' } }))
  const list = { title: 'Tools', version: '1', tools, isCut: false }
  const api = describeTools(list, { address, security: 'none' })
  return {
    format: soldApiFormat,
    name: 'tools',
    kind: 'mcp',
    address,
    private: false,
    rules: [{ match: '*', price: 1 }] as unknown as SoldApi['rules'],
    retired: [],
    api: {
      ...api,
      operations: api.operations.map((operation, at) => {
        const [key = '', name = ''] = operations[at] ?? []
        return { ...operation, key, name }
      }),
    },
  }
}
const namesOf = ({ api }: SoldApi) => api.operations.map(({ name }) => name)

test('operations with one key keep names of their own', () => {
  const sold = soldWith(['find', 'find'], ['find', 'find-2'])
  const next = keepOperations(soldWith(['find', 'find'], ['find', 'find-2']), sold, now)
  expect(namesOf(next)).toEqual(['find', 'find-2'])
  expect(namesOf(keepOperations(soldWith(['find', 'find']), sold, now))).toEqual(['find'])
})

test('a file with one name for two operations is refused, also where one of them is retired', () => {
  const sold = soldWith(['a', 'find'], ['b', 'find'])
  expect(() => readSoldApi(sold)).toThrow('Two operations of the file are called find.')
  const [first] = sold.api.operations
  if (first === undefined) throw new Error('There is no operation.')
  const retired = {
    ...soldWith(['a', 'find']),
    retired: [{ operation: first, since: '2026-11-01' }],
  }
  expect(() => readSoldApi(retired)).toThrow('Two operations of the file are called find.')
  // What an earlier version has stored is sold all the same.
  expect(namesOf(readStoredApi(sold))).toEqual(['find'])
  expect(readStoredApi(retired).retired).toEqual([])
  expect(readSoldApi(soldWith(['a', 'find'], ['b', 'look'])).api.operations).toHaveLength(2)
})
