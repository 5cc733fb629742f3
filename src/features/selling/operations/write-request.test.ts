import { expect, test } from 'vitest'
import type { DescribedField, DescribedOperation } from '../described-operation.ts'
import { writeRequest } from './write-request.ts'

const operation = (fields: Partial<DescribedField>[], more: Partial<DescribedOperation> = {}) =>
  ({
    method: 'POST',
    path: '/a',
    outputTypes: [],
    bodyType: undefined,
    fields: fields.map((field) => ({ name: 'f', wireName: 'f', required: false, ...field })),
    ...more,
  }) as DescribedOperation

const noFile = () => expect.fail('There are no files.')
const write = (
  fields: Partial<DescribedField>[],
  value: unknown,
  more?: Partial<DescribedOperation>,
) => writeRequest(operation(fields, more), { f: value }, noFile)
const pathOf = (field: Partial<DescribedField>, value: unknown) =>
  write([{ in: 'path', ...field }], value, { path: '/a/{f}' }).path
const queryOf = (field: Partial<DescribedField>, value: unknown) =>
  write([{ in: 'query', ...field }], value).path

test('each style of OpenAPI is written as its specification says', () => {
  const list = ['a b', 'c,d']
  const record = { R: 100, G: 'x/y' }
  expect(pathOf({}, list)).toBe('/a/a%20b,c%2Cd')
  expect(pathOf({ explode: true }, record)).toBe('/a/R=100,G=x%2Fy')
  expect(pathOf({ style: 'label', explode: true }, list)).toBe('/a/.a%20b.c%2Cd')
  expect(pathOf({ style: 'matrix' }, record)).toBe('/a/;f=R,100,G,x%2Fy')
  expect(pathOf({ style: 'matrix', explode: true }, list)).toBe('/a/;f=a%20b;f=c%2Cd')
  expect(queryOf({}, list)).toBe('/a?f=a%20b&f=c%2Cd')
  expect(queryOf({ explode: false }, list)).toBe('/a?f=a%20b,c%2Cd')
  expect(queryOf({}, record)).toBe('/a?R=100&G=x%2Fy')
  expect(queryOf({ style: 'pipeDelimited' }, list)).toBe('/a?f=a%20b%7Cc%2Cd')
  expect(queryOf({ style: 'deepObject' }, { a: { b: 1 }, c: [2] })).toBe(
    '/a?f%5Ba%5D%5Bb%5D=1&f%5Bc%5D%5B%5D=2',
  )
  expect(queryOf({ style: 'json' }, record)).toBe(
    '/a?f=%7B%22R%22%3A100%2C%22G%22%3A%22x%2Fy%22%7D',
  )
  expect(queryOf({ allowReserved: true }, 'a/b&c#')).toBe('/a?f=a/b%26c%23')
  expect(queryOf({}, null)).toBe('/a')
})

test('what would reach another path, another header or another value is refused', () => {
  const climbing = ['.', '..', '../x', 'x/..', 'x/../y', '..\\x', '%2e%2e', '%252e%252e/x', '..;/x']
  for (const value of climbing) expect(() => pathOf({}, value)).toThrow('may not be')
  expect(pathOf({}, 'group/x..y?y#z')).toBe('/a/group%2Fx..y%3Fy%23z')
  const header = (value: unknown) =>
    write([{ in: 'header', wireName: 'X-A' }], value).headers['x-a']
  expect(header(['a', 'b'])).toBe('a,b')
  for (const value of ['a\r\nb: c', ' a', '🌢', ['a,b'], 'x'.repeat(8_001)])
    expect(() => header(value)).toThrow('header')
  expect(() => queryOf({ style: 'spaceDelimited' }, ['a b'])).toThrow('separates')
  for (const name of ['authorization', 'x_forwarded_for'])
    expect(write([{ in: 'header', wireName: name }], 'x').headers).not.toHaveProperty(name)
})

test('bodies are JSON, urlencoded, multipart, or as they are', async () => {
  const text = (request: ReturnType<typeof write>) => Buffer.from(request.body ?? []).toString()
  expect(text(write([{ in: 'body' }], undefined, { bodyType: 'json' }))).toBe('{}')
  expect(text(write([{ in: 'body', wireName: '' }], [1], { bodyType: 'json' }))).toBe('[1]')
  expect(
    write([{ in: 'body', wireName: '' }], undefined, { bodyType: 'json' }).body,
  ).toBeUndefined()
  expect(text(write([{ in: 'form' }], { a: 1 }, { bodyType: 'form' }))).toBe('f=%7B%22a%22%3A1%7D')
  expect(text(write([{ in: 'form', wireName: '' }], { a: 1 }, { bodyType: 'form' }))).toBe('a=1')
  const raw = { bodyType: 'raw', bodyContentType: 'text/csv' } as const
  expect(text(write([{ in: 'body', wireName: '' }], 'a;b', raw))).toBe('a;b')
  const fields: Partial<DescribedField>[] = [
    { in: 'file', contentType: 'image/png' },
    { name: 'note', wireName: 'note"s', in: 'form' },
  ]
  const sent = writeRequest(
    operation(fields, { bodyType: 'multipart' }),
    { f: ['x'], note: { a: 1 } },
    () => ({ bytes: Buffer.from([0, 255]), filename: 'x.png', mediaType: undefined }),
  )
  const headers = { 'content-type': sent.headers['content-type'] ?? '' }
  const form = await new Response(Buffer.from(sent.body ?? []), { headers }).formData()
  const [[name, file] = [], [noteName] = []] = [...form]
  expect([name, noteName]).toEqual(['f', 'note"s'])
  expect(file).toMatchObject({ name: 'x.png', type: 'image/png', size: 2 })
})
