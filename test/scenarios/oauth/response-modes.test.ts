// How the answer to a request for access comes back to the client.
import { expect, test } from 'vitest'
import { createCookieBrowser } from '#test/browsers/cookie-browser.ts'
import { shareGatewayOfWorker } from '#test/harness.ts'
import { createOAuthTestClient, openConsent } from '#test/oauth/client.ts'

const gateway = shareGatewayOfWorker()
const client = () => createOAuthTestClient(gateway().url)
const open = () => createCookieBrowser(gateway().url)

test.each(['query', 'fragment', 'form_post'])(
  'the mode of response %s is published and honoured',
  async (response_mode) => {
    const account = await gateway().account(0)
    const app = await client()
    const { body } = await gateway().request('GET', '/.well-known/oauth-authorization-server')
    expect(body.response_modes_supported).toContain(response_mode)
    const asked = app.authorizeUrl({ response_mode })
    const { browser, page } = await openConsent(gateway().url, account.key, asked)
    const landed = await browser.submit(page, {}, 'allow')
    expect(landed.url + landed.text).toMatch(/code=|name="code"/)
  },
)

test('a mode of response that is not published is refused', async () => {
  const { body } = await gateway().request('GET', '/.well-known/oauth-authorization-server')
  expect(body.response_modes_supported).toHaveLength(3)
  const app = await client()
  for (const response_mode of ['web_message', 'jwt', 'query.jwt', 'form_post.jwt']) {
    const { url } = await open().visit(app.authorizeUrl({ response_mode }))
    expect(new URL(url).searchParams.get('error')).toBe('unsupported_response_mode')
  }
})
