// APIs that the operator sells beside the catalog, and the keys of providers.
import { useState } from 'preact/hooks'
import { useAddressedText } from '../addressed.ts'
import { tollway } from '../gateway.ts'
import { useLoad } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { ConfirmButton } from '../parts/confirm.tsx'
import { Field } from '../parts/field.tsx'
import { Shown, Tag } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { addressOf } from '../router.ts'
import { SellForm } from './sell-form.tsx'

export function SellingPage(_: PageProps) {
  const [again, sellAgain] = useAddressedText('again')
  const sold = useLoad('sold', (signal) =>
    tollway.request('GET /api/v1/admin/sold-apis', { signal }),
  )
  return (
    <Page title="Selling">
      <p>
        Sell an API or an MCP server of your own: each operation or tool becomes an action. The
        command <code>tollway sell</code> does the same, with price rules and servers from a
        command.
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
                  mode === 'unavailable' ? <span>{reason}</span> : <Tag kind="good">sold</Tag>,
              },
              { name: 'Saved', show: ({ saved_at }) => <Time at={saved_at} /> },
              {
                name: 'Sell again',
                show: ({ name }) => (
                  <a href={addressOf(`/operator/selling?${new URLSearchParams({ again: name })}`)}>
                    Sell again
                  </a>
                ),
              },
              {
                name: 'Stop',
                show: ({ name }) => (
                  <ConfirmButton
                    label="Stop"
                    confirm="Stop selling it"
                    question={`Callers of ${name} will read that you stopped selling it.`}
                    work={async () => {
                      await tollway.request('DELETE /api/v1/admin/sold-apis/{name}', {
                        path: { name },
                      })
                      sold.reload()
                    }}
                  />
                ),
              },
            ]}
          />
        )}
      </Shown>
      <SellForm
        again={again}
        sold={() => {
          sellAgain('')
          sold.reload()
        }}
      />
      <ProviderKeys />
    </Page>
  )
}

function ProviderKeys() {
  const keys = useLoad('provider-keys', (signal) =>
    tollway.request('GET /api/v1/admin/provider-keys', { signal }),
  )
  return (
    <>
      <h2>Keys of providers</h2>
      <p>
        A key that you paste is tested by one harmless call where there is one, sealed, and never
        shown again. The environment wins over it.
      </p>
      <Shown of={keys}>
        {({ provider_keys }) => (
          <Table
            caption="Keys of providers"
            rows={provider_keys}
            idOf={({ provider }) => provider}
            empty="No provider takes a key."
            columns={[
              { name: 'Provider', show: ({ provider }) => <code>{provider}</code> },
              { name: 'Title', show: ({ title }) => title },
              {
                name: 'Key',
                show: ({ source, setting, is_readable }) =>
                  source === 'environment'
                    ? `from the environment, ${setting}`
                    : source === 'none'
                      ? 'none'
                      : is_readable
                        ? 'pasted'
                        : 'pasted, and sealed with another secret',
              },
              {
                name: 'Paste',
                show: ({ provider }) => <PasteKey provider={provider} changed={keys.reload} />,
              },
            ]}
          />
        )}
      </Shown>
    </>
  )
}

function PasteKey({ provider, changed }: { provider: string; changed: () => void }) {
  const [key, setKey] = useState('')
  return (
    <ConfirmButton
      label="Paste a key"
      isDangerous={false}
      confirm="Store the key"
      question={`The key of ${provider}`}
      opened={() => setKey('')}
      work={async () => {
        await tollway.request('PUT /api/v1/admin/provider-keys/{provider}', {
          path: { provider },
          body: { key },
        })
        setKey('')
        changed()
      }}
    >
      <Field label="Key">
        {(control) => (
          <input
            {...control}
            type="password"
            autocomplete="off"
            value={key}
            onInput={({ currentTarget }) => setKey(currentTarget.value)}
          />
        )}
      </Field>
    </ConfirmButton>
  )
}
