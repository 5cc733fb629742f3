import { expect, test } from 'vitest'
import { replayAction } from '#test/run-action.ts'
import { recalls } from '../provider.ts'

const get = (host: string, path: string, query: Record<string, string>, reply: object) => ({
  request: { method: 'GET', host: { host }, path, query },
  reply: { status: 200, ...reply },
})
const none = { status: 400, body: { Count: 0, results: [] } }
const campaign = {
  NHTSACampaignNumber: '20V314000',
  ReportReceivedDate: '28/05/2020',
  ModelYear: '2019',
  Make: 'LAND ROVER',
  Model: 'DISCOVERY',
  Component: 'AIR BAGS',
}

test('a make of two words is searched for as a whole', async () => {
  const q = '2019 Land Rover Discovery'
  const byVehicle = (make: string, model: string, reply: object) =>
    get('api.nhtsa.gov', '/recalls/recallsByVehicle', { make, model, modelYear: '2019' }, reply)
  const search = `product_description:"${q}" reason_for_recall:"${q}" recalling_firm:"${q}"`
  const fda = { search, sort: 'report_date:desc', limit: '20' }
  const { output } = await replayAction(recalls, 'search', {
    exchanges: [
      get(
        'www.saferproducts.gov',
        '/RestWebServices/Recall',
        { format: 'json', RecallTitle: q },
        { body: [] },
      ),
      ...['food', 'drug', 'device'].map((kind) =>
        get('api.fda.gov', `/${kind}/enforcement.json`, fda, { status: 404, body: {} }),
      ),
      byVehicle('Land', 'Rover Discovery', none),
      byVehicle('Land Rover', 'Discovery', { body: { Count: 1, results: [campaign] } }),
    ],
    input: { q },
  })
  expect(output).toMatchObject({
    unanswered: [],
    results: [{ id: 'nhtsa:20V314000', date: '2020-05-28' }],
  })
})
