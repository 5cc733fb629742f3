// What people may ask about themselves: a mailed link shows what was given out about them, and they opt out by it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCookieBrowser } from '#test/browsers/cookie-browser.ts'
import { shareMailGateway } from '#test/mail/gateway.ts'
import { linkMailedTo, shareSmtpSink } from '#test/mail/smtp-sink.ts'
import { type PeopleVendors, startPeopleVendors } from '#test/people/vendors.ts'

let vendors: PeopleVendors
beforeAll(async () => {
  vendors = await startPeopleVendors()
})
afterAll(() => vendors.close())
const sink = shareSmtpSink()
const gateway = shareMailGateway({
  env: () => ({ SMTP_RELAY_URL: sink().url, ...vendors.env }),
})

const linkTo = (address: string) => linkMailedTo(sink(), address)

async function openOwnPage(address: string) {
  const browser = createCookieBrowser(gateway().url)
  const sent = await browser.submit(await browser.visit('/people'), { email: address })
  expect([sent.status, sent.text.includes('Look into your mail')]).toEqual([200, true])
  return { browser, page: await browser.visit(await linkTo(address)) }
}

const janes = 'jane.doe@acme.example'
const profile = 'https://www.linkedin.com/in/jane-doe-4a1'
const answers = {
  '/email-finder': { data: { email: janes, full_name: 'Jane Doe' } },
  '/v1/email/verify': { data: { status: 'valid' } },
  '/search': {
    results: [
      { id: '1', url: profile, title: 'Jane Doe | CMO at Acme' },
      { id: '2', url: 'https://www.linkedin.com/in/ali-can', title: 'Ali Can | CMO at Acme' },
    ],
  },
}

test('a person reads what was given out about them and why, opts out by the mailed link, and is found no more', async () => {
  vendors.say(answers)
  const account = await gateway().account(200)
  const finder = { full_name: 'Jane Doe', domain: 'acme.example' }
  expect((await account.call('ns_email_a/email-finder', finder)).status).toBe(200)
  const fill = async () => {
    const body = { rows: ['Jane Doe, acme.example'], purpose: 'Invite her to speak <soon>' }
    const { data } = (await account.call('tollway/onefind-deep', body)).body
    const poll = { job_id: data.job_id, wait_seconds: 30 }
    return (await account.call('tollway/result', poll)).body.data.result
  }
  expect((await fill()).rows).toMatchObject([{ email: janes, verified: { email: true } }])

  const { browser, page } = await openOwnPage(janes)
  expect(page.text).toContain('ns_email_a/email-finder')
  expect(page.text).toContain('tollway/onefind-deep')
  expect(page.text).toContain('Invite her to speak &lt;soon&gt;')

  const wrong = await browser.submit(page, { name: 'Ali Can' })
  expect([wrong.status, wrong.text.includes('does not show that your name is Ali Can')]).toEqual([
    400,
    true,
  ])
  const done = await browser.submit(page, { name: 'Jane Doe', company: 'Acme', linkedin: profile })
  expect([done.status, done.text.includes('You have opted out')]).toEqual([200, true])

  const before = await account.state()
  vendors.say(answers)
  expect((await account.call('ns_email_a/email-finder', finder)).status).toBe(404)
  expect((await fill()).rows).toMatchObject([{ email: null, filled: [], charged_cents: 0 }])
  expect(vendors.asked).toEqual([])
  const byProfile = await account.call('ns_contact/linkedin-contacts', { profile })
  expect(byProfile.status).toBe(404)
  expect(await account.state()).toMatchObject({ availableCents: before.availableCents })
  const { body } = await account.call('tollway/onefind', { query: 'CMO at Acme' })
  expect(body.data.people.map(({ name }: { name: string }) => name)).toEqual(['Ali Can'])
})

test('only the mailed link shows what was given out, and others see nothing of it', async () => {
  const { browser, page } = await openOwnPage('eva.moe@acme.example')
  expect(page.text).toContain('Nothing was given out about this address')
  for (const path of ['/people/guess', `/people/${'a'.repeat(43)}`])
    expect((await browser.visit(path)).status).toBe(404)
  const guessed = await gateway().request('POST', '/people/guess', { body: {} })
  expect(guessed.status).toBeGreaterThanOrEqual(400)
})

test('at most five links an hour go to one address', async () => {
  const browser = createCookieBrowser(gateway().url)
  const statuses: number[] = []
  for (let count = 0; count < 6; count += 1) {
    const form = await browser.visit('/people')
    statuses.push((await browser.submit(form, { email: 'ida@home.example' })).status)
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
})
