import { tollway } from '../gateway.ts'
import { ChangeLimits } from '../keys/change-limits.tsx'
import { type Key, keyColumns } from '../keys/key-columns.tsx'
import { ownKeys } from '../keys/key-owner.ts'
import { useLoad } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { ConfirmButton } from '../parts/confirm.tsx'
import { Shown, Tag } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'

const keysPerRequest = 100

/** Each app that a person has let in has a key of its own, which it never sees. */
async function readApps(signal: AbortSignal): Promise<Key[]> {
  const apps: Key[] = []
  const sent = { query: { limit: keysPerRequest }, signal }
  for await (const key of tollway.list('GET /api/v1/keys', sent))
    if (key.client_id !== null) apps.push(key)
  return apps
}

export function AppsPage(_: PageProps) {
  const apps = useLoad('apps', readApps)
  return (
    <Page title="Connected apps">
      <p>
        Apps that pay from this account, within the limits that you gave them.{' '}
        <a href="/docs/use/oauth">Connecting an app</a>
      </p>
      <Shown of={apps}>{(rows) => <AppTable rows={rows} changed={apps.reload} />}</Shown>
    </Page>
  )
}

function AppTable({ rows, changed }: { rows: readonly Key[]; changed: () => void }) {
  return (
    <Table
      caption="Connected apps"
      rows={rows}
      idOf={({ key_id }) => key_id}
      empty="No app is connected."
      columns={[
        { name: 'App', show: ({ name, client_id }) => name ?? client_id },
        // An app chooses its name. Its address, if it has one, belongs to its author.
        { name: 'Client', show: ({ client_id }) => <code>{client_id}</code> },
        { name: 'Connected', show: ({ created_at }) => <Time at={created_at} /> },
        ...keyColumns,
        {
          name: 'Access',
          show: (key) =>
            key.revoked_at ? (
              <Tag kind="bad">ended</Tag>
            ) : (
              <span class="bar start">
                <ChangeLimits of={key} owner={ownKeys} changed={changed} />
                <ConfirmButton
                  label="End"
                  of={key.name ?? key.client_id ?? key.prefix}
                  confirm="End the access"
                  question={`Calls of ${key.name ?? key.client_id} will be refused at once. To use it again, you let it in again.`}
                  work={async () => {
                    await ownKeys.revoke(key.key_id)
                    changed()
                  }}
                />
              </span>
            ),
        },
      ]}
    />
  )
}
