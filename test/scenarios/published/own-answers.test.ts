// The answers of the gateway's own actions on their pages. They have no vendor whose reply could be recorded, so each
// is an answer of this gateway to the call that stands above it. UPDATE_ANSWERS=1 records them anew.
import { writeFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { beforeAll, expect, test } from 'vitest'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import {
  file,
  page,
  type Site,
  serveSite,
  urlset,
} from '#features/web/reading/sites/site.fixture.ts'
import { ownAnswersFile, type RecordedAnswer, readAnswers } from '#surfaces/docs/answers.ts'
import { shareGatewayOfWorker, type TestAccount } from '#test/harness.ts'

const updating = process.env.UPDATE_ANSWERS === '1'
const gateway = shareGatewayOfWorker({
  env: { EGRESS_ALLOW: '127.0.0.0/8', CHROMIUM_PATH: '/nowhere' },
})

/** Without the addresses of this machine and the signatures of links. */
const withPublicNames = (value: unknown, site: Site) =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll(/sig=[\w-]+/g, 'sig=…')
      .replaceAll(site.url('').replace(/\/$/, ''), 'https://harbour.example')
      .replaceAll(gateway().url, 'http://127.0.0.1:4020'),
  )

async function answerTo(account: TestAccount, id: string, input: object): Promise<unknown> {
  const { body } = await account.call(id, input)
  expect(body, `${id}: ${body.message}`).toMatchObject({ ok: true })
  if (body.data.async !== true) return body.data
  const poll = { job_id: body.data.job_id, wait_seconds: 50 }
  const { data } = (await account.call('tollway/result', poll)).body
  expect(data, id).toMatchObject({ status: 'succeeded' })
  return data.result
}

async function openSite(): Promise<Site> {
  const site = await serveSite('127.0.0.1')
  const filler = '<p>This manual tells operators how the harbour works, in short chapters.</p>'
  const chapter = (title: string, body: string) =>
    page(`<title>${title}</title><main><h1>${title}</h1>${body}${filler.repeat(4)}</main>`)
  const chapters = {
    '/': chapter('Harbour manual', '<p>Read the chapters in any order.</p>'),
    '/mooring': chapter('Mooring', '<p>Double the bow lines before a storm.</p>'),
    '/dues': chapter('Harbour dues', '<p>Ships pay dues by their length.</p>'),
  }
  for (const [path, answer] of Object.entries(chapters)) site.answers.set(path, answer)
  const listed = Object.keys(chapters).map((path) => site.url(path))
  site.answers.set('/sitemap.xml', file(urlset(listed)))
  return site
}

async function recordAnswers(): Promise<void> {
  const answers: Record<string, RecordedAnswer> = {}
  const site = await openSite()
  const account = await gateway().account(1_000)
  const record = async (id: string, input: object) => {
    const output = await answerTo(account, id, input)
    answers[id] = {
      origin: 'gateway',
      input: withPublicNames(input, site),
      output: withPublicNames(output, site),
    }
    return output as UntypedJson
  }
  await record('tollway/discover', { query: 'who raised money last week?', limit: 2 })
  await record('tollway/consult', { intent: 'find papers about tides' })
  await record('tollway/onescrape', { urls: [site.url('/mooring')] })
  await record('tollway/map', { url: site.url('/') })
  await record('tollway/onescrape-deep', { urls: [site.url('/dues')] })
  const calls = [site.url('/mooring'), site.url('/dues')].map((url) => ({
    action: 'tollway/onescrape',
    params: { urls: [url] },
  }))
  await record('tollway/batch', { calls, max_cost_cents: 10 })
  const first = { $step: 'map', pointer: '/urls/0' }
  await record('tollway/run-plan', {
    steps: [
      { id: 'map', action: 'tollway/map', params: { url: site.url('/') } },
      { id: 'read', action: 'tollway/onescrape', params: { urls: [first] } },
    ],
    max_cost_cents: 10,
  })
  const { body: paid } = await account.call('tollway/onescrape', { urls: [site.url('/dues')] })
  await record('tollway/result', { transaction_id: paid.transaction_id })
  await record('tollway/index-site', { url: site.url('/') })
  await record('tollway/search-index', { query: 'what do ships pay?' })
  const { indexes } = await record('tollway/list-indexes', {})
  await record('tollway/delete-index', { index_id: indexes[0].index_id })
  await record('files/upload_from_url', { url: site.url('/dues'), tags: ['dues'] })
  const { file_id } = await record('files/upload', { filename: 'tides.csv', size_bytes: 12 })
  await record('files/get', { file_id })
  await record('files/list', { tags: ['dues'] })
  await record('files/delete', { file_id })
  await site.close()
  writeFileSync(ownAnswersFile, `${JSON.stringify(answers, null, 2)}\n`)
}

beforeAll(async () => {
  if (updating) await recordAnswers()
})

test('each recorded answer and its call fit the schemas of the action', async () => {
  const ajv = addFormats.default(new Ajv2020({ strict: false }))
  for (const [id, { origin, input, output }] of readAnswers()) {
    if (origin !== 'gateway') continue
    const { body } = await gateway().request('GET', `/api/run/${id}`)
    expect(ajv.validate(body.input_schema, input), `${id}: ${ajv.errorsText()}`).toBe(true)
    expect(ajv.validate(body.output_schema, output), `${id}: ${ajv.errorsText()}`).toBe(true)
  }
})

/** They need a vendor, a model, a browser or a job that still runs. */
const withoutAnswer = [
  'cancel',
  'extract',
  'onefind',
  'onefind-deep',
  'onesearch',
  'read-document',
  'screenshot',
]

test('every other action of the gateway has an answer on its page', async () => {
  const { body } = await gateway().request('GET', '/api/run')
  const own = body.actions
    .filter(({ service }: { service: string }) => ['tollway', 'files'].includes(service))
    .map(({ service, action }: { service: string; action: string }) => `${service}/${action}`)
  const expected = own.filter(
    (id: string) => !withoutAnswer.some((name) => id === `tollway/${name}`),
  )
  expect([...readAnswers().keys()]).toEqual(expect.arrayContaining(expected))
  expect(expected.length).toBe(own.length - withoutAnswer.length)
})

test('the page of an own action shows the call and its answer', async () => {
  const text = await (await fetch(`${gateway().url}/docs/actions/tollway/onescrape.md`)).text()
  expect(text).toContain('https://harbour.example/mooring')
  expect(text).toContain('Double the bow lines before a storm.')
})
