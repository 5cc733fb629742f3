// What the sources of the shelf ask for, and refuse, beyond their examples.
import { expect, test } from 'vitest'
import type { Action } from '#core/action.ts'
import { systemClock } from '#platform/clock.ts'
import type { Exchange } from '#test/replay-server.ts'
import { replayAction } from '#test/run-action.ts'
import { primary } from '../../provider.ts'
import { shelf } from './shelf.ts'

const clock = { ...systemClock, now: () => Date.parse('2026-09-15T12:00:00Z') }
const [action] = primary().actions as readonly [Action]
const ask = (input: object, exchanges: readonly Exchange[] = []) =>
  replayAction(primary(), 'fetch', { input, exchanges, clock })

/** An exchange with the source of an endpoint. */
const get = (endpoint: string, path: string, query: Record<string, string>, body: unknown) => ({
  request: { method: 'GET', host: { host: shelf[endpoint]?.host ?? '' }, path, query },
  reply: { status: 200, body },
})

test('the defaults of one endpoint do not become parameters of another', () => {
  const weather = { endpoint: 'weather', latitude: 39.7456, longitude: -97.0892 }
  expect(action.input.parse(weather)).toEqual(weather)
})

test.each<[object, RegExp]>([
  [{ endpoint: 'us-lobbying', year: 2026 }, /client, registrant, lobbyist, issue is needed/],
  [{ endpoint: 'tides' }, /is needed for tides/],
  [{ endpoint: 'tides', station: '9414290', currency: 'USD' }, /not a parameter of tides/],
  [{ endpoint: 'euro-exchange-rates', currency: 'dollars' }, /currency of three letters/],
  [{ endpoint: 'eu-tenders', q: 'bridge" OR FT ~ "road' }, /without quotation marks/],
  [{ endpoint: 'eu-statistics', dataset: 'une_rt_m', filters: 'Germany' }, /codes of dimensions/],
  [{ endpoint: 'uk-parliament', name: 'Ada', limit: 21 }, /20/],
  [{ endpoint: 'us-banks', name: 'Bank" OR CERT:1' }, /words of a name/],
])('%o is refused before anything is asked', (input, message) => {
  const issues = action.input.safeParse(input).error?.issues ?? []
  expect(issues.map((issue) => issue.message).join(' ')).toMatch(message)
})

test.each([
  { endpoint: 'earthquakes', latitude: 37 },
  { endpoint: 'tides', station: '9414290', from: '2026-09-15', to: '2026-09-14' },
  { endpoint: 'tides', station: '9414290', from: '2026-01-01', to: '2027-06-01' },
  { endpoint: 'us-labor', series: 'LNS14000000', from_year: 2010, to_year: 2026 },
  { endpoint: 'vulnerabilities', q: 'openssl', from: '2026-01-01' },
])('%o cannot be asked of the source, and is the caller’s mistake', async (input) => {
  expect((await ask(input)).error?.code).toBe('bad_request')
})

test('days are asked for instead of the latest values when they are named', async () => {
  const rate = { effectiveDate: '2026-09-01', type: 'SOFR', percentRate: 3.7 }
  const { output } = await ask(
    { endpoint: 'us-reference-rates', benchmark: 'sofr', from: '2026-09-01', to: '2026-09-02' },
    [
      get(
        'us-reference-rates',
        '/api/rates/secured/sofr/search.json',
        { startDate: '2026-09-01', endDate: '2026-09-02', type: 'rate' },
        { refRates: [rate] },
      ),
    ],
  )
  expect(output.result.items).toMatchObject([{ date: '2026-09-01', percent: 3.7 }])
})

test('tides without days are those of today and tomorrow', async () => {
  const query = {
    product: 'predictions',
    station: '8518750',
    begin_date: '20260915',
    end_date: '20260916',
    datum: 'MLLW',
    units: 'metric',
    time_zone: 'gmt',
    interval: 'hilo',
    format: 'json',
    application: 'tollway',
  }
  const predictions = [{ t: '2026-09-15 03:12', v: '1.5', type: 'H' }]
  const asked = get('tides', '/api/prod/datagetter', query, { predictions })
  const { output } = await ask({ endpoint: 'tides', station: '8518750' }, [asked])
  expect(output.result.items).toHaveLength(1)
})

test('a gage that cannot measure has no value, and without any value nothing is sold', async () => {
  const series = (value: string) => ({
    sourceInfo: { siteName: 'RIVER', siteCode: [{ value: '01646500' }] },
    variable: { variableDescription: 'Gage height, feet', noDataValue: -999_999 },
    values: [{ value: [{ value, qualifiers: ['P'], dateTime: '2026-09-15T07:45:00-04:00' }] }],
  })
  const query = {
    format: 'json',
    sites: '01646500',
    parameterCd: '00060,00065,00010',
    siteStatus: 'all',
  }
  const read = (values: string[]) =>
    ask({ endpoint: 'us-rivers', gage: '01646500' }, [
      get('us-rivers', '/nwis/iv/', query, { value: { timeSeries: values.map(series) } }),
    ])
  expect((await read(['-999999', '4.2'])).output.result.items).toMatchObject([{ value: 4.2 }])
  expect((await read(['-999999'])).error?.code).toBe('not_found')
})

test('a limit that the statistics office reports with the status 200 is a limit', async () => {
  const body = {
    status: 'REQUEST_NOT_PROCESSED',
    message: ['Request could not be serviced, as the daily threshold has been reached.'],
    Results: {},
  }
  const asked = get('us-labor', '/publicAPI/v1/timeseries/data/LNS14000000', {}, body)
  const { error } = await ask({ endpoint: 'us-labor', series: 'LNS14000000' }, [asked])
  expect(error?.code).toBe('rate_limited')
})

test('a code that the World Bank does not know is not found', async () => {
  const message = [{ id: '120', key: 'Invalid value', value: 'The parameter value is not valid' }]
  const { error } = await ask(
    { endpoint: 'world-indicators', country: 'XX', indicator: 'NO.SUCH' },
    [
      get(
        'world-indicators',
        '/v2/country/XX/indicator/NO.SUCH',
        { format: 'json', per_page: '20' },
        [{ message }],
      ),
    ],
  )
  expect(error?.code).toBe('not_found')
})

test('what the registry of providers refuses is told in its words', async () => {
  const body = { Errors: [{ description: 'Field state requires additional search criteria' }] }
  const { error } = await ask({ endpoint: 'health-providers', city: 'X' }, [
    get('health-providers', '/api/', { version: '2.1', city: 'X', limit: '20', skip: '0' }, body),
  ])
  expect([error?.code, error?.data]).toEqual([
    'bad_request',
    { provider_message: 'Field state requires additional search criteria' },
  ])
})
