import { useState } from 'preact/hooks'
import { filled } from '../filled.ts'
import { type AnswerOf, tollway } from '../gateway.ts'
import { useLoad, useRested, useWork } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { Amount } from '../parts/amount.tsx'
import { ConfirmButton } from '../parts/confirm.tsx'
import { ChoiceField, TextField } from '../parts/field.tsx'
import { Problem, Shown, Tag } from '../parts/notices.tsx'
import { NumberOf, Numbers, Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'

type Preview = AnswerOf<'GET /api/v1/admin/price-overrides/{service}/{action}'>

const restMs = 300

/** Exact dollars, as the gateway takes them. Undefined for any other text. */
const readPrice = (text: string): string | undefined =>
  /^\$?(\d{1,4}(?:\.\d{1,6})?)$/.exec(text.trim())?.[1]

const pathOf = (id: string) => {
  const [service = '', action = ''] = id.split('/')
  return { service, action }
}

export function PricesPage(_: PageProps) {
  const overrides = useLoad('overrides', (signal) =>
    tollway.request('GET /api/v1/admin/price-overrides', { signal }),
  )
  return (
    <Page title="Prices">
      <p>
        A flat price of your own replaces that of the catalog at once, at every gateway of this
        database. Calls that have begun keep the price that they were quoted.
      </p>
      <Shown of={overrides}>
        {({ price_overrides }) => (
          <Table
            caption="Your own prices"
            rows={price_overrides}
            empty="Every action costs what the catalog says."
            columns={[
              { name: 'Action', show: ({ action }) => <code>{action}</code> },
              {
                name: 'Price',
                isAmount: true,
                show: ({ price_usd }) => <Amount usd={price_usd} />,
              },
              {
                name: 'Catalog',
                isAmount: true,
                show: ({ catalog_price_usd: usd }) => usd && <Amount usd={usd} />,
              },
              { name: 'Set', show: ({ set_at }) => <Time at={set_at} /> },
              {
                name: 'State',
                show: ({ applies }) =>
                  applies ? (
                    <Tag kind="good">in force</Tag>
                  ) : (
                    <Tag>no longer sold at a flat price</Tag>
                  ),
              },
              {
                name: 'Remove',
                show: ({ action }) => (
                  <ConfirmButton
                    label="Remove"
                    confirm="Restore the price of the catalog"
                    question={`${action} will cost what the catalog says.`}
                    work={async () => {
                      await tollway.request(
                        'DELETE /api/v1/admin/price-overrides/{service}/{action}',
                        {
                          path: pathOf(action),
                        },
                      )
                      overrides.reload()
                    }}
                  />
                ),
              },
            ]}
          />
        )}
      </Shown>
      <ChangePrice changed={overrides.reload} />
    </Page>
  )
}

function ChangePrice({ changed }: { changed: () => void }) {
  const [action, setAction] = useState('')
  const [typed, setTyped] = useState('')
  const prices = useLoad('prices', (signal) =>
    tollway.request('GET /api/v1/admin/prices', { signal }),
  )
  const usd = readPrice(typed)
  const isWrong = typed !== '' && usd === undefined
  return (
    <section class="card stack">
      <h2>Change a price</h2>
      <Shown of={prices}>
        {({ prices: all }) => (
          <ChoiceField
            label="Action"
            about="Actions whose price is the same for every call."
            value={action}
            change={setAction}
            choices={[
              ['', 'Choose an action'],
              ...all
                .filter(({ mode, amount }) => mode === 'fixed' && Number(amount) > 0)
                .map(({ id }) => [id, id] as const),
            ]}
          />
        )}
      </Shown>
      <TextField
        label="Dollars for a call"
        about="At most six places, such as 0.025 for 2.5¢."
        value={typed}
        change={setTyped}
        problem={isWrong ? 'Enter dollars, such as 0.025.' : undefined}
      />
      {action !== '' && !isWrong && <Effect action={action} usd={usd} changed={changed} />}
    </section>
  )
}

/** What a price would have earned, and the button that sets it. */
function Effect({
  action,
  usd,
  changed,
}: {
  action: string
  usd: string | undefined
  changed: () => void
}) {
  const asked = useRested(`${action} ${usd ?? ''}`, restMs)
  const preview = useLoad(asked, (signal) =>
    tollway.request('GET /api/v1/admin/price-overrides/{service}/{action}', {
      ...{ path: pathOf(action), query: filled({ price_usd: usd }), signal },
    }),
  )
  return (
    <Shown of={preview}>
      {(found) => (
        <>
          <Numbers>
            <NumberOf label="Now">
              <Amount usd={found.current_price_usd} />
            </NumberOf>
            <NumberOf label="Highest cost of a call">
              {found.worst_cost_usd === null ? 'unknown' : <Amount usd={found.worst_cost_usd} />}
            </NumberOf>
            <NumberOf label="Margin, last 30 days">
              <Amount usd={found.last_30_days.charged_less_known_cost_usd} />
            </NumberOf>
            <NumberOf label="Margin at this price">
              <Amount usd={found.at_this_price.charged_less_known_cost_usd} />
            </NumberOf>
          </Numbers>
          <p class="quiet">
            {found.last_30_days.charged_calls.toLocaleString()} of{' '}
            {found.last_30_days.calls.toLocaleString()} calls of the last 30 days were charged. The
            cost of {found.last_30_days.calls_with_known_cost.toLocaleString()} is known.
          </p>
          {usd !== undefined && asked === `${action} ${usd}` && (
            <SetPrice preview={found} changed={() => [changed(), preview.reload()]} />
          )}
        </>
      )}
    </Shown>
  )
}

function SetPrice({ preview, changed }: { preview: Preview; changed: () => void }) {
  const [confirmed, setConfirmed] = useState(false)
  const [done, setDone] = useState('')
  const { action, price_usd, is_below_worst_cost: isBelow } = preview
  const { isBusy, error, start } = useWork(async () => {
    setDone('')
    await tollway.request('PUT /api/v1/admin/price-overrides/{service}/{action}', {
      path: pathOf(action),
      body: { price_usd: trimPlaces(price_usd), ...(isBelow && { confirm_below_cost: confirmed }) },
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
        <button type="submit" class="main" disabled={isBusy}>
          Set the price
        </button>
        <span role="status">{done}</span>
      </div>
    </form>
  )
}

/** `0.025000` as a person would write it. The audit log shows it. */
const trimPlaces = (usd: string) => usd.replace(/\.?0+$/, '')
