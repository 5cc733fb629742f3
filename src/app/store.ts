// The database, and what is stored in it by itself: accounts, keys, secrets.
import path from 'node:path'
import { createAccounts } from '#accounts/accounts.ts'
import { createAttemptCounter } from '#accounts/attempts.ts'
import { createKeys } from '#accounts/keys/keys.ts'
import { createOAuthRecords } from '#accounts/oauth/records.ts'
import { createOpenAccess } from '#accounts/open-access.ts'
import { createSignInAddresses } from '#accounts/sign-in/addresses.ts'
import { createPasskeyChallenges } from '#accounts/sign-in/challenges.ts'
import { createPasskeys } from '#accounts/sign-in/passkeys.ts'
import { relyingPartyOf } from '#accounts/sign-in/relying-party.ts'
import { createSignIns } from '#accounts/sign-in/sign-ins.ts'
import { openDatabase } from '#platform/database/database.ts'
import { applySchema } from '#platform/database/schema.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { readSecret } from '#platform/secret-file.ts'
import { sharedSecret } from '#platform/secrets/shared-secret.ts'
import { createUrlSigner } from '#platform/url-signer.ts'
import type { AppContext } from './context.ts'
import { schema } from './schema.ts'

export type Store = Awaited<ReturnType<typeof openStore>>

export async function openStore(
  { config, log, clock, baseUrl, onClose }: AppContext,
  onFatal: ((error: Error) => void) | undefined,
) {
  const embedded =
    config.DATABASE_URL === undefined
      ? await startEmbeddedPostgres({
          dataDir: path.resolve(config.DATA_DIR),
          log,
          onCrash: onFatal,
        })
      : undefined
  if (embedded !== undefined) onClose(embedded.stop)
  const connectionString = config.DATABASE_URL ?? embedded?.connectionString ?? ''
  const database = openDatabase({ connectionString, log })
  onClose(database.close)
  await applySchema(database, schema)

  const access = createOpenAccess({ database, log })
  onClose(access.close)
  const signIns = createSignIns(database)
  const attempts = createAttemptCounter(database)
  const secretFile = (name: string) => path.join(config.DATA_DIR, name)
  /** A secret that all gateways of this database share. */
  const secret = (name: string) => sharedSecret(database, name, () => readSecret(secretFile(name)))
  const signer = createUrlSigner({
    key: config.STATUS_URL_KEY ?? (await secret('status-url-key')),
    clock,
  })
  const keys = createKeys({ database, clock })
  const oauthRecords = createOAuthRecords({ database, keys, clock })
  const challenges = createPasskeyChallenges({ database, signer, clock })
  const site = () => relyingPartyOf(baseUrl())
  const passkeys = createPasskeys({ database, keys, challenges, site })
  const addresses = createSignInAddresses({ database, keys })
  return {
    database,
    connectionString,
    accounts: createAccounts({ database, clock }),
    access,
    keys,
    signIns,
    passkeys,
    addresses,
    oauthRecords,
    attempts,
    /** What expires without being used. */
    expiring: [signIns, challenges, addresses, oauthRecords, attempts],
    secretFile,
    secret,
    signer,
    /** Whether the database answers. */
    ready: () =>
      database.query('select 1').then(
        () => true,
        () => false,
      ),
  }
}
