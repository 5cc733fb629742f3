// Saved plans: those of the account, or those that the operator publishes. A plan is written as JSON, checked, and
// saved in place of the version that was read.
import type { Routes } from '@tollway/client'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type AnswerOf, tollway } from '../gateway.ts'
import { useLoad, useWork } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { ConfirmButton } from '../parts/confirm.tsx'
import { Field, TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Problem, Shown } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import type { OperatorRoute } from '../parts/role.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { addressOf } from '../router.ts'

type Plan = AnswerOf<'GET /api/v1/plans/{name}'>
type Change = AnswerOf<'PUT /api/v1/plans/{name}'>
type PlanBody = Routes['PUT /api/v1/plans/{name}']['body']
type Preview = 'true' | 'false'

interface PlanSource {
  readonly title: string
  readonly about: string
  /** Of the page with the list. */
  readonly path: string
  readonly list: (signal: AbortSignal) => Promise<{ readonly plans: readonly Plan[] }>
  readonly read: (name: string, signal: AbortSignal) => Promise<Plan>
  readonly create: (name: string, body: PlanBody, preview: Preview) => Promise<Change>
  readonly replace: (before: Plan, body: PlanBody, preview: Preview) => Promise<Change>
  readonly retire: (name: string) => Promise<unknown>
  /** The routes of the operator, where the plans are published. */
  readonly needs?: Readonly<Record<'create' | 'replace' | 'retire', OperatorRoute>>
}

const own: PlanSource = {
  title: 'Plans',
  about: 'Calls under one name, which only this account runs as an action.',
  path: '/plans',
  list: (signal) => tollway.request('GET /api/v1/plans', { signal }),
  read: (name, signal) => tollway.request('GET /api/v1/plans/{name}', { path: { name }, signal }),
  create: (name, body, preview) =>
    tollway.request('POST /api/v1/plans', { query: { preview }, body: { name, ...body } }),
  replace: ({ name, revision }, body, preview) =>
    tollway.request('PUT /api/v1/plans/{name}', {
      path: { name },
      query: { revision, preview },
      body,
    }),
  retire: (name) => tollway.request('DELETE /api/v1/plans/{name}', { path: { name } }),
}

const published: PlanSource = {
  title: 'Published plans',
  about: 'Calls under one name and a price, which are sold to everyone as an action.',
  path: '/operator/plans',
  list: (signal) => tollway.request('GET /api/v1/admin/plans', { signal }),
  read: (name, signal) =>
    tollway.request('GET /api/v1/admin/plans/{name}', { path: { name }, signal }),
  create: (name, body, preview) =>
    tollway.request('POST /api/v1/admin/plans', { query: { preview }, body: { name, ...body } }),
  replace: ({ name, revision }, body, preview) =>
    tollway.request('PUT /api/v1/admin/plans/{name}', {
      path: { name },
      query: { revision, preview },
      body,
    }),
  retire: (name) => tollway.request('DELETE /api/v1/admin/plans/{name}', { path: { name } }),
  needs: {
    create: 'POST /api/v1/admin/plans',
    replace: 'PUT /api/v1/admin/plans/{name}',
    retire: 'DELETE /api/v1/admin/plans/{name}',
  },
}

export const PlansPage = (_: PageProps) => <Plans source={own} />
export const PlanPage = ({ parameters: { name = '' } }: PageProps) => (
  <OnePlan source={own} name={name} />
)
export const PublishedPlansPage = (_: PageProps) => <Plans source={published} />
export const PublishedPlanPage = ({ parameters: { name = '' } }: PageProps) => (
  <OnePlan source={published} name={name} />
)

/** Two calls, the second of which takes a value of the first. */
const sample: PlanBody = {
  title: 'Find a person in the encyclopedia and read their page.',
  input: {
    type: 'object',
    properties: { person: { type: 'string', maxLength: 100 } },
    required: ['person'],
    additionalProperties: false,
  },
  steps: [
    {
      id: 'find',
      action: 'ns_encyclopedia/search',
      params: { q: { $step: 'input', pointer: '/person' } },
    },
    {
      id: 'read',
      action: 'ns_encyclopedia/page',
      params: { title: { $step: 'find', pointer: '/results/0/title' } },
    },
  ],
  output: { title: { $step: 'find', pointer: '/results/0/title' } },
  example: { person: 'Ada Lovelace' },
}

