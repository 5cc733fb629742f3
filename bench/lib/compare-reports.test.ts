import { expect, test } from 'vitest'
import { compareReports } from './compare-reports.ts'

const report = (first: number, second: number) => `A line of prose.

| callers | what | calls/s | note |
|---|---|---|---|
| 1 | whole | ${first} | |
| 8 | whole | ${second} | 0.5 |
`

test('each figure is compared by the medians of its row and column', () => {
  const table = compareReports([report(100, 10), report(300, 30)], [report(100, 10)])
  expect(table.split('\n')).toEqual([
    '| what | figure | before | after | ratio |',
    '|---|---|---|---|---|',
    '| 1, whole | calls/s | 200 | 100 | 0.50 |',
    '| 8, whole | calls/s | 20 | 10 | 0.50 |',
    '| 8, whole | note | 0.5 | 0.5 | 1.00 |',
  ])
})
