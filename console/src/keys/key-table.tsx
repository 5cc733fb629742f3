import { Tag } from '../parts/notices.tsx'
import { Table } from '../parts/table.tsx'
import { addressOf } from '../router.ts'
import { ChangeLimits } from './change-limits.tsx'
import { type Key, keyColumns } from './key-columns.tsx'
import type { KeyOwner } from './key-owner.ts'
import { RevokeKey } from './revoke-key.tsx'

const ways = { passkey: 'passkey', email: 'mailed link' } as const

/** All keys of an account, its connected apps included. */
export function KeyTable({
  rows,
  owner,
  ownId,
  changed,
}: {
  rows: readonly Key[]
  owner: KeyOwner
  /** The key of the person who looks at them. */
  ownId?: string | undefined
  changed: () => void
}) {
  return (
    <Table
      caption="Keys"
      rows={rows}
      idOf={({ key_id }) => key_id}
      columns={[
        {
          name: 'Key',
          show: ({ prefix, name, key_id, client_id, signs_in_by }) => (
            <>
              {name ?? <span class="quiet">without a name</span>} <code>{prefix}…</code>{' '}
              {signs_in_by !== null && <Tag>{ways[signs_in_by]}</Tag>}{' '}
              {key_id === ownId && <Tag>signed in with it</Tag>}
              {client_id !== null &&
                (ownId === undefined ? (
                  <Tag>connected app</Tag>
                ) : (
                  <a href={addressOf('/apps')}>connected app</a>
                ))}
            </>
          ),
        },
        ...keyColumns,
        {
          name: 'Change',
          show: (key) =>
            key.revoked_at ? (
              <Tag kind="bad">revoked</Tag>
            ) : (
              <span class="bar start">
                <ChangeLimits of={key} {...{ owner, changed }} isOwn={key.key_id === ownId} />
                <RevokeKey of={key} {...{ owner, changed }} />
              </span>
            ),
        },
      ]}
    />
  )
}
