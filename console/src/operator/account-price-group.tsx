import { useState } from 'preact/hooks'
import { type AnswerOf, tollway } from '../gateway.ts'
import { useLoad, useWork } from '../load.ts'
import { ChoiceField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Shown } from '../parts/notices.tsx'
import { addressOf } from '../router.ts'

type Account = Pick<AnswerOf<'GET /api/v1/admin/accounts/{id}'>, 'account_id' | 'price_group'>

/** The group whose prices an account pays. */
export function AccountPriceGroup({ account, changed }: { account: Account; changed: () => void }) {
  const now = account.price_group?.price_group_id ?? ''
  const [chosen, setChosen] = useState(now)
  const groups = useLoad('price groups', (signal) =>
    tollway.request('GET /api/v1/admin/price-groups', { signal }),
  )
  const change = useWork(async () => {
    await tollway.request('PUT /api/v1/admin/accounts/{id}/price-group', {
      path: { id: account.account_id },
      body: { price_group_id: chosen === '' ? null : chosen },
    })
    changed()
    return 'The account pays these prices from now on.'
  })
  return (
    <Form
      isCard
      of={change}
      needs="PUT /api/v1/admin/accounts/{id}/price-group"
      submit="Change the prices"
      isReady={chosen !== now}
    >
      <h2>Prices</h2>
      <Shown of={groups}>
        {({ price_groups }) => (
          <ChoiceField
            label="Price group"
            about="Its prices hold for all keys of the account."
            value={chosen}
            change={setChosen}
            choices={[
              ['', 'None: the prices of everyone'],
              ...price_groups.map(({ price_group_id: id, name }) => [id, name] as const),
            ]}
          />
        )}
      </Shown>
      <p>
        <a href={addressOf('/operator/price-groups')}>The prices of the groups</a>
      </p>
    </Form>
  )
}
