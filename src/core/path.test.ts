import { expect, test } from 'vitest'
import { blame, path } from './path.ts'

test('every value stays one segment, with any characters', () => {
  expect(path`/works/${'a b/c?d#e%'}/x`).toBe('/works/a%20b%2Fc%3Fd%23e%25/x')
  expect(path`/works/${'doi:10.1000'}`).toBe('/works/doi:10.1000')
  expect(path`/${1}/${'zwei'}`).toBe('/1/zwei')
  expect(path`/plain`).toBe('/plain')
})

test.each(['', '.', '..', '\ud800'])('%j cannot be a segment', (value) => {
  expect(() => path`/works/${value}`).toThrow(expect.objectContaining({ code: 'bad_request' }))
})

test('a refused part from the caller is the caller’s mistake, one from a reply the provider’s', () => {
  const refusalOf = (part: string) => {
    try {
      return path`/files/${part}`
    } catch (thrown) {
      return thrown
    }
  }
  expect(blame(refusalOf('..'), { id: '..' })).toMatchObject({ code: 'bad_request' })
  expect(blame(refusalOf(''), { names: [''] })).toMatchObject({ code: 'bad_request' })
  expect(blame(refusalOf('\ud800.json'), { id: '\ud800' })).toMatchObject({ code: 'bad_request' })
  expect(blame(refusalOf(''), { id: '7' })).toMatchObject({ code: 'upstream_error' })
  expect(blame(refusalOf('..'), { id: '7', q: '' })).toMatchObject({ code: 'upstream_error' })
})
