import { useState } from 'preact/hooks'
import { type AnswerOf, tollway } from '../gateway.ts'
import { useIdempotencyKey, useLoad, useWork } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { ConfirmButton } from '../parts/confirm.tsx'
import { ChoiceField, TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Shown, Tag } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'

type Group = AnswerOf<'GET /api/v1/admin/price-groups'>['price_groups'][number]
type GroupPrice = Group['prices'][number]

export function PriceGroupsPage(_: PageProps) {
  const groups = useLoad('price groups', (signal) =>
    tollway.request('GET /api/v1/admin/price-groups', { signal }),
  )
  return (
    <Page title="Price groups">
      <p>
        The accounts of a group pay its prices from the dates that you set, and see them in the
        catalog. An account is put in a group on its own page. Calls that have begun keep the price
        that they were quoted.
      </p>
      <Shown of={groups}>
        {({ price_groups }) => (
          <>
            {price_groups.map((group) => (
              <GroupCard key={group.price_group_id} group={group} changed={groups.reload} />
            ))}
            <NewGroup made={groups.reload} />
          </>
        )}
      </Shown>
    </Page>
  )
}

function NewGroup({ made }: { made: () => void }) {
  const [name, setName] = useState('')
  const once = useIdempotencyKey([name])
  const open = useWork(async () => {
    await tollway.request('POST /api/v1/admin/price-groups', {
      body: { name },
      idempotencyKey: once.key,
    })
    once.succeeded()
    setName('')
    made()
    return `The group ${name} is open.`
  })
  return (
    <Form
      isCard
      of={open}
      needs="POST /api/v1/admin/price-groups"
      submit="Open the group"
      kind="main"
    >
      <h2>New group</h2>
      <TextField label="Name" about="Only you see it." value={name} change={setName} required />
    </Form>
  )
}

const states = { later: 'later', in_force: 'in force', over: 'over' } as const

function GroupCard({ group, changed }: { group: Group; changed: () => void }) {
  const path = { id: group.price_group_id }
  const withdraw = async ({ action, starts_at }: GroupPrice) => {
    const [service = '', name = ''] = action.split('/')
    await tollway.request('DELETE /api/v1/admin/price-groups/{id}/prices/{service}/{action}', {
      path: { ...path, service, action: name },
      query: { starts_at },
    })
    changed()
  }
  return (
    <section class="card stack">
      <h2>{group.name}</h2>
      <p class="quiet">
        {group.accounts} account{group.accounts === 1 ? '' : 's'}
      </p>
      <Table
        caption={`Prices of ${group.name}`}
        rows={group.prices}
        idOf={({ action, starts_at }) => `${action} ${starts_at}`}
        empty="Its accounts pay the prices of everyone."
        columns={[
          { name: 'Action', show: ({ action }) => <code>{action}</code> },
          {
            name: 'Price',
            show: ({ price, is_general }) =>
              is_general ? 'the price of everyone' : (price ?? 'no longer sold at such a price'),
          },
          { name: 'From', show: ({ starts_at }) => <Time at={starts_at} /> },
          {
            name: 'State',
            show: ({ state }) => (
              <Tag {...(state === 'in_force' && { kind: 'good' })}>{states[state]}</Tag>
            ),
          },
          {
            name: 'Withdraw',
            show: (price) =>
              price.state === 'later' && (
                <ConfirmButton
                  label="Withdraw"
                  of={price.action}
                  needs="DELETE /api/v1/admin/price-groups/{id}/prices/{service}/{action}"
                  confirm="Withdraw the price"
                  question={`${price.action} will keep the price that it has until then.`}
                  work={() => withdraw(price)}
                />
              ),
          },
        ]}
      />
      <NewPrice group={group} set={changed} />
      {group.accounts === 0 && (
        <div>
          <ConfirmButton
            label="Remove the group"
            of={group.name}
            needs="DELETE /api/v1/admin/price-groups/{id}"
            confirm="Remove the group and its prices"
            question={`${group.name} has no accounts.`}
            work={async () => {
              await tollway.request('DELETE /api/v1/admin/price-groups/{id}', { path })
              changed()
            }}
          />
        </div>
      )}
    </section>
  )
}

