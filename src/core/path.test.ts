import { expect, test } from 'vitest'
import { path } from './path.ts'

test('every value is one segment, whatever it holds', () => {
  expect(path`/works/${'a b/c?d#e%'}/x`).toBe('/works/a%20b%2Fc%3Fd%23e%25/x')
  expect(path`/works/${'doi:10.1000'}`).toBe('/works/doi:10.1000')
  expect(path`/${1}/${'zwei'}`).toBe('/1/zwei')
  expect(path`/plain`).toBe('/plain')
})

test.each(['', '.', '..', '\ud800'])('%j cannot be a segment', (value) => {
  expect(() => path`/works/${value}`).toThrow(expect.objectContaining({ code: 'bad_request' }))
})
