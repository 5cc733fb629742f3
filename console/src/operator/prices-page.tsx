import { useState } from 'preact/hooks'
import { useAddressedText } from '../addressed.ts'
import { countOf } from '../format/count.ts'
import { type AnswerOf, tollway } from '../gateway.ts'
import { useLoad, useRested, useWork } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { Amount } from '../parts/amount.tsx'
import { ConfirmButton } from '../parts/confirm.tsx'
import { ChoiceField, TextField } from '../parts/field.tsx'
import { Margin } from '../parts/margin.tsx'
import { Problem, Shown, Tag } from '../parts/notices.tsx'
import { NumberOf, Numbers, Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'

type Preview = AnswerOf<'GET /api/v1/admin/price-overrides/{service}/{action}'>

const restMs = 300

/** An exact amount or factor, as the gateway takes them. Undefined for any other text. */
const readNumber = (text: string): string | undefined =>
  /^\$?(\d{1,4}(?:\.\d{1,6})?)$/.exec(text.trim())?.[1]

/** In the term that the price takes. */
const termOf = ({ kind }: Preview, typed: string) =>
  kind === 'factor' ? { factor: typed } : { price_usd: typed }

const pathOf = (id: string) => {
  const [service = '', action = ''] = id.split('/')
  return { service, action }
}

export function PricesPage(_: PageProps) {
  const overrides = useLoad('overrides', (signal) =>
    tollway.request('GET /api/v1/admin/price-overrides', { signal }),
  )
  const prices = useLoad('prices', (signal) =>
    tollway.request('GET /api/v1/admin/prices', { signal }),
  )
  const [action, choose] = useAddressedText('action')
  const changed = () => {
    overrides.reload()
    prices.reload()
  }
  return (
    <Page title="Prices">
      <p>
        A price of your own replaces that of the catalog at once, at every gateway of this database.
        Calls that have begun keep the price that they were quoted.
      </p>
      <Shown of={overrides}>
        {({ price_overrides }) => (
          <Table
            caption="Your own prices"
            rows={price_overrides}
            idOf={({ action }) => action}
            empty="Every action costs what the catalog says."
            columns={[
              { name: 'Action', show: ({ action }) => <code>{action}</code> },
              {
                name: 'Price',
                show: ({ price, price_usd }) => price ?? <Amount usd={price_usd ?? '0'} />,
              },
              { name: 'Factor', isAmount: true, show: ({ factor }) => factor },
              { name: 'Catalog', show: ({ catalog_price }) => catalog_price },
              { name: 'Set', show: ({ set_at }) => <Time at={set_at} /> },
              {
                name: 'State',
                show: ({ applies }) =>
                  applies ? (
                    <Tag kind="good">in force</Tag>
                  ) : (
                    <Tag>no longer sold at such a price</Tag>
                  ),
              },
              {
                name: 'Remove',
                show: ({ action }) => (
                  <ConfirmButton
                    label="Remove"
                    of={action}
                    confirm="Restore the price of the catalog"
                    question={`${action} will cost what the catalog says.`}
                    work={async () => {
                      await tollway.request(
                        'DELETE /api/v1/admin/price-overrides/{service}/{action}',
                        {
                          path: pathOf(action),
                        },
                      )
                      changed()
                    }}
                  />
                ),
              },
            ]}
          />
        )}
      </Shown>
      <Shown of={prices}>
        {({ prices: all }) => (
          <>
            <ChangePrice all={all} action={action} choose={choose} changed={changed} />
            <AllPrices all={all} choose={choose} />
          </>
        )}
      </Shown>
    </Page>
  )
}

type ListedPrice = AnswerOf<'GET /api/v1/admin/prices'>['prices'][number]

function ChangePrice({
  all,
  action,
  choose,
  changed,
}: {
  all: readonly ListedPrice[]
  action: string
  choose: (action: string) => void
  changed: () => void
}) {
  return (
    <section class="card stack">
      <h2>Change a price</h2>
      <ChoiceField
        label="Action"
        value={action}
        change={choose}
        choices={[
          ['', 'Choose an action'],
          ...all.filter(({ is_replaceable }) => is_replaceable).map(({ id }) => [id, id] as const),
        ]}
      />
      {action !== '' && <Effect key={action} action={action} changed={changed} />}
    </section>
  )
}

const shownAtFirst = 50

/** What each action costs now, with the operator's own prices. */
function AllPrices({
  all,
  choose,
}: {
  all: readonly ListedPrice[]
  choose: (action: string) => void
}) {
  const [search, setSearch] = useState('')
  const [shownMax, setShownMax] = useState(shownAtFirst)
  const found = all.filter(({ id }) => id.includes(search.trim().toLowerCase()))
  return (
    <section class="stack">
      <h2>All prices</h2>
      <TextField label="Search" about="A part of a name." value={search} change={setSearch} />
      <p class="quiet" role="status">
        {countOf(found.length, 'price')}
      </p>
      <Table
        caption="All prices"
        rows={found.slice(0, shownMax)}
        idOf={({ id }) => id}
        empty="No action has such a name."
        columns={[
          { name: 'Name', show: ({ id }) => <code>{id}</code> },
          { name: 'Price', show: ({ text }) => text },
          {
            name: 'Change',
            show: ({ id, is_replaceable }) =>
              is_replaceable && (
                <button
                  type="button"
                  class="plain"
                  aria-label={`Change the price of ${id}`}
                  onClick={() => {
                    choose(id)
                    scrollTo({ top: 0 })
                  }}
                >
                  Change
                </button>
              ),
          },
        ]}
      />
      {found.length > shownMax && (
        <button type="button" onClick={() => setShownMax(found.length)}>
          Show all {countOf(found.length, 'price')}
        </button>
      )}
    </section>
  )
}

/** What a price would have earned, and the button that sets it. */
function Effect({ action, changed }: { action: string; changed: () => void }) {
  const [typed, setTyped] = useState('')
  const number = readNumber(typed)
  const isWrong = typed !== '' && number === undefined
  const current = useLoad(action, (signal) =>
    tollway.request('GET /api/v1/admin/price-overrides/{service}/{action}', {
      path: pathOf(action),
      signal,
    }),
  )
  const asked = useRested(number ?? '', restMs)
  return (
    <Shown of={current}>
      {(found) => (
        <>
          <p>Now: {found.current_price}</p>
          {found.kind === 'factor' ? (
            <TextField
              label="Factor for all its amounts"
              about={`Of the price of the catalog, which is: ${found.catalog_price}.`}
              value={typed}
              change={setTyped}
              problem={isWrong ? 'Enter a number, such as 1.25.' : undefined}
            />
          ) : (
            <TextField
              label={`Dollars for a ${found.unit ?? 'call'}`}
              about="At most six places, such as 0.025 for 2.5¢."
              value={typed}
              change={setTyped}
              problem={isWrong ? 'Enter dollars, such as 0.025.' : undefined}
            />
          )}
          {!isWrong && (
            <Earnings
              known={found}
              asked={asked}
              isRested={asked === (number ?? '')}
              changed={() => [changed(), current.reload()]}
            />
          )}
        </>
      )}
    </Shown>
  )
}

function Earnings({
  known,
  asked,
  isRested,
  changed,
}: {
  known: Preview
  asked: string
  isRested: boolean
  changed: () => void
}) {
  const preview = useLoad(`${known.action} ${asked}`, (signal) =>
    tollway.request('GET /api/v1/admin/price-overrides/{service}/{action}', {
      path: pathOf(known.action),
      signal,
      query: asked === '' ? {} : termOf(known, asked),
    }),
  )
  return (
    <Shown of={preview}>
      {(found) => (
        <>
          <Numbers>
            <NumberOf label="Would cost">{found.price}</NumberOf>
            <NumberOf label={`Highest cost of a ${found.unit ?? 'call'}`}>
              <WorstCost preview={found} />
            </NumberOf>
            <NumberOf label="Margin, last 30 days">
              <Margin {...found.last_30_days} />
            </NumberOf>
            <NumberOf label="Margin at this price">
              <Margin
                {...found.last_30_days}
                charged_less_known_cost_usd={found.at_this_price.charged_less_known_cost_usd}
              />
            </NumberOf>
          </Numbers>
          <p class="quiet">
            {found.last_30_days.charged_calls.toLocaleString()} of{' '}
            {found.last_30_days.calls.toLocaleString()} calls of the last 30 days were charged. The
            cost of {found.last_30_days.calls_with_known_cost.toLocaleString()} is known.
          </p>
          {found.is_below_inner_spend && (
            <p class="notice">
              The calls inside one call can cost <Amount usd={found.inner_spend_max_usd ?? '0'} />{' '}
              at the prices of the catalog, more than this price.
            </p>
          )}
          {asked !== '' && isRested && (
            <SetPrice preview={found} changed={() => [changed(), preview.reload()]} />
          )}
        </>
      )}
    </Shown>
  )
}

function WorstCost({ preview }: { preview: Preview }) {
  const { worst_cost_usd: usd, worst_cost_factor: factor } = preview
  if (factor !== null) return <>{factor} of its price</>
  return usd === null ? <>unknown</> : <Amount usd={usd} />
}

function SetPrice({ preview, changed }: { preview: Preview; changed: () => void }) {
  const [confirmed, setConfirmed] = useState(false)
  const [done, setDone] = useState('')
  const { action, price_usd, factor, is_below_worst_cost: isBelow } = preview
  const { isBusy, error, start } = useWork(async () => {
    setDone('')
    await tollway.request('PUT /api/v1/admin/price-overrides/{service}/{action}', {
      path: pathOf(action),
      body: {
        ...termOf(preview, factor ?? trimPlaces(price_usd ?? '')),
        ...(isBelow && { confirm_below_cost: confirmed }),
      },
    })
    setDone(`${action} has its new price.`)
    changed()
  })
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        start()
      }}
    >
      {isBelow && (
        <label class="notice bad bar start">
          <input
            type="checkbox"
            checked={confirmed}
            required
            onChange={(event) => setConfirmed(event.currentTarget.checked)}
          />
          <span>Calls have cost you more than this price. Sell them at a loss.</span>
        </label>
      )}
      <Problem error={error} />
      <div class="bar start">
        <button type="submit" class="main" aria-disabled={isBusy}>
          Set the price
        </button>
        <span role="status">{done}</span>
      </div>
    </form>
  )
}

/** `0.025000` as a person would write it. The audit log shows it. */
const trimPlaces = (usd: string) => usd.replace(/\.?0+$/, '')
