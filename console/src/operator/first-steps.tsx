// What a new gateway needs before it earns. Each step is ticked off by what the gateway knows, and the list goes once
// all of them are done.

import type { ComponentChildren } from 'preact'
import { countOf } from '../format/count.ts'
import { tollway } from '../gateway.ts'
import { useLoad, useReturn } from '../load.ts'
import { Foreign } from '../parts/foreign.tsx'
import { Shown, Tag } from '../parts/notices.tsx'
import { Time } from '../parts/time.tsx'
import { addressOf } from '../router.ts'

interface Step {
  readonly title: string
  /** What was found. Undefined: it is not done yet. */
  readonly found: ComponentChildren
  /** How it is done. */
  readonly how: ComponentChildren
  /** It cannot be seen from here whether it is done. */
  readonly isUnseen?: boolean
}

async function readSteps(signal: AbortSignal): Promise<readonly Step[]> {
  const [keys, overrides, sold, payments, backups, sales, models] = await Promise.all([
    tollway.request('GET /api/v1/admin/provider-keys', { signal }),
    tollway.request('GET /api/v1/admin/price-overrides', { signal }),
    tollway.request('GET /api/v1/admin/sold-apis', { signal }),
    tollway.request('GET /api/v1/admin/payments', { signal }),
    tollway.request('GET /api/v1/admin/backups', { signal }),
    tollway.request('GET /api/v1/admin/transactions', {
      query: { type: 'call', status: 'succeeded', free: 'false', limit: 1 },
      signal,
    }),
    // Everyone may read these, but an operator without an account may not read them as a caller.
    fetch('/api/llm/v1/models', { credentials: 'omit', signal }).then(
      async (reply): Promise<{ data: readonly { id: string }[] }> => await reply.json(),
    ),
  ])
  const keyed = keys.provider_keys.filter(({ source }) => source !== 'none')
  const own = sold.sold_apis.filter(({ stopped_at }) => stopped_at === null)
  // An API that takes a key is in both lists.
  const titles = new Map([
    ...keyed.map(({ provider, title }) => [provider, title] as const),
    ...own.map(({ name, title }) => [name, title] as const),
  ])
  // What this machine answers by itself is there on every gateway.
  const others = models.data.filter(({ id }) => !id.startsWith('tollway/'))
  const offers = [
    ...titles.values(),
    ...(others.length > 0 ? [countOf(others.length, 'language model')] : []),
  ]
  const { length: overridden } = overrides.price_overrides
  const priced = [
    ...(overridden > 0 ? [`${countOf(overridden, 'price')} of your own`] : []),
    ...(own.length > 0 ? [`those of ${countOf(own.length, 'API')} that you sell`] : []),
  ]
  const rails = Object.entries(payments.rails).flatMap(([rail, { on }]) => (on ? [rail] : []))
  const [sale] = sales.transactions
  return [
    {
      title: 'Something to sell',
      found: offers.length > 0 && <Foreign text={offers.join(', ')} />,
      how: (
        <>
          Paste the key of <a href={addressOf('/operator/providers')}>a provider</a>, or{' '}
          <a href={addressOf('/operator/selling')}>sell an API of yours</a>. Built-in actions and
          public sources are for sale already.
        </>
      ),
    },
    {
      title: 'A price',
      found: priced.length > 0 && priced.join(', and '),
      how: (
        <>
          Set <a href={addressOf('/operator/prices')}>a price of your own</a>, or{' '}
          <a href={addressOf('/operator/selling')}>sell an API of yours</a>.
        </>
      ),
    },
    {
      title: 'A way to be paid',
      found: rails.length > 0 && rails.join(', '),
      how: (
        <>
          Let wallets pay: <a href="/docs/operate/payments">the guide</a> names the settings.
          Accounts whose balance you <a href={addressOf('/operator/accounts')}>credit by hand</a>{' '}
          work without.
        </>
      ),
    },
    {
      title: 'A backup',
      found: backups.last_backup_at !== null && <Time at={backups.last_backup_at} />,
      isUnseen: backups.database === 'external',
      how:
        backups.database === 'embedded' ? (
          <>
            <a href={addressOf('/operator/backups')}>Set a schedule</a>, and keep a copy on another
            machine.
          </>
        ) : (
          <>
            The gateway cannot see what <code>pg_dump</code> makes of your database.{' '}
            <a href="/docs/operate/backup">The guide</a> shows how to back it up.
          </>
        ),
    },
    {
      title: 'The first sale',
      found: sale !== undefined && (
        <>
          The latest was at <Time at={sale.created_at} />
        </>
      ),
      how: (
        <>
          Give callers <a href="/docs/connect">the page that connects them</a>.
        </>
      ),
    },
  ]
}

const isDone = ({ found }: Step) => found !== false

export function FirstSteps() {
  const steps = useLoad('first steps', readSteps)
  useReturn(steps.reload)
  const isOver = steps.value?.every((step) => isDone(step) || step.isUnseen)
  if (isOver) return null
  return (
    <section class="card" aria-label="First steps">
      <h2>First steps</h2>
      <Shown of={steps}>
        {(all) => (
          <>
            <p>
              {all.filter(isDone).length} of {all.length} are done.
            </p>
            <ol class="stack">
              {all.map((step) => (
                <li key={step.title}>
                  <strong>{step.title}</strong>{' '}
                  {isDone(step) ? (
                    <>
                      <Tag kind="good">done</Tag> {step.found}
                    </>
                  ) : (
                    step.how
                  )}
                </li>
              ))}
            </ol>
          </>
        )}
      </Shown>
    </section>
  )
}
