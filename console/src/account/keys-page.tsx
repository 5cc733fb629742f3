import { usePages } from '../addressed.ts'
import { filled } from '../filled.ts'
import { tollway } from '../gateway.ts'
import { ownKeys } from '../keys/key-owner.ts'
import { KeyTable } from '../keys/key-table.tsx'
import { NewKey } from '../keys/new-key.tsx'
import { useLoad } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { Shown } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { Pager } from '../parts/pager.tsx'

const keysPerPage = 50

export function KeysPage({ person }: PageProps) {
  const pages = usePages()
  const keys = useLoad(`${pages.cursor}`, (signal) =>
    tollway.request('GET /api/v1/keys', {
      query: filled({ cursor: pages.cursor, limit: keysPerPage }),
      signal,
    }),
  )
  return (
    <Page title="Keys">
      <NewKey owner={ownKeys} made={keys.reload} />
      <p>
        Passkeys and mailed links sign you in without a key.{' '}
        <a href="/sign-in/methods">How you sign in</a>
      </p>
      <Shown of={keys}>
        {({ keys: rows, next_cursor }) => (
          <>
            <KeyTable
              {...{ rows, owner: ownKeys, changed: keys.reload }}
              ownId={person.key?.key_id}
            />
            <Pager pages={pages} next={next_cursor} />
          </>
        )}
      </Shown>
    </Page>
  )
}
