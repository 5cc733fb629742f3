import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useAddressed } from '../addressed.ts'
import { countOf } from '../format/count.ts'
import { type AnswerOf, tollway } from '../gateway.ts'
import { useLoad, useRested, useWork } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { Amount } from '../parts/amount.tsx'
import { ConfirmButton } from '../parts/confirm.tsx'
import { ChoiceField, TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Margin } from '../parts/margin.tsx'
import { Shown, Tag } from '../parts/notices.tsx'
import { NumberOf, Numbers, Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'

type Preview = AnswerOf<'GET /api/v1/admin/price-overrides/{service}/{action}'>

const restMs = 300

/** An exact amount or factor, as the gateway takes them. Undefined for any other text. */
const readNumber = (text: string): string | undefined =>
  /^\$?(\d{1,4}(?:\.\d{1,6})?)$/.exec(text.trim())?.[1]

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
  const [chosen, choose] = useAddressed({ action: '', search: '', all: '' })
  const [opener, setOpener] = useState<Opener>()
  const reload = () => {
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
                    needs="DELETE /api/v1/admin/price-overrides/{service}/{action}"
                    confirm="Restore the price of the catalog"
                    question={`${action} will cost what the catalog says.`}
                    work={async () => {
                      await tollway.request(
                        'DELETE /api/v1/admin/price-overrides/{service}/{action}',
                        {
                          path: pathOf(action),
                        },
                      )
                      reload()
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
            <ChangePrice
              all={all}
              action={chosen.action}
              choose={(action) => {
                setOpener(undefined)
                choose({ action })
              }}
              opener={opener}
              changed={reload}
            />
            <AllPrices
              all={all}
              shown={chosen}
              show={choose}
              change={(action, button) => {
                setOpener({ button })
                choose({ action })
              }}
            />
          </>
        )}
      </Shown>
    </Page>
  )
}

type ListedPrice = AnswerOf<'GET /api/v1/admin/prices'>['prices'][number]

/** The button of a row that has opened the form. The focus goes from it to the form, and back. */
interface Opener {
  readonly button: HTMLElement
}

function ChangePrice({
  all,
  action,
  choose,
  opener,
  changed,
}: {
  all: readonly ListedPrice[]
  action: string
  choose: (action: string) => void
  opener: Opener | undefined
  changed: () => void
}) {
  const replaceable = all.filter(({ is_replaceable }) => is_replaceable)
  const chosen = replaceable.find(({ id }) => id === action)
  return (
    <section class="card stack">
      <h2>Change a price</h2>
      <ChoiceField
        label="Action"
        value={action}
        change={choose}
        choices={[['', 'Choose an action'], ...replaceable.map(({ id }) => [id, id] as const)]}
      />
      {chosen && (
        <NewPrice
          key={action}
          of={chosen}
          opener={opener}
          close={() => {
            choose('')
            opener?.button.focus()
          }}
          changed={() => {
            changed()
            opener?.button.focus()
          }}
        />
      )}
      {action !== '' && chosen === undefined && (
        <p class="notice">{action} has no price that you can replace.</p>
      )}
    </section>
  )
}

const shownAtFirst = 50

/** What each action costs now, with the operator's own prices. */
function AllPrices({
  all,
  shown: { search, all: isWhole },
  show,
  change,
}: {
  all: readonly ListedPrice[]
  shown: { readonly search: string; readonly all: string }
  show: (chosen: { search?: string; all?: string }) => void
  change: (action: string, button: HTMLElement) => void
}) {
  const found = all.filter(({ id }) => id.includes(search.trim().toLowerCase()))
  return (
    <section class="stack">
      <h2>All prices</h2>
      <TextField
        label="Search"
        about="A part of a name."
        value={search}
        change={(typed) => show({ search: typed })}
      />
      <p class="quiet" role="status">
        {countOf(found.length, 'price')}
      </p>
      <Table
        caption="All prices"
        rows={isWhole ? found : found.slice(0, shownAtFirst)}
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
                  onClick={({ currentTarget }) => change(id, currentTarget)}
                >
                  Change
                </button>
              ),
          },
        ]}
      />
      {!isWhole && found.length > shownAtFirst && (
        <button type="button" onClick={() => show({ all: 'yes' })}>
          Show all {countOf(found.length, 'price')}
        </button>
      )}
    </section>
  )
}

