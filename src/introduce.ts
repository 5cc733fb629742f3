import { centsToMicros } from '#core/money.ts'
import type { App } from './app.ts'

const firstCreditCents = 1_000

/** What a start prints; the first one also opens an account, so that the next thing to do can be pasted. */
export async function introduce(app: App, baseUrl: string): Promise<string> {
  const listening = `\nTollway listens at ${baseUrl}\n`
  if ((await app.accounts.count()) > 0) return listening
  const { accountId } = await app.accounts.create({ name: 'First account' })
  await app.ledger.credit(
    accountId,
    centsToMicros(firstCreditCents),
    'Local credit of the first account',
  )
  const { secret } = await app.keys.create({ accountId }, { name: 'First key' })
  return `${listening}
  admin token   ${app.adminToken}
  API key       ${secret}   (shown only now; its account has ${firstCreditCents}¢ of local credit)

Read a page, for 2¢:

  curl ${baseUrl}/api/run/${app.ownNamespace}/onescrape -H 'authorization: Bearer ${secret}' -d '{"urls":["https://example.com"]}'

`
}
