// APIs that the operator sells beside the catalog, and the keys of providers.
import { useState } from 'preact/hooks'
import { countOf } from '../format/count.ts'
import { type AnswerOf, tollway } from '../gateway.ts'
import { useLoad, useWork } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { ConfirmButton } from '../parts/confirm.tsx'
import { Field, TextField } from '../parts/field.tsx'
import { Problem, Shown, Tag } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { addressOf } from '../router.ts'
import { LeftOutTable } from './left-out-table.tsx'

type Preview = AnswerOf<'POST /api/v1/admin/sold-apis/preview'>

export function SellingPage(_: PageProps) {
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
      <SellForm changed={sold.reload} />
      <ProviderKeys />
    </Page>
  )
}

function SellForm({ changed }: { changed: () => void }) {
  const [address, setAddress] = useState('')
  const [name, setName] = useState('')
  const [price, setPrice] = useState('1')
  const [isPrivate, setPrivate] = useState(false)
  const [preview, setPreview] = useState<Preview>()
  const isPrice = /^\d{1,6}(\.\d{1,4})?$/.test(price.trim())
  const request = {
    address: address.trim(),
    price: Number(price),
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(isPrivate && { private: true }),
  }
  const look = useWork(async () => {
    setPreview(await tollway.request('POST /api/v1/admin/sold-apis/preview', { body: request }))
  })
  const change = (set: (value: string) => void) => (value: string) => {
    setPreview(undefined)
    set(value)
  }
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        look.start()
      }}
    >
      <h2>Sell an API</h2>
      <TextField
        label="Address"
        about="Of a description in OpenAPI or Swagger, of an MCP server, or of one endpoint."
        value={address}
        change={change(setAddress)}
        required
      />
      <TextField
        label="Name"
        about="Empty: from the address."
        value={name}
        change={change(setName)}
      />
      <TextField
        label="Cents for each call"
        value={price}
        change={change(setPrice)}
        problem={isPrice ? undefined : 'Enter cents, such as 1 or 0.05.'}
      />
      <label>
        <input
          type="checkbox"
          checked={isPrivate}
          onChange={({ currentTarget }) => {
            setPreview(undefined)
            setPrivate(currentTarget.checked)
          }}
        />{' '}
        It is in your own network, or on this machine
      </label>
      <button type="submit" disabled={look.isBusy || !isPrice}>
        Look at it
      </button>
      {look.error !== undefined && <Problem error={look.error} />}
      {preview && (
        <ShownPreview
          preview={preview}
          sell={async () => {
            const { name: path, digest } = preview
            await tollway.request('PUT /api/v1/admin/sold-apis/{name}', {
              path: { name: path },
              body: { ...request, digest },
            })
            setPreview(undefined)
            changed()
          }}
        />
      )}
    </form>
  )
}

function ShownPreview({ preview, sell }: { preview: Preview; sell: () => Promise<void> }) {
  const { name, actions, left_out, canary, warnings } = preview
  const sold = actions.filter(({ change }) => change !== 'retired' && change !== 'removed')
  return (
    <>
      <Table
        caption={`What would be sold as ${name}`}
        rows={actions}
        idOf={({ action }) => action}
        empty="Nothing."
        columns={[
          { name: 'Action', show: ({ action }) => <code>{action}</code> },
          {
            name: 'Price',
            show: ({ price, price_before: before }) =>
              before === null ? price : `${price}, was ${before}`,
          },
          { name: 'What it does', show: ({ summary }) => summary },
          { name: 'Change', show: ({ change }) => change },
        ]}
      />
      {canary !== null && (
        <p>
          Its canary asks <code>{canary}</code>.
        </p>
      )}
      {warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
      {left_out.length > 0 && <LeftOutTable of={left_out} />}
      <ConfirmButton
        label="Sell"
        isDangerous={false}
        confirm={`Sell ${countOf(sold.length, 'action')}`}
        question={`Callers can buy ${sold.length === 1 ? 'it' : 'them'} from ${name} within a second.`}
        work={sell}
      />
    </>
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
