// Whether the providers of this gateway still answer as its actions need them to.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type AnswerOf, tollway } from '../gateway.ts'
import { useLoad, useWhileRunning } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { Amount } from '../parts/amount.tsx'
import { ConfirmButton } from '../parts/confirm.tsx'
import { Foreign, visible } from '../parts/foreign.tsx'
import { Problem, Shown, Tag } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { saveAs } from '../parts/save.ts'
import { Scroll } from '../parts/scroll.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { WorkButton } from '../parts/work-button.tsx'
import { addressOf } from '../router.ts'
import { inOrder } from './canary-order.ts'

type Canaries = AnswerOf<'GET /api/v1/admin/canaries'>
type Canary = Canaries['canaries'][number]
type Check = AnswerOf<'GET /api/v1/admin/canaries/{provider}/checks'>['checks'][number]

const load = (signal: AbortSignal) => tollway.request('GET /api/v1/admin/canaries', { signal })

async function loadInOrder(signal: AbortSignal) {
  const [shown, { sold_apis: sold }] = await Promise.all([
    load(signal),
    tollway.request('GET /api/v1/admin/sold-apis', { signal }),
  ])
  const own = new Set(sold.map(({ name }) => name))
  return { ...shown, canaries: inOrder(shown.canaries, own) }
}

export function CanariesPage(_: PageProps) {
  const loaded = useLoad('canaries', loadInOrder)
  useWhileRunning(
    loaded.value?.canaries.some(({ last }) => last?.state === 'running') ?? false,
    loaded.reload,
  )
  return (
    <Page title="Canaries">
      <p>
        A canary asks a provider one cheap, harmless thing, and compares the answer with what this
        gateway expects. It costs you what the provider takes for one call. No caller pays for it.
        Of an API that you sell, a price rule with <code>"canary": true</code> chooses the
        operation.
      </p>
      <Shown of={loaded}>
        {(shown) => (
          <>
            <p>
              <Schedule {...shown} />
            </p>
            <Table
              caption="Canaries"
              rows={shown.canaries}
              idOf={({ provider }) => provider}
              empty="No provider that can be asked is configured yet."
              columns={[
                {
                  name: 'Provider',
                  show: ({ provider, title }) => (
                    <>
                      <a href={addressOf(`/operator/canaries/${provider}`)}>
                        <Foreign text={title} />
                      </a>{' '}
                      <code>{provider}</code>
                    </>
                  ),
                },
                {
                  name: 'What it asks',
                  show: ({ action, reason }) =>
                    action === null ? (
                      <span class="quiet">
                        <Foreign text={reason} />
                      </span>
                    ) : (
                      <code>{action}</code>
                    ),
                },
                {
                  name: 'Costs at most',
                  isAmount: true,
                  show: ({ action, is_cost_known: isKnown, cents_at_most: cents }) =>
                    action !== null &&
                    (isKnown ? <Amount usd={(cents / 100).toFixed(6)} /> : 'no cost is declared'),
                },
                { name: 'Last check', show: ({ last }) => <LastCheck check={last} /> },
                {
                  name: 'Check',
                  show: (canary) => <CheckButton canary={canary} begun={loaded.reload} isListed />,
                },
              ]}
            />
          </>
        )}
      </Shown>
    </Page>
  )
}

const Schedule = ({ interval_hours: hours, cents_at_most: cents }: Canaries) =>
  hours === 0 ? (
    <>
      Canaries are sent only when you ask. <code>CANARY_INTERVAL_HOURS</code> sends them on a
      schedule; one round of all of them costs at most {cents}¢.
    </>
  ) : (
    <>
      Canaries are sent every {hours} hours. One round of all of them costs at most {cents}¢.
    </>
  )

const words: Readonly<Record<Check['state'], readonly ['good' | 'warning' | 'bad', string]>> = {
  running: ['warning', 'asking …'],
  well: ['good', 'as expected'],
  drifted: ['warning', 'changed'],
  failed: ['bad', 'failed'],
  unclear: ['warning', 'not known'],
}

const State = ({ check: { state } }: { check: Pick<Check, 'state'> }) => {
  const [kind, text] = words[state]
  return <Tag kind={kind}>{text}</Tag>
}

function LastCheck({ check }: { check: Canary['last'] }) {
  if (check === null) return <span class="quiet">never</span>
  return (
    <>
      <State check={check} /> <Foreign text={check.says} /> <Time at={check.started_at} />
    </>
  )
}

