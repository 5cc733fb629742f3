// APIs that the operator sells beside the catalog, and the keys and budgets of providers.

import { useState } from 'preact/hooks'
import { useAddressedText } from '../addressed.ts'
import { tollway } from '../gateway.ts'
import { useLoad } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { ConfirmButton, nameOf } from '../parts/confirm.tsx'
import { Foreign } from '../parts/foreign.tsx'
import { Shown, Tag } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { addressOf } from '../router.ts'
import { ProviderBudgets } from './provider-budgets.tsx'
import { loadKeys, ProviderKeys } from './provider-keys.tsx'
import { SellForm } from './sell-form.tsx'
import { type Sold, SoldNotice } from './sold-notice.tsx'

export function SellingPage(_: PageProps) {
  const [again, sellAgain] = useAddressedText('again')
  const sold = useLoad('sold', (signal) =>
    tollway.request('GET /api/v1/admin/sold-apis', { signal }),
  )
  const keys = useLoad('provider-keys', loadKeys)
  const [done, setDone] = useState<Sold>()
  const own = new Set(sold.value?.sold_apis.map(({ name }) => name))
  const changed = () => {
    sold.reload()
    keys.reload()
  }
  return (
    <Page title="Selling">
      <p>
        Sell an API or an MCP server of your own: each operation or tool becomes an action. The
        command <code>tollway sell</code> does the same, with price rules and servers from a
        command. Budgets and keys of providers are further down.
      </p>
      <Shown of={sold}>
        {({ sold_apis }) => (
          <Table
            caption="What you sell"
            rows={sold_apis}
            idOf={({ name }) => name}
            empty="Nothing is sold beside the catalog."
            columns={[
              {
                name: 'Name',
                show: ({ name }) => (
                  <a href={addressOf(`/operator/selling/${name}`)}>
                    <code>{name}</code>
                  </a>
                ),
              },
              { name: 'Address', show: ({ address }) => address },
              { name: 'Actions', isAmount: true, show: ({ actions }) => actions },
              {
                name: 'State',
                show: ({ mode, reason }) =>
                  mode === 'unavailable' ? <Foreign text={reason} /> : <Tag kind="good">sold</Tag>,
              },
              { name: 'Saved', show: ({ saved_at }) => <Time at={saved_at} /> },
              {
                name: 'Sell again',
                show: ({ name }) => (
                  <a
                    href={addressOf(`/operator/selling?${new URLSearchParams({ again: name })}`)}
                    aria-label={nameOf('Sell again', name)}
                  >
                    Sell again
                  </a>
                ),
              },
              {
                name: 'Stop',
                show: ({ name, stopped_at }) =>
                  stopped_at === null && (
                    <ConfirmButton
                      label="Stop"
                      of={name}
                      needs="DELETE /api/v1/admin/sold-apis/{name}"
                      confirm="Stop selling it"
                      question={`Callers of ${name} will read that you stopped selling it.`}
                      work={async () => {
                        await tollway.request('DELETE /api/v1/admin/sold-apis/{name}', {
                          path: { name },
                        })
                        changed()
                      }}
                    />
                  ),
              },
            ]}
          />
        )}
      </Shown>
      <SoldNotice of={done} />
      <SellForm
        again={again}
        sold={(what) => {
          sellAgain('')
          setDone(what)
          changed()
        }}
      />
      <ProviderBudgets own={own} />
      <ProviderKeys keys={keys} own={own} />
    </Page>
  )
}