/** What a price would have earned, and the button that sets it. */
function NewPrice({
  of: { id: action, override_kind: kind },
  opener,
  close,
  changed,
}: {
  of: ListedPrice
  opener: Opener | undefined
  close: () => void
  changed: () => void
}) {
  const [typed, setTyped] = useState('')
  const [confirmed, setConfirmed] = useState(false)
  const number = readNumber(typed)
  const asked = useRested(number ?? '', restMs)
  /** In the term that the price takes. */
  const term = kind === 'factor' ? { factor: asked } : { price_usd: asked }
  const preview = useLoad(asked, (signal) =>
    tollway.request('GET /api/v1/admin/price-overrides/{service}/{action}', {
      path: pathOf(action),
      signal,
      query: asked === '' ? {} : term,
    }),
  )
  const isBelow = preview.value?.is_below_worst_cost
  const set = useWork(async () => {
    await tollway.request('PUT /api/v1/admin/price-overrides/{service}/{action}', {
      path: pathOf(action),
      body: { ...term, ...(isBelow && { confirm_below_cost: confirmed }) },
    })
    preview.reload()
    changed()
    return `${action} has its new price.`
  })
  const problem = typed !== '' && number === undefined
  return (
    <Shown of={preview}>
      {(found) => (
        <Form
          of={set}
          needs="PUT /api/v1/admin/price-overrides/{service}/{action}"
          submit="Set the price"
          kind="main"
          isReady={asked !== '' && asked === number && !preview.isLoading && !preview.error}
          beside={
            <button type="button" onClick={close}>
              Cancel
            </button>
          }
        >
          <p>Now: {found.current_price}</p>
          <FirstField opener={opener}>
            <TextField
              {...(kind === 'factor'
                ? {
                    label: 'Factor for all its amounts',
                    about: `Of the price of the catalog, which is: ${found.catalog_price}.`,
                    problem: problem ? 'Enter a number, such as 1.25.' : undefined,
                  }
                : {
                    label: `Dollars for a ${found.unit ?? 'call'}`,
                    about: 'At most six places, such as 0.025 for 2.5¢.',
                    problem: problem ? 'Enter dollars, such as 0.025.' : undefined,
                  })}
              value={typed}
              change={(text) => {
                setTyped(text)
                setConfirmed(false)
              }}
            />
          </FirstField>
          {!problem && <Earnings of={found} />}
          {asked !== '' && found.is_below_worst_cost && (
            <label class="notice bad bar start">
              <input
                type="checkbox"
                checked={confirmed}
                required
                onInput={(event) => setConfirmed(event.currentTarget.checked)}
              />
              <span>Calls have cost you more than this price. Sell them at a loss.</span>
            </label>
          )}
        </Form>
      )}
    </Shown>
  )
}

/** It takes the focus when the form is opened from a row. */
function FirstField({
  opener,
  children,
}: {
  opener: Opener | undefined
  children: ComponentChildren
}) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (opener !== undefined) place.current?.querySelector('input')?.focus()
  }, [opener])
  return <div ref={place}>{children}</div>
}

const Earnings = ({ of: found }: { of: Preview }) => (
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
      {found.last_30_days.calls.toLocaleString()} calls of the last 30 days were charged. The cost
      of {found.last_30_days.calls_with_known_cost || 'none'} of them is known.
    </p>
    {found.is_below_inner_spend && (
      <p class="notice">
        The calls inside one call can cost <Amount usd={found.inner_spend_max_usd ?? '0'} /> at the
        prices of the catalog, more than this price.
      </p>
    )}
  </>
)

function WorstCost({ preview }: { preview: Preview }) {
  const { worst_cost_usd: usd, worst_cost_factor: factor } = preview
  if (factor !== null) return <>{factor} of its price</>
  return usd === null ? <>unknown</> : <Amount usd={usd} />
}