/** It says what the check may cost before it is made. */
function CheckButton({
  canary,
  begun,
  isListed = false,
}: {
  canary: Canary
  begun: () => void
  /** Whether there are others beside it. */
  isListed?: boolean
}) {
  const { provider, title, action, cents_at_most: cents, is_cost_known: isKnown, last } = canary
  if (action === null) return <span class="quiet">not asked</span>
  const isBusy = last?.state === 'running'
  return (
    <span class="bar start">
      <ConfirmButton
        label="Check"
        of={isListed ? provider : undefined}
        isBusy={isBusy}
        needs="POST /api/v1/admin/canaries/{provider}/checks"
        confirm={isKnown ? `Ask for at most ${cents}¢` : 'Ask it'}
        isDangerous={false}
        question={`Ask ${action} at ${visible(title)} now? ${isKnown ? `It costs you at most ${cents}¢ there.` : 'What that costs you is not known: no cost is declared for this API.'}`}
        work={async () => {
          await tollway.request('POST /api/v1/admin/canaries/{provider}/checks', {
            path: { provider },
            body: { max_cents: cents },
          })
          begun()
        }}
      />
      <span role="status">{isBusy && 'asking …'}</span>
    </span>
  )
}

export function CanaryPage({ parameters: { provider = '' } }: PageProps) {
  const canaries = useLoad('canaries', load)
  const checks = useLoad(provider, (signal) =>
    tollway.request('GET /api/v1/admin/canaries/{provider}/checks', { path: { provider }, signal }),
  )
  const reload = () => {
    canaries.reload()
    checks.reload()
  }
  useWhileRunning(checks.value?.checks.some(({ state }) => state === 'running') ?? false, reload)
  const canary = canaries.value?.canaries.find((each) => each.provider === provider)
  return (
    <Page
      title={`Canary of ${visible(canary?.title ?? provider)}`}
      actions={canary && <CheckButton canary={canary} begun={reload} />}
    >
      <p>
        <a href={addressOf('/operator/canaries')}>All canaries</a>
      </p>
      <Problem error={canaries.error} retry={canaries.reload} />
      <Shown of={checks}>
        {({ checks: all }) =>
          all.length === 0 ? (
            <p class="quiet">This provider was not checked yet.</p>
          ) : (
            all.map((check) => <CheckSection key={check.check_id} check={check} reload={reload} />)
          )
        }
      </Shown>
    </Page>
  )
}

function CheckSection({ check, reload }: { check: Check; reload: () => void }) {
  const { provider, check_id: id, has_reply: hasReply, state } = check
  const path = { provider, id }
  return (
    <section class="stack">
      <h2>
        <Time at={check.started_at} />
      </h2>
      <p>
        <State check={check} /> <Foreign text={check.says} /> <Foreign text={check.fix} />
      </p>
      <p class="quiet">
        <Facts check={check} />
      </p>
      {check.diff.length > 0 && (
        <Scroll label="What differs from the expected reply">{check.diff.join('\n')}</Scroll>
      )}
      <div class="bar start">
        {state === 'drifted' && check.accepted_at === null && (
          <ConfirmButton
            label="Accept this reply"
            needs="POST /api/v1/admin/canaries/{provider}/checks/{id}/accept"
            confirm="Expect replies like it"
            isDangerous={false}
            question="From now on, replies like this one are as expected. Accept it only if the provider’s documentation says the same."
            work={async () => {
              await tollway.request('POST /api/v1/admin/canaries/{provider}/checks/{id}/accept', {
                path,
              })
              reload()
            }}
          />
        )}
        {hasReply && <FixtureButton check={check} />}
      </div>
      {hasReply && <Reply path={path} />}
    </section>
  )
}

/** A file that can be sent to those who maintain the action. */
function FixtureButton({ check: { provider, check_id: id, action } }: { check: Check }) {
  return (
    <WorkButton
      work={async () => {
        const fixture = await tollway.request(
          'GET /api/v1/admin/canaries/{provider}/checks/{id}/fixture',
          { path: { provider, id } },
        )
        const file = new Blob([JSON.stringify(fixture, null, 2)], { type: 'application/json' })
        saveAs(`${action.replace('/', '.')}.json`, URL.createObjectURL(file))
      }}
    >
      Save as a fixture
    </WorkButton>
  )
}

function Facts({ check }: { check: Check }) {
  const facts: ComponentChildren[] = [
    check.asked_by === 'schedule' ? 'On the schedule.' : 'You asked.',
    ...(check.took_ms === null ? [] : [` It took ${check.took_ms} ms`]),
    ...(check.cost_usd === null
      ? [check.took_ms === null ? '' : '.']
      : [' and cost ', <Amount usd={check.cost_usd} key="cost" />, '.']),
    ...(check.accepted_at === null
      ? []
      : [' Accepted ', <Time at={check.accepted_at} key="accepted" />, '.']),
  ]
  return <>{facts}</>
}

/** Read only when it is opened: it may be long. */
function Reply({ path }: { path: { provider: string; id: string } }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>What was asked and answered</summary>
      {isOpen && <OpenReply path={path} />}
    </details>
  )
}

function OpenReply({ path }: { path: { provider: string; id: string } }) {
  const check = useLoad(path.id, (signal) =>
    tollway.request('GET /api/v1/admin/canaries/{provider}/checks/{id}', { path, signal }),
  )
  return (
    <Shown of={check}>
      {({ exchanges }) => (
        <>
          <p class="quiet">Without your keys and without the data of people.</p>
          <Scroll label="Requests and replies">{JSON.stringify(exchanges, null, 2)}</Scroll>
        </>
      )}
    </Shown>
  )
}
