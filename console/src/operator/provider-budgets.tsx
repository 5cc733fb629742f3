// What each provider may use on a day, and what it has used.
import { useState } from 'preact/hooks'
import { filled } from '../filled.ts'
import { tollway } from '../gateway.ts'
import { useLoad, useWork } from '../load.ts'
import { Amount } from '../parts/amount.tsx'
import { ConfirmButton } from '../parts/confirm.tsx'
import { ChoiceField, TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Shown } from '../parts/notices.tsx'
import { Table } from '../parts/table.tsx'

/** The providers that can have one, and those that have. */
async function readBudgets(signal: AbortSignal) {
  const [{ provider_budgets: budgets }, { providers }] = await Promise.all([
    tollway.request('GET /api/v1/admin/provider-budgets', { signal }),
    tollway.request('GET /api/v1/admin/providers', { signal }),
  ])
  return { budgets, providers }
}

/** `own`: the names of the APIs that the operator sells, which are chosen most often. */
export function ProviderBudgets({ own }: { own: ReadonlySet<string> }) {
  // What is sold anew can have a budget at once.
  const loaded = useLoad([...own].join(' '), readBudgets)
  return (
    <section class="stack" aria-label="Budgets">
      <h2>Budgets of providers</h2>
      <p>
        What a provider may use on a day of UTC. Once it is reached, its actions are unavailable
        until midnight.
      </p>
      <Shown of={loaded}>
        {({ budgets, providers }) => (
          <>
            <Table
              caption="Budgets of providers"
              rows={budgets}
              idOf={({ provider }) => provider}
              empty="No provider has a budget."
              columns={[
                { name: 'Provider', show: ({ provider }) => <code>{provider}</code> },
                { name: 'Calls a day', isAmount: true, show: (budget) => budget.calls_per_day },
                { name: 'Calls today', isAmount: true, show: ({ calls_today }) => calls_today },
                {
                  name: 'Cost a day',
                  isAmount: true,
                  show: ({ cost_usd_per_day: usd }) => usd !== null && <Amount usd={usd} />,
                },
                {
                  name: 'Cost today',
                  isAmount: true,
                  show: ({ cost_usd_today }) => <Amount usd={cost_usd_today} />,
                },
                {
                  name: 'Remove',
                  show: ({ provider }) => (
                    <ConfirmButton
                      label="Remove"
                      of={provider}
                      needs="DELETE /api/v1/admin/provider-budgets/{provider}"
                      confirm="Remove the budget"
                      question={`${provider} may be called without a limit.`}
                      work={async () => {
                        await tollway.request('DELETE /api/v1/admin/provider-budgets/{provider}', {
                          path: { provider },
                        })
                        loaded.reload()
                      }}
                    />
                  ),
                },
              ]}
            />
            <SetBudget
              providers={providers
                .map(({ service }) => service)
                .toSorted((one, other) => Number(own.has(other)) - Number(own.has(one)))}
              changed={loaded.reload}
            />
          </>
        )}
      </Shown>
    </section>
  )
}

const isCount = (text: string) => /^\d{0,12}$/.test(text.trim())
const isCents = (text: string) => /^(\d{1,9}(\.\d{1,4})?)?$/.test(text.trim())

function SetBudget({ providers, changed }: { providers: readonly string[]; changed: () => void }) {
  const [provider, setProvider] = useState('')
  const [calls, setCalls] = useState('')
  const [cents, setCents] = useState('')
  const set = useWork(async () => {
    await tollway.request('PUT /api/v1/admin/provider-budgets/{provider}', {
      path: { provider },
      body: filled({
        calls_per_day: calls.trim() === '' ? undefined : Number(calls),
        cost_cents_per_day: cents.trim() === '' ? undefined : Number(cents),
      }),
    })
    changed()
    return `The budget of ${provider} is set.`
  })
  return (
    <Form
      isCard
      of={set}
      needs="PUT /api/v1/admin/provider-budgets/{provider}"
      submit="Set the budget"
      isReady={provider !== '' && isCount(calls) && isCents(cents)}
    >
      <h3>Set a budget</h3>
      <ChoiceField
        label="Provider"
        value={provider}
        change={setProvider}
        choices={[['', 'Choose a provider'], ...providers.map((id) => [id, id] as const)]}
      />
      <TextField
        label="Calls a day"
        about="Such as 500. Empty: any number."
        value={calls}
        change={setCalls}
        problem={isCount(calls) ? undefined : 'Enter a whole number, such as 500.'}
      />
      <TextField
        label="Cents a day that its calls cost you"
        about="Such as 250, as far as the cost is known. Empty: any amount."
        value={cents}
        change={setCents}
        problem={isCents(cents) ? undefined : 'Enter cents, such as 250.'}
      />
    </Form>
  )
}
