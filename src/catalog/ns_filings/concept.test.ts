import { expect, test } from 'vitest'
import { replayAction } from '#test/run-action.ts'
import { filings } from './provider.ts'

const exchange = (taxonomy: string, reply: { status: number; text?: string; body?: unknown }) => ({
  request: {
    method: 'GET',
    host: { host: 'data' },
    path: `/api/xbrl/companyconcept/CIK0001000184/${taxonomy}/Assets.json`,
    query: {},
  },
  reply,
})
const missing = { status: 404, text: '<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>' }
const input = { cik: '1000184', concept: 'Assets' }

test('a foreign filer’s concept is found in the second taxonomy', async () => {
  const units = { EUR: [{ end: '2023-12-31', val: 1, fy: 2023, fp: 'FY', form: '20-F' }] }
  const { output } = await replayAction(filings, 'concept', {
    exchanges: [
      exchange('us-gaap', missing),
      exchange('ifrs-full', { status: 200, body: { tag: 'Assets', entityName: 'SAP SE', units } }),
    ],
    input,
  })
  expect(output).toMatchObject({ taxonomy: 'ifrs-full', entity: 'SAP SE', units })
})

test('a concept that was never reported is not found', async () => {
  const { error } = await replayAction(filings, 'concept', {
    exchanges: [exchange('us-gaap', missing), exchange('ifrs-full', missing)],
    input,
  })
  expect(error).toMatchObject({
    code: 'not_found',
    message: 'CIK 0001000184 has never reported Assets, in us-gaap or ifrs-full. Try another tag.',
  })
})

test('a failure of the first taxonomy does not count as a missing tag', async () => {
  const { error } = await replayAction(filings, 'concept', {
    exchanges: [exchange('us-gaap', { status: 500, text: '' })],
    input,
  })
  expect(error?.code).toBe('upstream_error')
})