function Plans({ source }: { source: PlanSource }) {
  const plans = useLoad(source.path, source.list)
  const [name, setName] = useState('')
  return (
    <Page title={source.title}>
      <p>
        {source.about} <a href="/docs/use/plans#a-saved-plan">Saved plans</a>
      </p>
      <Shown of={plans}>
        {({ plans: rows }) => (
          <Table
            caption={source.title}
            rows={rows}
            idOf={({ action }) => action}
            empty="No plan is saved."
            columns={[
              {
                name: 'Name',
                show: (plan) => <a href={addressOf(`${source.path}/${plan.name}`)}>{plan.name}</a>,
              },
              { name: 'What it does', show: ({ title }) => title },
              { name: 'Action', show: ({ action }) => <code>{action}</code> },
              { name: 'Price', show: ({ price }) => textOfPrice(price) },
              { name: 'Saved', show: ({ saved_at }) => <Time at={saved_at} /> },
              {
                name: 'Retire',
                show: (plan) => (
                  <ConfirmButton
                    label="Retire"
                    needs={source.needs?.retire}
                    of={plan.name}
                    confirm="Retire the plan"
                    question={`Callers of ${plan.action} will read that it was retired.`}
                    work={async () => {
                      await source.retire(plan.name)
                      plans.reload()
                    }}
                  />
                ),
              },
            ]}
          />
        )}
      </Shown>
      <section class="card" aria-label="New plan">
        <h2>New plan</h2>
        <Editor
          start={sample}
          needs={source.needs?.create}
          send={(body, preview) => source.create(name.trim(), body, preview)}
          saved={() => {
            setName('')
            plans.reload()
          }}
        >
          <TextField
            label="Name"
            about="Small letters, digits, - and _."
            value={name}
            change={setName}
          />
        </Editor>
      </section>
    </Page>
  )
}

function OnePlan({ source, name }: { source: PlanSource; name: string }) {
  const plan = useLoad(`${source.path}/${name}`, (signal) => source.read(name, signal))
  return (
    <Page title={name}>
      <p>
        <a href={addressOf(source.path)}>All plans</a>
      </p>
      <Shown of={plan}>
        {(before) => (
          <section class="card" aria-label="The plan">
            <p>
              <code>{before.action}</code>, saved <Time at={before.saved_at} />
            </p>
            <Editor
              start={bodyOf(before)}
              needs={source.needs?.replace}
              send={(body, preview) => source.replace(before, body, preview)}
              saved={plan.reload}
            />
          </section>
        )}
      </Shown>
    </Page>
  )
}

/** Of a plan, which is fixed or the sum of its steps with a margin. */
function textOfPrice(price: Plan['price']): string {
  const {
    kind,
    cents,
    margin_percent: percent = 0,
    margin_cents: more = 0,
  } = price as {
    kind?: string
    cents?: number
    margin_percent?: number
    margin_cents?: number
  }
  if (kind === 'fixed') return `${cents}¢`
  const added = [...(percent > 0 ? [`${percent} %`] : []), ...(more > 0 ? [`${more}¢`] : [])]
  return ['what its steps cost', ...added].join(' + ')
}

/** What a person changes of a plan. */
function bodyOf(plan: Plan): PlanBody {
  const { name: _name, action: _action, revision: _revision, saved_at: _saved, ...body } = plan
  return body as PlanBody
}

function Editor({
  start,
  send,
  saved,
  needs,
  children,
}: {
  start: PlanBody
  send: (body: PlanBody, preview: Preview) => Promise<Change>
  saved: () => void
  needs: OperatorRoute | undefined
  children?: ComponentChildren
}) {
  const [text, setText] = useState(() => JSON.stringify(start, null, 2))
  const [checked, setChecked] = useState<Change>()
  const read = (): PlanBody => JSON.parse(text)
  const check = useWork(async () => {
    setChecked(undefined)
    setChecked(await send(read(), 'true'))
    return 'It can be saved.'
  })
  const save = useWork(async () => {
    const { action } = await send(read(), 'false')
    setChecked(undefined)
    check.forget()
    saved()
    return `${action} is saved.`
  })
  return (
    <Form
      of={check}
      submit="Check"
      needs={needs}
      changed={() => {
        save.forget()
        setChecked(undefined)
      }}
      beside={
        <>
          <button
            type="button"
            class="main"
            aria-disabled={checked === undefined || save.isBusy}
            onClick={() => checked && save.start()}
          >
            Save
          </button>
          <span role="status">{save.done}</span>
        </>
      }
    >
      {children}
      <Field label="Plan" about="As JSON. Check it first: that saves nothing.">
        {(control) => (
          <textarea
            {...control}
            rows={24}
            spellcheck={false}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
      </Field>
      <Problem error={save.error} />
      {checked && <Differences of={checked} />}
    </Form>
  )
}

const shown = (value: unknown) => (value === undefined ? '' : <code>{JSON.stringify(value)}</code>)

function Differences({ of: { differences } }: { of: Change }) {
  return (
    <Table
      caption="What differs"
      rows={differences}
      idOf={({ at }) => at}
      empty="Nothing differs from a saved version."
      columns={[
        { name: 'Where', show: ({ at }) => <code>{at}</code> },
        { name: 'Before', show: ({ before }) => shown(before) },
        { name: 'After', show: ({ after }) => shown(after) },
      ]}
    />
  )
}