/** The actions whose prices can be replaced. */
async function priceChoices(signal: AbortSignal) {
  const { prices } = await tollway.request('GET /api/v1/admin/prices', { signal })
  return prices.flatMap(({ id, text, override_kind }) =>
    override_kind === null ? [] : [{ id, text, kind: override_kind }],
  )
}

/** An exact amount or factor, as the gateway takes them. Undefined for what is neither. */
function readPrice(text: string, takesFactor: boolean) {
  const typed = text.trim()
  if (typed === '') return { general: true } as const
  const [, number] = /^\$?(\d{1,4}(?:\.\d{1,6})?)$/.exec(typed) ?? []
  if (number === undefined) return undefined
  return takesFactor ? { factor: number } : { price_usd: number }
}

/** What an action takes: an amount, or a factor where its price has several amounts. */
const priceFields = {
  call: {
    label: 'Dollars for a call',
    about: 'Such as 0.025. Empty: the price of everyone.',
    problem: 'Enter dollars, such as 0.025.',
  },
  unit: {
    label: 'Dollars for a unit',
    about: 'Such as 0.025. Empty: the price of everyone.',
    problem: 'Enter dollars, such as 0.025.',
  },
  factor: {
    label: 'Factor for all its amounts',
    about: 'Such as 0.8: the group pays four fifths. Empty: the price of everyone.',
    problem: 'Enter a factor, such as 0.8.',
  },
} as const

function NewPrice({ group, set }: { group: Group; set: () => void }) {
  const [action, setAction] = useState('')
  const [typed, setTyped] = useState('')
  const [starts, setStarts] = useState('')
  const [belowCost, setBelowCost] = useState(false)
  const catalog = useLoad('prices', priceChoices)
  const chosen = catalog.value?.find(({ id }) => id === action)
  const asked = readPrice(typed, chosen?.kind === 'factor')
  const once = useIdempotencyKey([group.price_group_id, action, typed, starts, belowCost])
  const setPrice = useWork(async () => {
    if (asked === undefined) return undefined
    const [service = '', name = ''] = action.split('/')
    await tollway.request('PUT /api/v1/admin/price-groups/{id}/prices/{service}/{action}', {
      path: { id: group.price_group_id, service, action: name },
      body: {
        ...asked,
        ...(starts !== '' && { starts_at: new Date(starts).toISOString() }),
        ...(belowCost && { confirm_below_cost: true }),
      },
      idempotencyKey: once.key,
    })
    once.succeeded()
    setTyped('')
    setStarts('')
    setBelowCost(false)
    set()
    return `The price of ${action} was set.`
  })
  return (
    <Form
      of={setPrice}
      needs="PUT /api/v1/admin/price-groups/{id}/prices/{service}/{action}"
      submit="Set the price"
      isReady={action !== '' && asked !== undefined}
    >
      <h3>Set a price of {group.name}</h3>
      <Shown of={catalog}>
        {(choices) => (
          <ChoiceField
            label="Action"
            value={action}
            change={setAction}
            choices={[
              ['', 'Choose an action'],
              ...choices.map(({ id, text }) => [id, `${id}: ${text}`] as const),
            ]}
          />
        )}
      </Shown>
      {chosen && (
        <TextField
          {...priceFields[chosen.kind]}
          value={typed}
          change={setTyped}
          problem={asked === undefined ? priceFields[chosen.kind].problem : undefined}
        />
      )}
      <TextField
        label="From"
        about="In the time zone of this browser. Empty: at once."
        type="datetime-local"
        value={starts}
        change={setStarts}
      />
      <label class="bar start">
        <input
          type="checkbox"
          checked={belowCost}
          onInput={(event) => setBelowCost(event.currentTarget.checked)}
        />
        <span>Set it even if calls have cost more than this price.</span>
      </label>
    </Form>
  )
}
