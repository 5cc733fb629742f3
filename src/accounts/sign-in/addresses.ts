// E-mail addresses to which links are mailed that sign in. An address counts once its owner has opened a first link.
import { createHash, randomBytes } from 'node:crypto'
import { fail } from '#core/errors.ts'
import { readMailbox } from '#core/mail-address.ts'
import type { Database } from '#platform/database/database.ts'
import { type ApiKeyHash, hashOfBytes } from '../keys/api-key.ts'
import type { ApiKey, KeyOwner, Keys } from '../keys/keys.ts'
import { refuseForeignSignIn } from '../operators/operators.ts'

export interface SignInAddresses {
  /** The key that mail to the address signs in as. Undefined if it signs in to no account. */
  find(address: string): Promise<ApiKeyHash | undefined>
  /** Resolves to the last part of the link that confirms the address. */
  issueConfirmation(owner: KeyOwner, address: string): Promise<string>
  /** The address of a confirmation that this account asked for, until it is used. */
  findConfirmation(owner: KeyOwner, token: string): Promise<string | undefined>
  /**
   * Makes the key that mail to the address signs in as. Throws `not_found` for a token that was used, has expired or is
   * another account's, `bad_request` for an address that signs in already, and as `Keys.create`.
   */
  confirm(owner: KeyOwner, token: string): Promise<ApiKey>
  forgetOld(): Promise<void>
}

/** How long a mailed link works. */
export const mailedLinkSeconds = 900
const tokenBytes = 32

/** Throws `bad_request` for a text that is not one address. */
export function readSignInAddress(text: string): string {
  const mailbox = readMailbox(text)
  if (mailbox !== undefined && mailbox.name === '') return mailbox.address.toLowerCase()
  throw fail('bad_request', { message: 'This is not an e-mail address. Check it and try again.' })
}

export function createSignInAddresses({
  database,
  keys,
}: {
  database: Database
  keys: Keys
}): SignInAddresses {
  return {
    async find(address) {
      const [row] = await database.query<{ hash: Buffer }>(
        `select k.hash from sign_in_address s join api_key k on k.id = s.key_id
         where s.address = $1 and key_is_valid(k)`,
        [address],
      )
      return row && hashOfBytes(row.hash)
    },
    async issueConfirmation({ accountId }, address) {
      const token = randomBytes(tokenBytes).toString('base64url')
      await database.query(
        `insert into address_confirmation (hash, address, account_id, expires_at)
         values ($1, $2, $3, now() + $4 * interval '1 second')`,
        [hashOf(token), address, accountId, mailedLinkSeconds],
      )
      return token
    },
    async findConfirmation({ accountId }, token) {
      const [row] = await database.query<{ address: string }>(
        'select address from address_confirmation where hash = $1 and account_id = $2 and expires_at > now()',
        [hashOf(token), accountId],
      )
      return row?.address
    },
    confirm: (owner, token) =>
      database.transaction(async (client) => {
        const { rows } = await client.query<{ address: string }>(
          `delete from address_confirmation where hash = $1 and account_id = $2 and expires_at > now() returning address`,
          [hashOf(token), owner.accountId],
        )
        const address = rows[0]?.address
        if (address === undefined) throw usedConfirmation()
        await refuseForeignSignIn(client, owner)
        const { key } = await keys.create(owner, { name: address }, client)
        const { rowCount } = await client.query(
          `insert into sign_in_address as s (address, key_id) values ($1, $2)
           on conflict (address) do update set key_id = excluded.key_id, created_at = now()
             where not exists (select 1 from api_key k where k.id = s.key_id and key_is_valid(k))`,
          [address, key.id],
        )
        if (rowCount === 0) throw takenAddress(address)
        return { ...key, signsInBy: 'email' as const }
      }),
    async forgetOld() {
      await database.query('delete from address_confirmation where expires_at < now()')
    },
  }
}

export const usedConfirmation = () =>
  fail('not_found', {
    message:
      'This link was used before, has expired, or was asked for by another account. Add the address again.',
  })

const takenAddress = (address: string) =>
  fail('bad_request', {
    message: `${address} signs in to an account already. Remove it there first.`,
  })

const hashOf = (token: string) => createHash('sha256').update(token).digest()
