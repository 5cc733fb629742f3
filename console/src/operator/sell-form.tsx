// The form that sells an API: a preview of what would be sold and of what would change, and then the sale.

import { useState } from 'preact/hooks'
import { countOf } from '../format/count.ts'
import { type AnswerOf, tollway } from '../gateway.ts'
import { useLoad, useWork } from '../load.ts'
import { ConfirmButton } from '../parts/confirm.tsx'
import { Field, TextField } from '../parts/field.tsx'
import { Foreign } from '../parts/foreign.tsx'
import { Form } from '../parts/form.tsx'
import { Shown, Tag } from '../parts/notices.tsx'
import { Table } from '../parts/table.tsx'
import { LeftOutTable } from './left-out-table.tsx'
import {
  continued,
  draftOf,
  newDraft,
  readRules,
  requestOf,
  type SaleDraft,
  type StoredSale,
} from './sale-draft.ts'
import type { Sold } from './sold-notice.tsx'

type Preview = AnswerOf<'POST /api/v1/admin/sold-apis/preview'>

async function readSale(name: string, signal?: AbortSignal): Promise<StoredSale> {
  const until = { ...(signal && { signal }) }
  const [file, { sold_apis: all }] = await Promise.all([
    tollway.request('GET /api/v1/admin/sold-apis/{name}', { path: { name }, ...until }),
    tollway.request('GET /api/v1/admin/sold-apis', until),
  ])
  const priceCents = all.find((each) => each.name === name)?.price_cents ?? null
  return { ...(file as unknown as Omit<StoredSale, 'priceCents'>), priceCents }
}

/** `again`: the name of what is sold again. Empty: something new. */
export function SellForm({ again, sold }: { again: string; sold: (what: Sold) => void }) {
  const stored = useLoad(again, async (signal) =>
    again === '' ? null : await readSale(again, signal),
  )
  return (
    <Shown of={stored}>
      {(sale) => <SaleForm key={sale?.name ?? ''} stored={sale ?? undefined} sold={sold} />}
    </Shown>
  )
}

interface Sale {
  readonly draft: SaleDraft
  readonly stored: StoredSale | undefined
}

function SaleForm({
  stored: first,
  sold,
}: {
  stored: StoredSale | undefined
  sold: (what: Sold) => void
}) {
  const [sale, setSale] = useState<Sale>({
    draft: first === undefined ? newDraft : draftOf(first),
    stored: first,
  })
  const [preview, setPreview] = useState<Preview>()
  const { draft, stored } = sale
  const change = (part: Partial<SaleDraft>) => {
    setPreview(undefined)
    setSale({ draft: { ...draft, ...part }, stored })
  }
  const look = useWork(async () => {
    let shown = await read(sale)
    const { name, rules_before: before } = shown
    if (before.length > 0 && stored?.name !== name) {
      // It is sold already. Only the preview knows its name.
      const known = await readSale(name)
      const next = { draft: continued(draft, known), stored: known }
      setSale(next)
      shown = await read(next)
    }
    setPreview(shown)
    return `${countOf(offeredOf(shown).length, 'action')} would be sold: see below.`
  })
  const isPrice = /^(\d{1,6}(\.\d{1,4})?)?$/.test(draft.price.trim())
  const isRules = readRules(draft.rules) !== undefined
  return (
    <>
      <Form
        of={look}
        needs="POST /api/v1/admin/sold-apis/preview"
        submit="Look at it"
        busy="Looking …"
        isReady={isPrice && isRules}
      >
        <h2>{stored === undefined ? 'Sell an API' : `Sell ${stored.name} again`}</h2>
        {stored && <Stored sale={stored} />}
        {stored?.program === undefined && (
          <TextField
            label="Address"
            about="Of a description in OpenAPI or Swagger, of an MCP server, or of one endpoint."
            value={draft.address}
            change={(address) => change({ address })}
            required
          />
        )}
        <TextField
          label="Name"
          about="Empty: from the address."
          value={draft.name}
          change={(name) => change({ name })}
        />
        <TextField
          label="Cents for each call"
          about="Where no price rule says otherwise. Empty: such calls are not sold."
          value={draft.price}
          change={(price) => change({ price })}
          problem={isPrice ? undefined : 'Enter cents, such as 1 or 0.05.'}
        />
        <Field
          label="Price rules"
          about="A list in JSON. The first rule that matches an operation applies. Empty: none."
          problem={isRules ? undefined : 'Enter a list, such as [{"match": "GET *", "price": 1}].'}
        >
          {(control) => (
            <textarea
              {...control}
              rows={draft.rules === '' ? 2 : 10}
              spellcheck={false}
              value={draft.rules}
              onInput={({ currentTarget }) => change({ rules: currentTarget.value })}
            />
          )}
        </Field>
        <label>
          <input
            type="checkbox"
            checked={draft.isPrivate}
            onInput={({ currentTarget }) => change({ isPrivate: currentTarget.checked })}
          />{' '}
          It is in your own network, or on this machine
        </label>
      </Form>
      {preview && (
        <ShownPreview
          preview={preview}
          sell={async () => {
            const { name: path, digest } = preview
            await tollway.request('PUT /api/v1/admin/sold-apis/{name}', {
              path: { name: path },
              body: { ...requestOf(draft, stored), digest },
            })
            setPreview(undefined)
            look.forget()
            const { length: actions } = offeredOf(preview)
            sold({ name: path, actions, needsKey: preview.needs_key })
          }}
        />
      )}
    </>
  )
}

