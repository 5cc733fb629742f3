import { readBody } from '@tollway/reader'
import { expect, test } from 'vitest'
import type { LadderRow } from '../ladder/ladder.ts'
import { rowSchema, toRow } from './rows.ts'

const url = 'https://mill.example/wheel'
const { survey: _survey, ...page } = readBody(
  { kind: 'html', body: '<title>The wheel</title><p>The wheel turns.', finalUrl: url },
  { format: 'markdown', mainContent: false },
)
const row: LadderRow = {
  url,
  finalUrl: url,
  page,
  keptSince: null,
  picture: null,
  provider: 'fetch',
  yield: 0.7,
  reply: { status: 200, contentType: 'text/html' },
  flags: [],
  hops: [],
  hard: false,
  price: 'batch',
  truncated: false,
  trouble: null,
}
const options = { format: 'markdown', main_content: true } as const

test('a row tells what the reader left out near the content, and nothing where it took all', () => {
  const leftOut = [{ kind: 'table', words: 120 }] as const
  const told = rowSchema.parse(toRow({ ...row, page: { ...page, leftOut } }, options))
  expect(told.left_out).toEqual(leftOut)
  expect(rowSchema.parse(toRow(row, options))).not.toHaveProperty('left_out')
})
