// Repositories of wallets: each call is paid by itself, over MPP, and the repository is the wallet's alone.
import { describe, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { createSandbox } from '#platform/sandbox/sandbox.ts'
import { expectBooksRight } from '../../payments/books.ts'
import { payments, shareChains, sharePaidGateway } from '../../payments/paid-gateway.ts'
import { buy } from '../../payments/payers.ts'
import { openGit } from './git-client.fixture.ts'

const missing = await createSandbox({ clock: systemClock }).missing()

describe.skipIf(!payments.ok || missing !== undefined)(
  `repositories of wallets ${payments.reason}`,
  () => {
    const chains = shareChains()
    const shared = sharePaidGateway(chains)

    test('a wallet buys a repository, uses it and reads it again', async () => {
      const made = await buy(shared(), 'mpp', 'ns_repo/repo-create', { name: 'site' })
      expect(made.body).toMatchObject({ charged_cents: 100, data: { provider: 'embedded' } })
      const { repo_id, clone_url } = made.body.data
      await (await openGit()).run('ls-remote', clone_url)
      const again = await buy(shared(), 'mpp', 'ns_repo/repo-get', { repo_id, access: 'read' })
      expect(again.body).toMatchObject({ charged_cents: 1, data: { repo_id, access: 'read' } })
      const account = await shared().account(10)
      expect((await account.call('ns_repo/repo-get', { repo_id })).status).toBe(404)
      await expectBooksRight(shared())
    })
  },
)