const offeredOf = ({ actions }: Preview) =>
  actions.filter(({ change }) => change !== 'retired' && change !== 'removed')

const read = async ({ draft, stored }: Sale) =>
  await tollway.request('POST /api/v1/admin/sold-apis/preview', { body: requestOf(draft, stored) })

const Stored = ({ sale: { program, server, credential } }: { sale: StoredSale }) => (
  <p class="quiet">
    You sell it already. The form begins with what is stored of it.
    {program && ` It stays the program ${program.command.join(' ')}.`}
    {server !== undefined && ` Its server stays ${server}.`}
    {credential !== undefined && ' Where your key goes stays as well.'}
  </p>
)

function ShownPreview({ preview, sell }: { preview: Preview; sell: () => Promise<void> }) {
  const { name, actions, left_out, canary, warnings } = preview
  const sold = offeredOf(preview)
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
          {
            name: 'What it does',
            show: ({ summary, is_deprecated }) => (
              <>
                {is_deprecated && <Tag kind="warning">deprecated</Tag>} <Foreign text={summary} />
              </>
            ),
          },
          {
            name: 'Change',
            show: ({ change, what_changed: what }) => (
              <>
                {change}
                {what !== null && ': '}
                {what !== null && <Foreign text={what} />}
              </>
            ),
          },
        ]}
      />
      {preview.rules_before.length > 0 && <RuleChanges preview={preview} />}
      <Key preview={preview} />
      {canary !== null && (
        <p>
          Its canary asks <code>{canary}</code>.
        </p>
      )}
      {warnings.map((warning) => (
        <p key={warning}>
          <Foreign text={warning} />
        </p>
      ))}
      {left_out.length > 0 && <LeftOutTable of={left_out} />}
      <ConfirmButton
        label="Sell"
        isDangerous={false}
        needs="PUT /api/v1/admin/sold-apis/{name}"
        confirm={`Sell ${countOf(sold.length, 'action')}`}
        question={`Callers can buy ${sold.length === 1 ? 'it' : 'them'} from ${name} within a second.`}
        work={sell}
      />
    </>
  )
}

function RuleChanges({ preview: { rules, rules_before } }: { preview: Preview }) {
  const [now, before] = [rules, rules_before].map((all) => all.map((rule) => JSON.stringify(rule)))
  const gone = before?.filter((rule) => !now?.includes(rule)) ?? []
  const rows = [
    ...(now ?? []).map((rule) => ({ rule, change: before?.includes(rule) ? 'same' : 'new' })),
    ...gone.map((rule) => ({ rule, change: 'removed' })),
  ]
  return (
    <Table
      caption="Its price rules"
      rows={rows}
      columns={[
        {
          name: 'Rule',
          show: ({ rule }) => (
            <code>
              <Foreign text={rule} />
            </code>
          ),
        },
        { name: 'Change', show: ({ change }) => change },
      ]}
    />
  )
}

/** What becomes of the key that is stored. */
function Key({ preview: { needs_key, new_hosts, rules_before } }: { preview: Preview }) {
  if (!needs_key || rules_before.length === 0) return null
  return new_hosts.length === 0 ? (
    <p>A key that is stored for it stays.</p>
  ) : (
    <p>
      It calls another host now: {new_hosts.join(', ')}. A stored key is forgotten, so paste the key
      again after this.
    </p>
  )
}
